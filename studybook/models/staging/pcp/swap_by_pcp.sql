-- Swap space, and swapping, by PCP.
WITH of_host AS (
    SELECT
        run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
        max(value) FILTER (metric = 'mem.util.swapTotal') AS total_kib,
        max(value) FILTER (metric = 'mem.util.swapFree') AS free_kib,
        max(value) FILTER (metric = 'mem.util.swapCached') AS cached_kib,
        max(value) FILTER (metric = 'swap.pagesin') AS in_pages_per_s,
        max(value) FILTER (metric = 'swap.pagesout') AS out_pages_per_s
    FROM pcp_measured
    WHERE metric IN (
        'mem.util.swapTotal', 'mem.util.swapFree', 'mem.util.swapCached', 'swap.pagesin',
        'swap.pagesout')
    GROUP BY run_id, host, time_utc
)
SELECT * EXCLUDE (total_kib), total_kib - free_kib AS used_kib FROM of_host
