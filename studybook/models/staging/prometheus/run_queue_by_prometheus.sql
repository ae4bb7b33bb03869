-- Processes that run or wait for a processor, those that wait for disks, and load averages, by
-- node_exporter.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, max(interval_s) AS interval_s,
    max(value) FILTER (metric = 'node_procs_running') AS run_queue,
    max(value) FILTER (metric = 'node_procs_blocked') AS blocked_tasks,
    max(value) FILTER (metric = 'node_load1') AS load_1min,
    max(value) FILTER (metric = 'node_load5') AS load_5min,
    max(value) FILTER (metric = 'node_load15') AS load_15min
FROM prometheus_value
WHERE metric IN (
    'node_procs_running', 'node_procs_blocked', 'node_load1', 'node_load5', 'node_load15')
GROUP BY run_id, host, time_utc
