-- Traffic of each block device, by iostat, without groups and partitions of disks that are there.
-- New releases tell reads, writes and discards apart; their mean time is weighted by their number.
WITH placed AS (
    SELECT * EXCLUDE (device), device AS device_printed, device_name(device) AS device
    FROM iostat_stamped('iostat_disk')
    WHERE time_utc IS NOT NULL AND NOT is_group
),
single AS (
    FROM one_series('placed', device)
),
whole AS (
    SELECT
        *,
        coalesce(transfers_per_s, reads_per_s + writes_per_s + coalesce(discards_per_s, 0))
            AS all_per_s,
        coalesce(reads_per_s, 0) * coalesce(read_await_ms, 0)
        + coalesce(writes_per_s, 0) * coalesce(write_await_ms, 0)
        + coalesce(discards_per_s, 0) * coalesce(discard_await_ms, 0) AS waited_ms
    FROM without_partitions('single')
)
SELECT
    run_id, file_id, host, time_utc, interval_s, device_printed, device,
    all_per_s AS transfers_per_s, read_kib_s, write_kib_s, discard_kib_s,
    coalesce(
        request_kib,
        (read_kib_s + write_kib_s + coalesce(discard_kib_s, 0)) / nullif(all_per_s, 0)
    ) AS request_kib,
    queue,
    coalesce(
        await_ms,
        CASE
            WHEN read_await_ms IS NULL OR write_await_ms IS NULL THEN NULL
            WHEN all_per_s = 0 THEN 0
            ELSE waited_ms / all_per_s
        END
    ) AS await_ms,
    service_ms, util_percent
FROM whole
