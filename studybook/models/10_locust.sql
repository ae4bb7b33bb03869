-- What Locust measured. Its history has totals since the start, each second: what one row has
-- more than the one before was done in between. (The rates that it prints are means over the last
-- ten seconds.)

CREATE OR REPLACE VIEW locust_added AS
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
FROM before;

-- Intervals of 10 seconds since the run's start (that of run.yml, else of the file), as near as
-- there are rows: each reaches to the last row in it, from that of the interval before.
CREATE OR REPLACE VIEW locust_interval AS
WITH start AS (
    SELECT a.run_id, coalesce(any_value(r.start_utc), min(a.at_utc)) AS start_utc
    FROM locust_added a
    JOIN run r USING (run_id)
    GROUP BY a.run_id
),
placed AS (
    -- A row tells of what was before it.
    SELECT a.*, s.start_utc,
        ceil((epoch_ms(a.at_utc) - epoch_ms(s.start_utc)) / 10000)::BIGINT - 1 AS interval_no
    FROM locust_added a
    JOIN start s USING (run_id)
),
extent AS (
    SELECT
        run_id, file_id, host, interval_no, any_value(start_utc) AS start_utc,
        max(at_utc) AS end_utc, arg_max(users, line) AS users,
        coalesce(lag(max(at_utc)) OVER (PARTITION BY file_id ORDER BY interval_no),
                 any_value(first_utc)) AS begin_utc
    FROM placed
    WHERE is_total
    GROUP BY run_id, file_id, host, interval_no
),
series AS (
    SELECT DISTINCT file_id, is_total, if(is_total, NULL, concat_ws(' ', method, name)) AS label
    FROM placed
),
-- Sums of what was added, and percentiles of the last ten seconds.
added AS (
    SELECT
        file_id, is_total, if(is_total, NULL, concat_ws(' ', method, name)) AS label, interval_no,
        sum(requests)::BIGINT AS samples, sum(failures)::BIGINT AS failed,
        sum(took_ms) / nullif(sum(requests), 0) AS mean_ms,
        arg_max(if(has_full_history, p50_ms, NULL), line) AS p50_ms,
        arg_max(if(has_full_history, p90_ms, NULL), line) AS p90_ms,
        arg_max(if(has_full_history, p95_ms, NULL), line) AS p95_ms,
        arg_max(if(has_full_history, p99_ms, NULL), line) AS p99_ms
    FROM placed
    GROUP BY ALL
)
SELECT
    'locust' AS tool, e.run_id, e.file_id, e.host, e.interval_no, s.label, e.end_utc AS time_utc,
    (epoch_ms(e.end_utc) - epoch_ms(e.start_utc)) / 1000 AS since_start_s,
    (epoch_ms(e.end_utc) - epoch_ms(e.begin_utc)) / 1000 AS interval_s, e.users,
    coalesce(a.samples, 0) AS samples, coalesce(a.failed, 0) AS failed,
    a.mean_ms, a.p50_ms, a.p90_ms, a.p95_ms, a.p99_ms
FROM extent e
JOIN series s USING (file_id)
LEFT JOIN added a
    ON a.file_id = e.file_id AND a.interval_no = e.interval_no AND a.is_total = s.is_total
    AND a.label IS NOT DISTINCT FROM s.label
WHERE e.end_utc > e.begin_utc;

CREATE OR REPLACE VIEW locust_response_time AS
SELECT
    tool, run_id, file_id, host, time_utc, since_start_s, interval_s, 'sample' AS kind,
    label AS name, 'response time' AS measure, mean_ms, samples AS hits, failed,
    p50_ms, p90_ms, p95_ms, p99_ms
FROM locust_interval
WHERE samples > 0;

CREATE OR REPLACE VIEW locust_throughput AS
SELECT
    tool, run_id, file_id, host, time_utc, since_start_s, interval_s, 'sample' AS kind,
    label AS name, samples / interval_s AS completed_per_s
FROM locust_interval;

CREATE OR REPLACE VIEW locust_virtual_users AS
SELECT
    tool, run_id, file_id, host, time_utc, since_start_s, interval_s, users::DOUBLE AS active
FROM locust_interval
WHERE label IS NULL;

-- The run as a whole: the last row of each name; since the statistics were reset, if they were.
CREATE OR REPLACE VIEW locust_run_statistic AS
WITH ending AS (
    SELECT
        run_id, file_id, host, at_utc, if(is_total, NULL, concat_ws(' ', method, name)) AS name,
        total_requests::DOUBLE AS completed, total_failures::DOUBLE AS failed,
        total_mean_ms AS average, total_min_ms AS minimum, total_max_ms AS maximum,
        if(has_full_history, total_median_ms, p50_ms) AS "percentile 50",
        if(has_full_history, NULL, p90_ms) AS "percentile 90",
        if(has_full_history, NULL, p95_ms) AS "percentile 95",
        if(has_full_history, NULL, p99_ms) AS "percentile 99",
        (epoch_ms(at_utc) - epoch_ms(first_utc)) / 1000 AS since_start_s
    FROM locust_added
    QUALIFY row_number() OVER (
        PARTITION BY file_id, is_total, method, locust_added.name ORDER BY line DESC) = 1
),
long AS (
    UNPIVOT (FROM ending WHERE completed > 0)
    ON completed, failed, average, minimum, maximum,
        "percentile 50", "percentile 90", "percentile 95", "percentile 99"
    INTO NAME statistic VALUE value
)
SELECT
    'locust' AS tool, run_id, file_id, host, 'Default Time Range' AS time_range, 'sample' AS kind,
    name, if(statistic IN ('completed', 'failed'), statistic, 'response time') AS measure,
    if(statistic IN ('completed', 'failed'), 'count', statistic) AS statistic,
    if(statistic IN ('completed', 'failed'), 'count', 'ms') AS unit,
    value, since_start_s
FROM long;

CREATE OR REPLACE VIEW locust_coverage AS
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
GROUP BY s.file_id, s.host;

CREATE OR REPLACE VIEW locust_event AS
SELECT
    file_id, driver AS host, min(at_utc) AS time_utc, 'requests failed' AS kind,
    sum(failures)::BIGINT || ' of '
    || if(is_total, 'all requests', concat_ws(' ', method, name))
    || if(sum(failures) > 1, '; the last until ' || strftime(max(at_utc), '%Y-%m-%d %H:%M:%S')
          || ' UTC', '') AS text
FROM locust_added
-- All together tell of failures only where there is no more than that.
WHERE failures > 0 AND (NOT is_total OR NOT has_full_history)
GROUP BY file_id, driver, is_total, method, name
UNION ALL
SELECT
    file_id, driver, at_utc, 'statistics reset',
    requests_before || ' requests before are not in the totals that follow'
FROM locust_added
WHERE is_reset AND is_total;
