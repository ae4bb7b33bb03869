-- Traffic of each disk, by PCP. In which unit busy time is printed is not known: it is left out.
WITH of_device AS (
    SELECT
        run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
        instance AS device_printed, device_name(instance) AS device,
        max(value) FILTER (metric = 'disk.dev.read') AS reads_per_s,
        max(value) FILTER (metric = 'disk.dev.write') AS writes_per_s,
        max(value) FILTER (metric = 'disk.dev.total') AS total_per_s,
        max(value) FILTER (metric = 'disk.dev.read_bytes') AS read_kib_s,
        max(value) FILTER (metric = 'disk.dev.write_bytes') AS write_kib_s
    FROM pcp_measured
    WHERE instance IS NOT NULL AND metric IN (
        'disk.dev.read', 'disk.dev.write', 'disk.dev.total', 'disk.dev.read_bytes',
        'disk.dev.write_bytes')
    GROUP BY run_id, host, time_utc, instance
)
SELECT
    run_id, file_id, host, time_utc, interval_s, device_printed, device,
    coalesce(total_per_s, reads_per_s + writes_per_s) AS transfers_per_s, read_kib_s, write_kib_s,
    (read_kib_s + write_kib_s) / nullif(transfers_per_s, 0) AS request_kib
FROM of_device
WHERE coalesce(transfers_per_s, read_kib_s, write_kib_s) IS NOT NULL
