-- Disk traffic of each host, without devices that are made of other disks; how busy the busiest of them
-- is, and how long a request of any of them takes.
WITH disk AS (
    SELECT
        d.run_id, d.host, d.device, mean_over_time(d.read_kib_s, d.interval_s) / 1024 AS read_mib_s,
        mean_over_time(d.write_kib_s, d.interval_s) / 1024 AS write_mib_s,
        mean_over_time(d.util_percent, d.interval_s) AS busy_percent,
        sum(d.await_ms * d.transfers_per_s * d.interval_s) AS waited,
        sum(d.transfers_per_s * d.interval_s) FILTER (d.await_ms IS NOT NULL) AS transfers
    FROM disk_rate d
    JOIN stable_phase p USING (run_id)
    WHERE d.interval_s > 0 AND within_phase(d.time_utc, d.interval_s, p.from_utc, p.to_utc, d.tool)
        AND NOT regexp_matches(d.device, '^(dm-|md|loop)')
    GROUP BY d.run_id, d.host, d.device
)
SELECT
    d.run_id, d.host, any_value(h.role) AS role,
    coalesce(any_value(h.kind), 'other') AS kind, sum(read_mib_s) AS read_mib_s,
    sum(write_mib_s) AS write_mib_s, max(busy_percent) AS busy_percent,
    sum(waited) / nullif(sum(transfers), 0) AS await_ms
FROM disk d
LEFT JOIN host h USING (run_id, host)
GROUP BY d.run_id, d.host
