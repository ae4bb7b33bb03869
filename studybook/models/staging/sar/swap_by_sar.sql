-- Swap space, and swapping. Releases before 8.1.5 print the space with the memory.
WITH printed AS (
    SELECT
        file_id, report_no, time_local, time_utc, set_back, interval_s, free_kib, used_kib, cached_kib
    FROM sar_swap_space
    UNION ALL BY NAME
    SELECT
        file_id, report_no, time_local, time_utc, set_back, interval_s, swap_free_kib AS free_kib,
        swap_used_kib AS used_kib, swap_cached_kib AS cached_kib
    FROM sar_memory
    WHERE swap_used_kib IS NOT NULL
    UNION ALL BY NAME
    SELECT
        file_id, report_no, time_local, time_utc, set_back, interval_s, in_pages_per_s,
        out_pages_per_s
    FROM sar_swap_rate
)
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, max(interval_s) AS interval_s,
    arg_min(used_kib, file_id) AS used_kib, arg_min(free_kib, file_id) AS free_kib,
    arg_min(cached_kib, file_id) AS cached_kib, arg_min(in_pages_per_s, file_id) AS in_pages_per_s,
    arg_min(out_pages_per_s, file_id) AS out_pages_per_s
FROM sar_stamped('printed')
GROUP BY run_id, host, time_utc
