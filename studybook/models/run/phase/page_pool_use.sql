-- What the page pools save, of each run. That is no law: blocks are read whole (256 KiB, say) and
-- ahead, so the disks may give more bytes than the applications ask for. But each read that a page
-- pool could not serve asks the disks at least once, so at least this share of the reads was served
-- from memory: 1 less the requests of disks (those for writes included: sar does not part them) for
-- each read of an application. 0 says nothing.
WITH application AS (
    SELECT
        run_id, sum(read_mib_s) AS read_mib_s, sum(reads_per_s) AS reads_per_s
    FROM (
        SELECT
            f.run_id, f.host, f.file_system,
            mean_over_time(f.read_mib_s, f.interval_s) AS read_mib_s,
            mean_over_time(f.reads_per_s, f.interval_s) AS reads_per_s
        FROM file_system_rate f
        JOIN stable_phase p USING (run_id)
        WHERE f.interval_s > 0 AND within_phase(f.time_utc, f.interval_s, p.from_utc, p.to_utc)
        GROUP BY f.run_id, f.host, f.file_system
    )
    GROUP BY run_id
),
disk AS (
    SELECT
        run_id, kind, sum(read_mib_s) AS read_mib_s, sum(transfers_per_s) AS transfers_per_s
    FROM (
        SELECT
            d.run_id, d.host, d.device, h.kind,
            mean_over_time(d.read_kib_s, d.interval_s) / 1024 AS read_mib_s,
            mean_over_time(d.transfers_per_s, d.interval_s) AS transfers_per_s
        FROM disk_rate d
        JOIN stable_phase p USING (run_id)
        JOIN host h USING (run_id, host)
        WHERE d.interval_s > 0 AND within_phase(d.time_utc, d.interval_s, p.from_utc, p.to_utc, d.tool)
            AND NOT regexp_matches(d.device, '^(dm-|md|loop)')
            AND h.kind IN ('file-client', 'file-server')
        GROUP BY d.run_id, d.host, d.device, h.kind
    )
    GROUP BY run_id, kind
    QUALIFY kind = 'file-server' OR NOT bool_or(kind = 'file-server') OVER (PARTITION BY run_id)
)
SELECT
    a.run_id, a.read_mib_s, d.read_mib_s AS disk_read_mib_s,
    d.read_mib_s / nullif(a.read_mib_s, 0) AS disk_read_per_read,
    a.reads_per_s, d.transfers_per_s AS disk_transfers_per_s,
    greatest(1 - d.transfers_per_s / nullif(a.reads_per_s, 0), 0) AS least_served_from_memory
FROM application a
JOIN disk d USING (run_id)
