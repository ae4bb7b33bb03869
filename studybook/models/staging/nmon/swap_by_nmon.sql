-- Swap space of Linux, and swapping of AIX, by nmon.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    1024 * (any_value(value) FILTER (name = 'swaptotal')
            - any_value(value) FILTER (name = 'swapfree')) AS used_kib,
    1024 * any_value(value) FILTER (name = 'swapfree') AS free_kib,
    1024 * any_value(value) FILTER (name = 'swapcached') AS cached_kib,
    any_value(value) FILTER (name = 'pgsin') AS in_pages_per_s,
    any_value(value) FILTER (name = 'pgsout') AS out_pages_per_s
FROM nmon_value
WHERE section = 'MEM' AND name IN ('swaptotal', 'swapfree', 'swapcached')
    OR section = 'PAGE' AND name IN ('pgsin', 'pgsout')
GROUP BY run_id, host, time_utc
