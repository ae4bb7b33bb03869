-- One row per run, kind, label and interval; and one with all labels of a kind together, without
-- label. Samples that failed are in it, as in JMeter's own reports. Percentiles are values that
-- occurred; where rows are sums of several samples there are none, nor extremes.
SELECT
    run_id, min(file_id) AS file_id, kind, label, interval_no,
    any_value(until_utc) AS time_utc, any_value(since_start_s) AS since_start_s,
    any_value(interval_s) AS interval_s,
    sum(samples)::BIGINT AS samples, sum(failed)::BIGINT AS failed,
    sum(elapsed_ms) / sum(samples) AS mean_ms,
    if(max(samples) = 1, min(elapsed_ms), NULL) AS min_ms,
    if(max(samples) = 1, max(elapsed_ms), NULL) AS max_ms,
    if(max(samples) = 1, quantile_disc(elapsed_ms, [0.5, 0.9, 0.95, 0.99]), NULL) AS percentiles,
    percentiles[1] AS p50_ms, percentiles[2] AS p90_ms, percentiles[3] AS p95_ms,
    percentiles[4] AS p99_ms,
    -- Of the samples that have them; where a row is the sum of several, so are these.
    sum(latency_ms) / sum(samples) FILTER (latency_ms IS NOT NULL) AS latency_ms,
    sum(connect_ms) / sum(samples) FILTER (connect_ms IS NOT NULL) AS connect_ms,
    sum(bytes_received)::DOUBLE AS bytes_received, sum(bytes_sent)::DOUBLE AS bytes_sent
FROM jtl_placed
GROUP BY GROUPING SETS ((run_id, kind, interval_no, label), (run_id, kind, interval_no))
-- A file without labels has no row for them.
HAVING label IS NOT NULL OR grouping(label) = 1
