-- Memory by vmstat, which prints no total: that of run.yml is taken, where it says one.
SELECT
    run_id, file_id, host, time_utc, interval_s, (memory_mib * 1024)::DOUBLE AS total_kib, free_kib,
    buffers_kib, cached_kib, total_kib - free_kib AS used_with_cache_kib
FROM vmstat_interval
WHERE free_kib IS NOT NULL
