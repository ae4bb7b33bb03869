-- Processes that run or wait for a processor, and on Linux those that wait for disks, by nmon.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    any_value(value) FILTER (name = 'Runnable') AS run_queue,
    any_value(value) FILTER (name = 'Blocked') AS blocked_tasks
FROM nmon_value
WHERE section = 'PROC' AND name IN ('Runnable', 'Blocked')
GROUP BY run_id, host, time_utc
