-- What Locust measured. Its history has totals since the start, each second: what one row has
-- more than the one before was done in between. (The rates that it prints are means over the last
-- ten seconds.)
WITH timed AS (
    SELECT
        c.run_id, c.host AS driver, utc_of(s.time_utc, NULL, c.zone, h.clock_offset_s) AS at_utc,
        if(count(DISTINCT c.file_id) OVER (PARTITION BY c.run_id) = 1, 'all hosts',
           coalesce(c.host, c.file)) AS host,
        s.*
    FROM locust_state s
    JOIN file_clock c USING (file_id)
    LEFT JOIN host h ON h.run_id = c.run_id AND h.host = c.host
),
start AS (
    SELECT
        file_id, min(at_utc) AS first_utc,
        -- Locust begins the file with the test; else what was before it is not known.
        arg_min(total_requests, line) FILTER (is_total) = 0 AS is_whole,
        bool_or(NOT is_total) AS has_full_history
    FROM timed
    GROUP BY file_id
),
before AS (
    SELECT
        t.*, s.first_utc, s.has_full_history,
        if(s.is_whole OR t.at_utc > s.first_utc, 0, NULL) AS from_zero,
        t.total_requests * t.total_mean_ms AS total_ms,
        lag(t.total_requests) OVER of_name AS requests_before,
        lag(t.total_failures) OVER of_name AS failures_before,
        lag(t.total_requests * t.total_mean_ms) OVER of_name AS ms_before,
        -- Locust can be told to begin anew when all users have been started.
        t.total_requests < requests_before AS is_reset
    FROM timed t
    JOIN start s USING (file_id)
    WINDOW of_name AS (PARTITION BY t.file_id, t.is_total, t.method, t.name ORDER BY t.line)
)
SELECT
    *,
    total_requests - if(is_reset, 0, coalesce(requests_before, from_zero)) AS requests,
    total_failures - if(is_reset, 0, coalesce(failures_before, from_zero)) AS failures,
    total_ms - if(is_reset, 0, coalesce(ms_before, from_zero)) AS took_ms
FROM before
