-- Swap space in use, and swapping, by vmstat.
SELECT
    run_id, file_id, host, time_utc, interval_s, swap_used_kib AS used_kib,
    swap_in_kib_s AS in_kib_s, swap_out_kib_s AS out_kib_s
FROM vmstat_interval
WHERE swap_used_kib IS NOT NULL
