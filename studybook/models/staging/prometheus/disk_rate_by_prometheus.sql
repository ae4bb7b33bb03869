-- Traffic of each disk, by node_exporter, without partitions of disks that are there.
WITH each_device AS (
    SELECT
        run_id, min(file_id) AS file_id, host, time_utc, max(interval_s) AS interval_s,
        device AS device_printed, device_name(device) AS device,
        max(increase_per_s) FILTER (metric = 'node_disk_reads_completed_total') AS reads_per_s,
        max(increase_per_s) FILTER (metric = 'node_disk_writes_completed_total') AS writes_per_s,
        max(increase_per_s) FILTER (metric = 'node_disk_discards_completed_total')
            AS discards_per_s,
        max(increase_per_s) FILTER (metric = 'node_disk_read_bytes_total') / 1024 AS read_kib_s,
        max(increase_per_s) FILTER (metric = 'node_disk_written_bytes_total') / 1024
            AS write_kib_s,
        512 / 1024 * max(increase_per_s) FILTER (metric = 'node_disk_discarded_sectors_total')
            AS discard_kib_s,
        max(increase_per_s) FILTER (metric = 'node_disk_io_time_weighted_seconds_total') AS queue,
        1000 * max(increase_per_s) FILTER (metric = 'node_disk_read_time_seconds_total')
            AS read_ms_per_s,
        1000 * max(increase_per_s) FILTER (metric = 'node_disk_write_time_seconds_total')
            AS write_ms_per_s,
        1000 * max(increase_per_s) FILTER (metric = 'node_disk_discard_time_seconds_total')
            AS discard_ms_per_s,
        100 * max(increase_per_s) FILTER (metric = 'node_disk_io_time_seconds_total')
            AS util_percent
    FROM prometheus_value
    WHERE metric LIKE 'node\_disk\_%' ESCAPE '\' AND device IS NOT NULL
    GROUP BY run_id, host, time_utc, device
    HAVING max(increase_per_s) IS NOT NULL
),
whole AS (
    SELECT *, reads_per_s + writes_per_s + coalesce(discards_per_s, 0) AS transfers_per_s
    FROM without_partitions('each_device')
)
SELECT
    run_id, file_id, host, time_utc, interval_s, device_printed, device, transfers_per_s,
    read_kib_s, write_kib_s, discard_kib_s,
    (read_kib_s + write_kib_s + coalesce(discard_kib_s, 0)) / nullif(transfers_per_s, 0)
        AS request_kib,
    queue,
    if(transfers_per_s = 0, 0,
       (read_ms_per_s + write_ms_per_s + coalesce(discard_ms_per_s, 0)) / transfers_per_s)
        AS await_ms,
    util_percent
FROM whole
