-- Context switches, and processes that were created, by nmon.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    any_value(value) FILTER (name = 'pswitch') AS context_switches_per_s,
    any_value(value) FILTER (name = 'fork') AS created_per_s
FROM nmon_value
WHERE section = 'PROC' AND name IN ('pswitch', 'fork')
GROUP BY run_id, host, time_utc
