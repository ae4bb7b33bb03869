-- What the loading report says of each file of k6.
SELECT
    file_id, host, min(at_utc) AS first_utc, max(at_utc) AS last_utc, clock,
    count(*) FILTER (metric = 'http_req_duration') AS samples, NULL::DOUBLE AS interval_s,
    NULL::BIGINT AS gaps, NULL::BIGINT AS restarts, NULL::BIGINT AS resets
FROM k6_value
GROUP BY file_id, host, clock
