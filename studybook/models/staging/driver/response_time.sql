-- Response times of intervals. hits: how many pages, samples, … were completed in the interval, of
-- which mean_ms is the mean; NULL if the export does not say. attempts: those that failed, too.
FROM rpt_response_time
UNION ALL BY NAME
SELECT
    tool, run_id, file_id, 'all hosts' AS host, time_utc, since_start_s, interval_s,
    kind, label AS name, if(kind = 'sample', 'response time', 'elapsed time') AS measure,
    mean_ms, samples AS hits, samples AS attempts, failed, min_ms, max_ms, p50_ms, p90_ms, p95_ms, p99_ms
FROM driver_sample_interval
UNION ALL BY NAME
SELECT *, hits AS attempts
FROM locust_response_time
UNION ALL BY NAME
SELECT
    tool, run_id, file_id, 'all hosts' AS host, time_utc, since_start_s, interval_s,
    'sample' AS kind, 'response time' AS measure, mean_ms,
    -- Not rounded: else means would not be weighed as rates are.
    completed_per_s * interval_s AS hits, hits + failed AS attempts, failed,
    p50_ms, p90_ms, p95_ms, p99_ms
FROM progress_interval
WHERE coalesce(mean_ms, p50_ms, p90_ms, p95_ms, p99_ms, failed) IS NOT NULL
