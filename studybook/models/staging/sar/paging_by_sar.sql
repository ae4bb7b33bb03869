-- Pages that come from the disk and go to it, and what is done to have free ones.
SELECT
    run_id, file_id, host, time_utc, interval_s, in_kib_s, out_kib_s, faults_per_s,
    major_faults_per_s, scanned_by_kswapd_pages_per_s, scanned_directly_pages_per_s,
    reclaimed_pages_per_s
FROM sar_series('sar_paging', NULL, 0)
