-- Restarts and comments in files of mpstat, and where a clock was set back.
SELECT
    s.file_id, s.host,
    utc_of_pass(m.time_utc, m.time_local, m.set_back, s.zone, s.clock_offset_s) AS time_utc,
    m.kind, m.text
FROM mpstat_mark m
JOIN mpstat_source s USING (file_id, report_no)
UNION ALL
SELECT
    s.file_id, s.host,
    min(utc_of_pass(r.time_utc, r.time_local, r.set_back, s.zone, s.clock_offset_s)),
    'clock set back', 'the times from here on had been printed before'
FROM mpstat_cpu r
JOIN mpstat_source s USING (file_id, report_no)
WHERE r.set_back
GROUP BY s.file_id, s.host
