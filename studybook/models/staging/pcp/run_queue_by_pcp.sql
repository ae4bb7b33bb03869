-- Processes that run or wait, and load averages, by PCP.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    max(value) FILTER (metric = 'kernel.all.runnable') AS run_queue,
    max(value) FILTER (metric = 'kernel.all.nprocs') AS tasks,
    max(value) FILTER (metric = 'kernel.all.blocked') AS blocked_tasks,
    max(value) FILTER (metric = 'kernel.all.load' AND instance = '1 minute') AS load_1min,
    max(value) FILTER (metric = 'kernel.all.load' AND instance = '5 minute') AS load_5min,
    max(value) FILTER (metric = 'kernel.all.load' AND instance = '15 minute') AS load_15min
FROM pcp_measured
WHERE metric IN ('kernel.all.runnable', 'kernel.all.nprocs', 'kernel.all.blocked', 'kernel.all.load')
GROUP BY run_id, host, time_utc
