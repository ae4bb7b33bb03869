-- The run as a whole: the last row of each name; since the statistics were reset, if they were.
WITH ending AS (
    SELECT
        run_id, file_id, host, at_utc, if(is_total, NULL, concat_ws(' ', method, name)) AS name,
        total_requests::DOUBLE AS completed, total_failures::DOUBLE AS failed,
        total_mean_ms AS average, total_min_ms AS minimum, total_max_ms AS maximum,
        if(has_full_history, total_median_ms, p50_ms) AS "percentile 50",
        if(has_full_history, NULL, p90_ms) AS "percentile 90",
        if(has_full_history, NULL, p95_ms) AS "percentile 95",
        if(has_full_history, NULL, p99_ms) AS "percentile 99",
        (epoch_ms(at_utc) - epoch_ms(first_utc)) / 1000 AS since_start_s
    FROM locust_added
    QUALIFY row_number() OVER (
        PARTITION BY file_id, is_total, method, locust_added.name ORDER BY line DESC) = 1
),
long AS (
    UNPIVOT (FROM ending WHERE completed > 0)
    ON completed, failed, average, minimum, maximum,
        "percentile 50", "percentile 90", "percentile 95", "percentile 99"
    INTO NAME statistic VALUE value
)
SELECT
    'locust' AS tool, run_id, file_id, host, 'Default Time Range' AS time_range, 'sample' AS kind,
    name, if(statistic IN ('completed', 'failed'), statistic, 'response time') AS measure,
    if(statistic IN ('completed', 'failed'), 'count', statistic) AS statistic,
    if(statistic IN ('completed', 'failed'), 'count', 'ms') AS unit,
    value, since_start_s
FROM long
