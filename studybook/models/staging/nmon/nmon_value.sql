-- Each number of nmon by its name, and when it was. Sections that go on, as DISKBUSY1, have the name
-- of the first; -1 says that the system does not tell the number.
WITH single AS (
    SELECT
        r.file_id, r.report_no, r.sample_no, r.line, r.section AS printed,
        regexp_replace(r.section, '^(DISK[A-Z]+)\d+$', '\1') AS section,
        unnest(string_split(h.names, ',')) AS name, unnest(r.numbers) AS value
    FROM nmon_row r
    JOIN nmon_heading h USING (file_id, report_no, heading_no)
    WHERE r.item IS NULL AND h.section NOT IN ('TOP', 'UARG', 'ERROR')
)
SELECT
    t.run_id, s.file_id, t.host, t.time_utc, t.interval_s, s.section, trim(s.name) AS name,
    s.value, s.line
FROM single s
JOIN nmon_snapshot t USING (file_id, report_no, sample_no)
WHERE s.value IS NOT NULL AND s.value > -1 AND s.name IS NOT NULL AND t.time_utc IS NOT NULL
QUALIFY row_number() OVER (
    PARTITION BY t.run_id, t.host, s.section, s.name, t.time_utc
    ORDER BY t.interval_s, s.file_id, s.line) = 1
