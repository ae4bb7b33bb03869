-- Statistics of the run as a whole, its ramp-up included. Percentiles are values that occurred.
WITH distribution AS (
    SELECT 'jtl' AS tool, * FROM jtl_distribution
    UNION ALL BY NAME
    FROM sampled_distribution
),
wide AS (
    SELECT
        tool, run_id, kind, label, min(file_id) AS file_id, max(since_start_s) AS since_start_s,
        sum(rows * samples)::DOUBLE AS completed, sum(failed)::DOUBLE AS failed,
        sum(rows * elapsed_ms) / sum(rows * samples) AS average,
        max(samples) = 1 AS single,
        if(single, min(elapsed_ms), NULL)::DOUBLE AS minimum,
        if(single, max(elapsed_ms), NULL)::DOUBLE AS maximum,
        if(single, pooled_sd(rows, elapsed_ms::DOUBLE, 0), NULL) AS standard_deviation,
        if(single, rank_at(elapsed_ms, up_to, of_all, 0.50), NULL) AS "percentile 50",
        if(single, rank_at(elapsed_ms, up_to, of_all, 0.90), NULL) AS "percentile 90",
        if(single, rank_at(elapsed_ms, up_to, of_all, 0.95), NULL) AS "percentile 95",
        if(single, rank_at(elapsed_ms, up_to, of_all, 0.99), NULL) AS "percentile 99"
    FROM distribution
    GROUP BY tool, run_id, kind, label
),
long AS (
    UNPIVOT wide
    ON completed, failed, average, minimum, maximum, standard_deviation,
        "percentile 50", "percentile 90", "percentile 95", "percentile 99"
    INTO NAME statistic VALUE value
),
-- Several executions in a run are no one whole: each is a range of time.
summed AS (
    UNPIVOT (
        SELECT
            tool, run_id, file_id, label, duration_s, line,
            if(executions = 1, 'Default Time Range', file || ', line ' || line) AS time_range,
            completed::DOUBLE AS completed, failed::DOUBLE AS failed, mean_ms AS average,
            min_ms AS minimum, max_ms AS maximum, sd_ms AS standard_deviation,
            p50_ms AS "percentile 50", p90_ms AS "percentile 90", p95_ms AS "percentile 95",
            p99_ms AS "percentile 99"
        FROM load_run
    )
    ON completed, failed, average, minimum, maximum, standard_deviation,
        "percentile 50", "percentile 90", "percentile 95", "percentile 99"
    INTO NAME statistic VALUE value
)
FROM rpt_run_statistic
UNION ALL BY NAME
SELECT
    tool, run_id, file_id, 'all hosts' AS host, 'Default Time Range' AS time_range, kind,
    label AS name,
    CASE
        WHEN statistic IN ('completed', 'failed') THEN statistic
        WHEN kind = 'sample' THEN 'response time'
        ELSE 'elapsed time'
    END AS measure,
    if(statistic IN ('completed', 'failed'), 'count', statistic) AS statistic,
    if(statistic IN ('completed', 'failed'), 'count', 'ms') AS unit,
    value, since_start_s
FROM long
UNION ALL BY NAME
FROM locust_run_statistic
UNION ALL BY NAME
SELECT
    tool, run_id, file_id, 'all hosts' AS host, time_range, 'sample' AS kind, label AS name,
    if(statistic IN ('completed', 'failed'), statistic, 'response time') AS measure,
    if(statistic IN ('completed', 'failed'), 'count', statistic) AS statistic,
    if(statistic IN ('completed', 'failed'), 'count', 'ms') AS unit,
    value, duration_s AS since_start_s
FROM summed
