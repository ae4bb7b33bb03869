-- Memory. What sar prints as used has changed: with buffers and page cache until 11.7.3, without
-- since. The total, from the printed share of it, tells which; used_with_cache_kib means one thing.
SELECT
    run_id, file_id, host, time_utc, interval_s,
    used_as_printed_kib * 100 / nullif(used_as_printed_percent, 0) AS total_kib,
    free_kib, available_kib, buffers_kib, cached_kib, committed_kib, dirty_kib,
    used_as_printed_kib,
    -- The share has two decimals: it fixes the total to half a hundredth of a percent.
    abs(used_as_printed_kib + free_kib - total_kib)
        <= total_kib * (0.006 / nullif(used_as_printed_percent, 0)) AS printed_with_cache,
    if(printed_with_cache, used_as_printed_kib, total_kib - free_kib) AS used_with_cache_kib
FROM sar_series('sar_memory', NULL, 0)
