-- What k6 measured: requests, groups and iterations as single samples, which 10_sampled.sql puts
-- into intervals; bytes and virtual users, which are values of their own.

-- Values with their moments as UTC instants, by the clock of the run.
CREATE OR REPLACE VIEW k6_value AS
SELECT
    c.run_id, c.host, utc_of(s.time_utc, NULL, c.zone, h.clock_offset_s) AS at_utc,
    'UTC, in the file' AS clock, s.*
FROM k6_sample s
JOIN file_clock c USING (file_id)
LEFT JOIN host h ON h.run_id = c.run_id AND h.host = c.host;

-- What took time. A request's time is that from sending to the last byte: looking up names and
-- connecting are not in it, as they are in JMeter's. Times of groups and iterations hold their
-- pauses. A request failed if its status is not one that the script expects; without that column,
-- if it has an error code, which k6 gives for each status from 400 on.
CREATE OR REPLACE VIEW k6_ended AS
SELECT
    'k6' AS tool, run_id, file_id, host, line, clock,
    CASE metric
        WHEN 'http_req_duration' THEN 'sample'
        WHEN 'group_duration' THEN 'transaction'
        ELSE 'iteration'
    END AS kind,
    CASE metric
        WHEN 'http_req_duration' THEN coalesce(name, url)
        WHEN 'group_duration' THEN nullif(replace(ltrim(group_path, ':'), '::', ' / '), '')
        ELSE scenario
    END AS label,
    at_utc - to_microseconds((value * 1000)::BIGINT) AS begin_utc, at_utc AS end_utc,
    value AS elapsed_ms,
    if(metric = 'http_req_duration',
       coalesce(NOT expected_response, error_code IS NOT NULL OR status = '0', false), false) AS has_failed,
    coalesce(error_code, 'status ' || status) AS code, error AS message
FROM k6_value
-- Three years: longer is a value of another unit.
WHERE metric IN ('http_req_duration', 'group_duration', 'iteration_duration')
    AND value BETWEEN 0 AND 1e11;

CREATE OR REPLACE VIEW k6_coverage AS
SELECT
    file_id, host, min(at_utc) AS first_utc, max(at_utc) AS last_utc, clock,
    count(*) FILTER (metric = 'http_req_duration') AS samples, NULL::DOUBLE AS interval_s,
    NULL::BIGINT AS gaps, NULL::BIGINT AS restarts, NULL::BIGINT AS resets
FROM k6_value
GROUP BY file_id, host, clock;

-- Failures, one row for all of a name with the same code; checks that failed; iterations that k6
-- could not start.
CREATE OR REPLACE VIEW k6_event AS
WITH failed AS (
    SELECT
        file_id, host, end_utc AS at_utc, 'requests failed' AS kind, 1 AS times, label AS name,
        line, code, message
    FROM k6_ended
    WHERE has_failed
    UNION ALL
    SELECT file_id, host, at_utc, 'checks failed', 1, check_name, line, NULL, NULL
    FROM k6_value
    WHERE metric = 'checks' AND value = 0
    UNION ALL
    SELECT file_id, host, at_utc, 'iterations dropped', value, scenario, line, NULL, NULL
    FROM k6_value
    WHERE metric = 'dropped_iterations' AND value > 0
)
SELECT
    file_id, host, min(at_utc) AS time_utc, kind,
    concat_ws(
        ': ', sum(times)::BIGINT || coalesce(' of ' || name, ''), code, arg_min(message, line)
    ) || if(sum(times) > 1,
            '; the last at ' || strftime(max(at_utc), '%Y-%m-%d %H:%M:%S') || ' UTC', '') AS text
FROM failed
GROUP BY file_id, host, kind, name, code;
