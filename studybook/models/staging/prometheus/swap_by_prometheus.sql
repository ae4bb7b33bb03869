-- Swap space, and swapping, by node_exporter.
WITH of_host AS (
    SELECT
        run_id, min(file_id) AS file_id, host, time_utc, max(interval_s) AS interval_s,
        max(value) FILTER (metric = 'node_memory_SwapTotal_bytes') / 1024 AS total_kib,
        max(value) FILTER (metric = 'node_memory_SwapFree_bytes') / 1024 AS free_kib,
        max(value) FILTER (metric = 'node_memory_SwapCached_bytes') / 1024 AS cached_kib,
        max(increase_per_s) FILTER (metric = 'node_vmstat_pswpin') AS in_pages_per_s,
        max(increase_per_s) FILTER (metric = 'node_vmstat_pswpout') AS out_pages_per_s
    FROM prometheus_value
    WHERE metric IN (
        'node_memory_SwapTotal_bytes', 'node_memory_SwapFree_bytes',
        'node_memory_SwapCached_bytes', 'node_vmstat_pswpin', 'node_vmstat_pswpout')
    GROUP BY run_id, host, time_utc
)
SELECT * EXCLUDE (total_kib), total_kib - free_kib AS used_kib FROM of_host
