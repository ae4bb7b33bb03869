-- One row per run, kind, label and interval; and one with all labels of a kind together, without
-- label. Samples that failed are in it, as in those of JMeter, and counted apart. Percentiles are
-- values that occurred.
SELECT
    tool, run_id, min(file_id) AS file_id, kind, label, interval_no,
    any_value(until_utc) AS time_utc, any_value(since_start_s) AS since_start_s,
    any_value(interval_s) AS interval_s,
    count(*) AS samples, sum(has_failed::BIGINT)::BIGINT AS failed,
    avg(elapsed_ms) AS mean_ms, min(elapsed_ms) AS min_ms, max(elapsed_ms) AS max_ms,
    quantile_disc(elapsed_ms, [0.5, 0.9, 0.95, 0.99]) AS percentiles,
    percentiles[1] AS p50_ms, percentiles[2] AS p90_ms, percentiles[3] AS p95_ms,
    percentiles[4] AS p99_ms
FROM sampled_placed
GROUP BY GROUPING SETS ((tool, run_id, kind, interval_no, label), (tool, run_id, kind, interval_no))
-- What has no label has no row for it.
HAVING label IS NOT NULL OR grouping(label) = 1
