-- Context switches, and processes that were created, by node_exporter.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, max(interval_s) AS interval_s,
    max(increase_per_s) FILTER (metric = 'node_context_switches_total') AS context_switches_per_s,
    max(increase_per_s) FILTER (metric = 'node_forks_total') AS created_per_s
FROM prometheus_value
WHERE metric IN ('node_context_switches_total', 'node_forks_total')
GROUP BY run_id, host, time_utc
HAVING max(increase_per_s) IS NOT NULL
