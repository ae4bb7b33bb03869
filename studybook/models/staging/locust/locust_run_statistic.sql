-- The run as a whole: what Locust writes of it at its end; of names that are not there, the last row of
-- each in its history. Both are since the statistics were reset, if they were. Of a run without a
-- history, all requests together are in load_run.
WITH total AS (
    SELECT
        c.run_id, t.file_id,
        if(count(DISTINCT c.file_id) OVER (PARTITION BY c.run_id) = 1, 'all hosts',
           coalesce(c.host, c.file)) AS host,
        if(is_total, NULL, concat_ws(' ', method, name)) AS name, requests::DOUBLE AS completed,
        failures::DOUBLE AS failed, requests_per_s AS rate, mean_ms AS average, min_ms AS minimum,
        max_ms AS maximum, p50_ms AS "percentile 50", p90_ms AS "percentile 90",
        p95_ms AS "percentile 95", p99_ms AS "percentile 99"
    FROM locust_total t
    JOIN file_clock c USING (file_id)
    WHERE requests > 0 AND (NOT is_total OR c.run_id IN (SELECT run_id FROM locust_added))
),
history AS (
    SELECT
        run_id, file_id, host, if(is_total, NULL, concat_ws(' ', method, name)) AS name,
        total_requests::DOUBLE AS completed, total_failures::DOUBLE AS failed,
        total_mean_ms AS average, total_min_ms AS minimum, total_max_ms AS maximum,
        if(has_full_history, total_median_ms, p50_ms) AS "percentile 50",
        if(has_full_history, NULL, p90_ms) AS "percentile 90",
        if(has_full_history, NULL, p95_ms) AS "percentile 95",
        if(has_full_history, NULL, p99_ms) AS "percentile 99",
        (epoch_ms(at_utc) - epoch_ms(first_utc)) / 1000 AS since_start_s
    FROM locust_added
    WHERE (run_id, if(is_total, '', concat_ws(' ', method, locust_added.name)))
        NOT IN (SELECT (run_id, coalesce(total.name, '')) FROM total)
    QUALIFY row_number() OVER (
        PARTITION BY file_id, is_total, method, locust_added.name ORDER BY line DESC) = 1
),
long AS (
    UNPIVOT (
        FROM (
            FROM total
            UNION ALL BY NAME
            FROM history
        )
        WHERE completed > 0
    )
    ON completed, failed, rate, average, minimum, maximum,
        "percentile 50", "percentile 90", "percentile 95", "percentile 99"
    INTO NAME statistic VALUE value
)
SELECT
    'locust' AS tool, run_id, file_id, host, 'Default Time Range' AS time_range, 'sample' AS kind,
    name,
    CASE
        WHEN statistic IN ('completed', 'failed') THEN statistic
        WHEN statistic = 'rate' THEN 'completed'
        ELSE 'response time'
    END AS measure,
    if(statistic IN ('completed', 'failed'), 'count', statistic) AS statistic,
    CASE
        WHEN statistic IN ('completed', 'failed') THEN 'count'
        WHEN statistic = 'rate' THEN 'per s'
        ELSE 'ms'
    END AS unit,
    value, since_start_s
FROM long
