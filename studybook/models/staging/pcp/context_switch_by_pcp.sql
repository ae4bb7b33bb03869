-- Context switches, and processes that were created, by PCP.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    max(value) FILTER (metric = 'kernel.all.pswitch') AS context_switches_per_s,
    max(value) FILTER (metric = 'kernel.all.sysfork') AS created_per_s
FROM pcp_measured
WHERE metric IN ('kernel.all.pswitch', 'kernel.all.sysfork') AND value IS NOT NULL
GROUP BY run_id, host, time_utc
