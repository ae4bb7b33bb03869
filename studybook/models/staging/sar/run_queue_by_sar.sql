-- Processes that wait for a processor, and the load averages of Linux.
SELECT
    run_id, file_id, host, time_utc, interval_s, run_queue, tasks, load_1min, load_5min, load_15min,
    blocked_tasks
FROM sar_series('sar_queue', NULL, 0)
