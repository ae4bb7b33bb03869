-- What the loading report says of each node in each file. mmpmon does not tell a restart of the
-- daemon from any other reset, so restarts are not known.
-- A loop that asks for more than one thing has an instant for each: those of one request count.
WITH asked AS (
    SELECT file_id, node_ip, request FROM mmpmon_sample
    WHERE time_utc IS NOT NULL
    GROUP BY file_id, node_ip, request
    QUALIFY row_number() OVER (
        PARTITION BY file_id, node_ip ORDER BY count(DISTINCT time_utc) DESC, request) = 1
),
instant AS (
    SELECT DISTINCT file_id, host, node_ip, time_utc FROM mmpmon_sample
    JOIN asked USING (file_id, node_ip, request)
    WHERE time_utc IS NOT NULL
),
apart AS (
    SELECT *, (epoch_us(time_utc) - epoch_us(lag(time_utc) OVER (
        PARTITION BY file_id, node_ip ORDER BY time_utc))) / 1e6 AS interval_s
    FROM instant
),
typical AS (
    SELECT *, median(interval_s) OVER (PARTITION BY file_id, node_ip) AS typical_s FROM apart
),
reset AS (
    SELECT file_id, node_ip, count(DISTINCT time_utc) AS resets
    FROM mmpmon_rate WHERE state = 'reset' GROUP BY ALL
)
SELECT
    t.file_id, t.host, min(t.time_utc) AS first_utc, max(t.time_utc) AS last_utc,
    'UTC, in the file' AS clock, count(*) AS samples, any_value(t.typical_s) AS interval_s,
    count(*) FILTER (t.interval_s > 1.5 * t.typical_s) AS gaps, NULL::BIGINT AS restarts,
    coalesce(any_value(r.resets), 0) AS resets
FROM typical t
LEFT JOIN reset r USING (file_id, node_ip)
GROUP BY t.file_id, t.host, t.node_ip
