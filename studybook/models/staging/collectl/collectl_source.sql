-- One row per recording of collectl: its host, and how its times become UTC. The host that run.yml names
-- for a file is that of all its recordings only if they are of one host.
WITH named AS (
    SELECT
        c.run_id, c.file_id, r.report_no, c.zone, c.zone_known,
        if(count(DISTINCT r.host) OVER (PARTITION BY r.file_id) <= 1,
           coalesce(c.host, r.host, o.host), r.host) AS host
    FROM collectl_report r
    JOIN file_clock c USING (file_id)
    LEFT JOIN only_host o USING (run_id)
)
SELECT n.*, h.clock_offset_s, u.start_utc
FROM named n
JOIN run u USING (run_id)
LEFT JOIN host h ON h.run_id = n.run_id AND h.host = n.host
