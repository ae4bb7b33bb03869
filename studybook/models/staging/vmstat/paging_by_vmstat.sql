-- What is read from disks and written to them, by vmstat: the counters of paging of Linux.
SELECT
    run_id, file_id, host, time_utc, interval_s, read_kib_s AS in_kib_s, write_kib_s AS out_kib_s
FROM vmstat_interval
