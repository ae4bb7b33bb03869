-- What the loading report says of each table that run.yml maps.
SELECT
    file_id, host,
    min(at_utc - to_microseconds((coalesce(interval_s, 0) * 1e6)::BIGINT)) AS first_utc, max(at_utc) AS last_utc, clock,
    count(DISTINCT line) AS samples, NULL::DOUBLE AS interval_s, NULL::BIGINT AS gaps,
    NULL::BIGINT AS restarts, NULL::BIGINT AS resets
FROM mapped_sample
GROUP BY file_id, host, clock
