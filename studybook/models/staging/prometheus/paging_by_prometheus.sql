-- What is read from disks and written to them, and page faults, by node_exporter: vmstat of Linux.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, max(interval_s) AS interval_s,
    -- The kernel counts them in KiB.
    max(increase_per_s) FILTER (metric = 'node_vmstat_pgpgin') AS in_kib_s,
    max(increase_per_s) FILTER (metric = 'node_vmstat_pgpgout') AS out_kib_s,
    max(increase_per_s) FILTER (metric = 'node_vmstat_pgfault') AS faults_per_s,
    max(increase_per_s) FILTER (metric = 'node_vmstat_pgmajfault') AS major_faults_per_s
FROM prometheus_value
WHERE metric IN (
    'node_vmstat_pgpgin', 'node_vmstat_pgpgout', 'node_vmstat_pgfault', 'node_vmstat_pgmajfault')
GROUP BY run_id, host, time_utc
HAVING max(increase_per_s) IS NOT NULL
