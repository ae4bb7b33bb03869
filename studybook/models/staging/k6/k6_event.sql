-- Failures, one row for all of a name with the same code; checks that failed; iterations that k6
-- could not start.
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
GROUP BY file_id, host, kind, name, code
