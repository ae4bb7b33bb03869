-- Memory of Linux, by node_exporter.
WITH of_host AS (
    SELECT
        run_id, min(file_id) AS file_id, host, time_utc, max(interval_s) AS interval_s,
        max(value) FILTER (metric = 'node_memory_MemTotal_bytes') / 1024 AS total_kib,
        max(value) FILTER (metric = 'node_memory_MemFree_bytes') / 1024 AS free_kib,
        max(value) FILTER (metric = 'node_memory_MemAvailable_bytes') / 1024 AS available_kib,
        max(value) FILTER (metric = 'node_memory_Buffers_bytes') / 1024 AS buffers_kib,
        max(value) FILTER (metric = 'node_memory_Cached_bytes') / 1024 AS cached_kib,
        max(value) FILTER (metric = 'node_memory_Committed_AS_bytes') / 1024 AS committed_kib,
        max(value) FILTER (metric = 'node_memory_Dirty_bytes') / 1024 AS dirty_kib
    FROM prometheus_value
    WHERE metric LIKE 'node\_memory\_%' ESCAPE '\'
    GROUP BY run_id, host, time_utc
)
SELECT *, total_kib - free_kib AS used_with_cache_kib
FROM of_host
WHERE coalesce(total_kib, free_kib, available_kib) IS NOT NULL
