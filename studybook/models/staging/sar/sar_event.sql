-- Restarts and other marks in the files of sysstat, and where a clock was set back.
SELECT
    s.file_id, s.host,
    utc_of_pass(m.time_utc, m.time_local, m.set_back, s.zone, s.clock_offset_s) AS time_utc,
    m.kind, concat_ws(', ', m.text, m.cpus || ' CPUs') AS text
FROM sar_mark m
JOIN sar_source s USING (file_id, report_no)
UNION ALL
SELECT
    s.file_id, s.host,
    min(utc_of_pass(i.time_utc, i.time_local, i.set_back, s.zone, s.clock_offset_s)),
    'clock set back', 'the times from here on had been printed before'
FROM sar_interval i
JOIN sar_source s USING (file_id, report_no)
WHERE i.set_back
GROUP BY s.file_id, s.host
