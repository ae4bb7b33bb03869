-- One row per report: its host, and how its times become UTC.
SELECT s.* REPLACE (if(r.clock = 'utc', 'UTC, in the file', s.clock) AS clock)
FROM source_of('sar_report') s
JOIN sar_report r USING (file_id, report_no)
