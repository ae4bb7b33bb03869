-- One row per report of nmon: its host, and how its times become UTC. The host that run.yml names for a
-- file is that of all its reports only if they are of one host.
WITH named AS (
    SELECT
        c.run_id, c.file_id, r.report_no, c.zone, c.zone_known AS clock,
        if(count(DISTINCT r.host) OVER (PARTITION BY r.file_id) <= 1,
           coalesce(c.host, r.host), r.host) AS host
    FROM (
        SELECT file_id, report_no, any_value(value) FILTER (section = 'AAA' AND name = 'host') AS host
        FROM nmon_setting
        GROUP BY file_id, report_no
    ) r
    JOIN file_clock c USING (file_id)
)
SELECT n.*, h.clock_offset_s, u.start_utc
FROM named n
JOIN run u USING (run_id)
LEFT JOIN host h ON h.run_id = n.run_id AND h.host = n.host
