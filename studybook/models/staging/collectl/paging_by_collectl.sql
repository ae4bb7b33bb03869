-- What is read from disks and written to them, and page faults, by collectl: vmstat of Linux.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    max(value) FILTER (name = 'PageIn') AS in_kib_s,
    max(value) FILTER (name = 'PageOut') AS out_kib_s,
    max(value) FILTER (name = 'PageFaults') AS faults_per_s,
    max(value) FILTER (name = 'PageMajFaults') AS major_faults_per_s
FROM collectl_value
WHERE part = 'MEM' AND name IN ('PageIn', 'PageOut', 'PageFaults', 'PageMajFaults')
GROUP BY run_id, host, time_utc
