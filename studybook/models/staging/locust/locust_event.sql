-- Failures, one row for all of a name; where the statistics began anew; and, without times, what failures
-- said, and exceptions in the users' own code.
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
WHERE is_reset AND is_total
UNION ALL
SELECT
    file_id, host, NULL, 'requests failed',
    sum(occurrences)::BIGINT || ' of ' || concat_ws(' ', method, f.name) || coalesce(': ' || error, '')
FROM locust_failure f
JOIN file_clock USING (file_id)
GROUP BY file_id, host, method, f.name, error
UNION ALL
SELECT
    file_id, host, NULL, 'exceptions of the users', concat_ws(': ', sum(occurrences)::BIGINT, said)
FROM (
    -- An assertion without words has its last line only.
    SELECT *, coalesce(message, regexp_extract(rtrim(traceback), '[^\n]*$')) AS said
    FROM locust_exception
)
JOIN file_clock USING (file_id)
GROUP BY file_id, host, said
