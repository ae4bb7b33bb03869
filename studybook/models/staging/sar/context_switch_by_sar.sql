-- Context switches, and processes that were created. Releases to 8.1.2 print the two rates as
-- sections of their own: rows with one of them each.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, max(interval_s) AS interval_s,
    arg_min(context_switches_per_s, file_id) AS context_switches_per_s,
    arg_min(created_per_s, file_id) AS created_per_s
FROM sar_stamped('sar_task')
GROUP BY run_id, host, time_utc
