-- Interval lengths; that of the first row is its time, unless the report starts in mid-run.
SELECT
    file_id, report_no, since_start_ms, line,
    coalesce(
        interval_ms,
        if(since_start_ms <= 1.5 * lead(interval_ms) OVER of_report, since_start_ms, NULL)
    ) AS interval_ms
FROM rpt_interval
WINDOW of_report AS (PARTITION BY file_id, report_no ORDER BY line)
