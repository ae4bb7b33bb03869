-- One row per output of vmstat: its host, which vmstat does not print, and how its times become UTC.
WITH named AS (
    SELECT
        c.run_id, c.file_id, r.report_no, c.zone, c.zone_known AS clock,
        coalesce(c.host, o.host) AS host
    FROM vmstat_report r
    JOIN file_clock c USING (file_id)
    JOIN nameless_host o USING (run_id)
)
SELECT n.*, h.clock_offset_s, h.memory_mib, u.start_utc
FROM named n
JOIN run u USING (run_id)
LEFT JOIN host h ON h.run_id = n.run_id AND h.host = n.host
