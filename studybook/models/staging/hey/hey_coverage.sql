-- What the loading report says of each file of hey that has times.
SELECT
    file_id, host, min(begin_utc) AS first_utc, max(end_utc) AS last_utc, clock,
    count(*) AS samples, NULL::DOUBLE AS interval_s, NULL::BIGINT AS gaps,
    NULL::BIGINT AS restarts, NULL::BIGINT AS resets
FROM hey_ended
GROUP BY file_id, host, clock
