-- Records of iostat with run, host and time as a UTC instant. The mean since the host was booted,
-- the first sample of a report, is no interval.
CREATE OR REPLACE MACRO iostat_stamped(records) AS TABLE
SELECT
    s.run_id, s.host,
    placed_at(r.time_utc, r.time_local, r.set_back, s.zone, s.clock_offset_s, s.start_utc,
              r.report_no, r.sample_no + y.after_first, r.interval_s) AS time_utc,
    CASE
        WHEN r.time_utc IS NOT NULL THEN 'UTC, in the file'
        WHEN r.time_local IS NOT NULL THEN s.clock
        ELSE 'no times: from the start of the run on'
    END AS clock,
    r.* EXCLUDE (time_utc, time_local, report_no, sample_no)
FROM query_table(records) r
JOIN iostat_source s USING (file_id, report_no)
JOIN (
    SELECT file_id, report_no, bool_and(NOT since_boot)::INTEGER AS after_first
    FROM query_table(records)
    GROUP BY file_id, report_no
) y USING (file_id, report_no)
WHERE NOT r.since_boot;
