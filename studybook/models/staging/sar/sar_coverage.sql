-- What the loading report says of each host in each file of sysstat.
WITH interval_of AS (
    SELECT
        s.file_id, s.host, s.clock, i.interval_s,
        utc_of_pass(i.time_utc, i.time_local, i.set_back, s.zone, s.clock_offset_s) AS time_utc,
        median(i.interval_s) OVER (PARTITION BY s.file_id, s.host) AS typical_s
    FROM sar_interval i
    JOIN sar_source s USING (file_id, report_no)
),
restart AS (
    SELECT s.file_id, s.host, count(*) AS restarts
    FROM sar_mark m
    JOIN sar_source s USING (file_id, report_no)
    WHERE m.kind = 'restart'
    GROUP BY s.file_id, s.host
)
SELECT
    i.file_id, i.host, min(i.time_utc) AS first_utc, max(i.time_utc) AS last_utc,
    any_value(i.clock) AS clock, count(DISTINCT i.time_utc) AS samples,
    any_value(i.typical_s) AS interval_s,
    count(DISTINCT i.time_utc) FILTER (i.interval_s > 1.5 * i.typical_s) AS gaps,
    coalesce(any_value(r.restarts), 0) AS restarts, 0::BIGINT AS resets
FROM interval_of i
LEFT JOIN restart r ON r.file_id = i.file_id AND r.host IS NOT DISTINCT FROM i.host
GROUP BY i.file_id, i.host
