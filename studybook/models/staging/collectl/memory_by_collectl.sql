-- Memory, by collectl; on a terminal it does not print the total.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    max(value) FILTER (name = 'Tot') AS total_kib, max(value) FILTER (name = 'Free') AS free_kib,
    max(value) FILTER (name = 'Buf') AS buffers_kib,
    max(value) FILTER (name = 'Cached') AS cached_kib,
    max(value) FILTER (name = 'Commit') AS committed_kib,
    max(value) FILTER (name = 'Dirty') AS dirty_kib, total_kib - free_kib AS used_with_cache_kib
FROM collectl_value
WHERE part = 'MEM' AND item IS NULL
GROUP BY run_id, host, time_utc
