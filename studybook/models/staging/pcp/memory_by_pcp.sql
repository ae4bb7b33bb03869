-- Memory, by PCP.
WITH of_host AS (
    SELECT
        run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
        max(value) FILTER (metric = 'mem.physmem') AS total_kib,
        max(value) FILTER (metric = 'mem.util.free') AS free_kib,
        max(value) FILTER (metric = 'mem.util.used') AS used_kib,
        max(value) FILTER (metric = 'mem.util.available') AS available_kib,
        max(value) FILTER (metric = 'mem.util.bufmem') AS buffers_kib,
        max(value) FILTER (metric = 'mem.util.cached') AS cached_kib,
        max(value) FILTER (metric = 'mem.util.committed_AS') AS committed_kib,
        max(value) FILTER (metric = 'mem.util.dirty') AS dirty_kib
    FROM pcp_measured
    WHERE metric LIKE 'mem.%' AND instance IS NULL
    GROUP BY run_id, host, time_utc
)
SELECT
    * EXCLUDE (used_kib, total_kib), coalesce(total_kib, used_kib + free_kib) AS total_kib,
    -- All that is not free, as PCP counts it.
    coalesce(total_kib - free_kib, used_kib) AS used_with_cache_kib
FROM of_host
WHERE coalesce(total_kib, free_kib, used_kib, available_kib) IS NOT NULL
