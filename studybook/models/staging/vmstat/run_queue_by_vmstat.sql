-- Processes that run or wait for a processor, or for input and output, by vmstat.
SELECT run_id, file_id, host, time_utc, interval_s, run_queue, blocked_tasks
FROM vmstat_interval
