-- Memory by nmon, which prints MiB: on Linux by kind, on AIX the whole and what is free.
WITH of_host AS (
    SELECT
        run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
        1024 * any_value(value) FILTER (name IN ('memtotal', 'Real total(MB)')) AS total_kib,
        1024 * any_value(value) FILTER (name IN ('memfree', 'Real free(MB)')) AS free_kib,
        1024 * any_value(value) FILTER (name = 'buffers') AS buffers_kib,
        1024 * any_value(value) FILTER (name = 'cached') AS cached_kib
    FROM nmon_value
    WHERE section = 'MEM'
    GROUP BY run_id, host, time_utc
)
SELECT *, total_kib - free_kib AS used_with_cache_kib FROM of_host
