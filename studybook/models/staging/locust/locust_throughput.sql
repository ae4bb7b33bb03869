-- Completions per second of each interval.
SELECT
    tool, run_id, file_id, host, time_utc, since_start_s, interval_s, 'sample' AS kind,
    label AS name, samples / interval_s AS completed_per_s
FROM locust_interval
