-- One row per report: its host, and its period as UTC instants.
SELECT
    c.run_id, r.file_id, r.report_no, r.report, r.subject, r.interval_s,
    coalesce(s.host, r.system_id) AS host, c.zone, c.zone_known, h.clock_offset_s,
    r.from_local, r.to_local,
    utc_of(NULL::TIMESTAMP, r.from_local, c.zone, h.clock_offset_s) AS from_utc,
    utc_of(NULL::TIMESTAMP, r.to_local, c.zone, h.clock_offset_s) AS to_utc
FROM perfkit_report r
JOIN file_clock c USING (file_id)
JOIN perfkit_single_host s USING (file_id)
LEFT JOIN host h ON h.run_id = c.run_id AND h.host = coalesce(s.host, r.system_id)
