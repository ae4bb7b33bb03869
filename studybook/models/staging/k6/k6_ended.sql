-- What took time. A request's time is that from sending to the last byte: looking up names and
-- connecting are not in it, as they are in JMeter's. Times of groups and iterations hold their
-- pauses. A request failed if its status is not one that the script expects; without that column,
-- if it has an error code, which k6 gives for each status from 400 on.
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
    AND value BETWEEN 0 AND 1e11
