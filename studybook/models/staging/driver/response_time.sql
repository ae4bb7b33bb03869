-- Mean response times of intervals. hits: how many pages, samples, … were completed in the
-- interval, of which this is the mean; NULL if the export does not say.
FROM rpt_response_time
UNION ALL BY NAME
SELECT
    tool, run_id, file_id, 'all hosts' AS host, time_utc, since_start_s, interval_s,
    kind, label AS name, if(kind = 'sample', 'response time', 'elapsed time') AS measure,
    mean_ms, samples AS hits, failed, min_ms, max_ms, p50_ms, p90_ms, p95_ms, p99_ms
FROM driver_sample_interval
UNION ALL BY NAME
FROM locust_response_time
UNION ALL BY NAME
SELECT
    tool, run_id, file_id, 'all hosts' AS host, time_utc, since_start_s, interval_s,
    'sample' AS kind, 'response time' AS measure, mean_ms,
    round(completed_per_s * interval_s)::BIGINT AS hits, failed
FROM progress_interval
WHERE mean_ms IS NOT NULL
