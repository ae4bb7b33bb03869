-- Mean response times of intervals in which requests ended.
SELECT
    tool, run_id, file_id, host, time_utc, since_start_s, interval_s, 'sample' AS kind,
    label AS name, 'response time' AS measure, mean_ms, samples AS hits, failed,
    p50_ms, p90_ms, p95_ms, p99_ms
FROM locust_interval
WHERE samples > 0
