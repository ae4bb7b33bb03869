-- Virtual users of each interval, as its last row says.
SELECT
    tool, run_id, file_id, host, time_utc, since_start_s, interval_s, users::DOUBLE AS active
FROM locust_interval
WHERE label IS NULL
