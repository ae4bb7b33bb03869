-- What the loading report says of each report of Rational Performance Tester.
SELECT
    p.file_id, coalesce(p.host, 'all hosts') AS host,
    p.start_utc + to_milliseconds(min(i.since_start_ms)) AS first_utc,
    p.start_utc + to_milliseconds(max(i.since_start_ms)) AS last_utc,
    p.clock, count(*) AS samples, median(i.interval_ms) / 1000 AS interval_s,
    count(*) FILTER (i.interval_ms > 1.5 * t.typical_ms) AS gaps,
    0::BIGINT AS restarts, 0::BIGINT AS resets
FROM rpt_report p
JOIN rpt_interval i USING (file_id, report_no)
JOIN (
    SELECT file_id, report_no, median(interval_ms) AS typical_ms FROM rpt_interval GROUP BY ALL
) t USING (file_id, report_no)
GROUP BY p.file_id, p.report_no, p.host, p.start_utc, p.clock
