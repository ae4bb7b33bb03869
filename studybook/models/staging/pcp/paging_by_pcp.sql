-- What is read from disks and written to them, and page faults, by PCP: vmstat of Linux.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    -- The kernel counts them in KiB.
    max(value) FILTER (metric = 'mem.vmstat.pgpgin') AS in_kib_s,
    max(value) FILTER (metric = 'mem.vmstat.pgpgout') AS out_kib_s,
    max(value) FILTER (metric = 'mem.vmstat.pgfault') AS faults_per_s,
    max(value) FILTER (metric = 'mem.vmstat.pgmajfault') AS major_faults_per_s
FROM pcp_measured
WHERE value IS NOT NULL AND metric IN (
    'mem.vmstat.pgpgin', 'mem.vmstat.pgpgout', 'mem.vmstat.pgfault', 'mem.vmstat.pgmajfault')
GROUP BY run_id, host, time_utc
