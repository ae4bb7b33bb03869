-- Time ranges that a person has marked in a report: where each begins.
SELECT
    p.file_id, coalesce(p.host, 'all hosts') AS host,
    p.start_utc + to_milliseconds(r.start_ms) AS time_utc, 'time range' AS kind,
    r.name || ' begins' || coalesce(', of ' || r.duration_ms / 1000 || ' s', '') AS text
FROM rpt_time_range r
JOIN rpt_report p USING (file_id)
