-- What the loading report says of each file of Locust.
WITH step AS (
    SELECT
        file_id, driver AS host, at_utc, is_reset,
        (epoch_ms(at_utc) - epoch_ms(lag(at_utc) OVER (PARTITION BY file_id ORDER BY line)))
            / 1000 AS step_s
    FROM locust_added
    WHERE is_total
),
typical AS (
    SELECT file_id, median(step_s) AS interval_s FROM step GROUP BY file_id
)
SELECT
    s.file_id, s.host, min(s.at_utc) AS first_utc, max(s.at_utc) AS last_utc,
    'UTC, in the file' AS clock, count(*) AS samples, any_value(t.interval_s) AS interval_s,
    -- Times are whole seconds: of rows a little more than one apart, some are two apart.
    count(*) FILTER (s.step_s > 2.5 * t.interval_s) AS gaps,
    0::BIGINT AS restarts, count(*) FILTER (s.is_reset) AS resets
FROM step s
JOIN typical t USING (file_id)
GROUP BY s.file_id, s.host
