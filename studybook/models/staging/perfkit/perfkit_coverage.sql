-- What the loading report says of each file of the Performance Toolkit.
WITH log AS (
    SELECT
        file_id, host, count(DISTINCT (end_local, occurrence)) AS samples,
        median(usual_s) AS interval_s, count(DISTINCT end_local) FILTER (after_gap) AS gaps
    FROM perfkit_printed_row
    WHERE in_log AND NOT mean_row
    GROUP BY file_id, host
),
period AS (
    SELECT
        file_id, host, min(from_utc) AS first_utc, max(to_utc) AS last_utc,
        any_value(zone_known) AS clock, count(*) AS reports, median(interval_s) AS interval_s
    FROM perfkit_period GROUP BY file_id, host
)
SELECT
    p.file_id, p.host, p.first_utc, p.last_utc, p.clock,
    -- A report that is no log is one sample of its period.
    coalesce(l.samples, p.reports) AS samples, coalesce(l.interval_s, p.interval_s) AS interval_s,
    coalesce(l.gaps, 0) AS gaps, 0::BIGINT AS restarts, 0::BIGINT AS resets
FROM period p
LEFT JOIN log l ON l.file_id = p.file_id AND l.host IS NOT DISTINCT FROM p.host
