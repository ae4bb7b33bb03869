-- Batches of the stable phase of a run, one after the other: how much a metric scatters within the
-- run. Batches of a metric have the same number of intervals, three at least; or of single samples,
-- five at least beyond a percentile, and ten for a mean. There are 20 batches at most, and none
-- where that would make fewer than ten. factors are those of the value in the model metric.
--
-- A label has many intervals, and so has a host or a program: they become a map of factors only where
-- these are batches.
WITH series AS (
    SELECT
        run_id, 'response_ms' AS metric, MAP {}::MAP(VARCHAR, VARCHAR) AS own, time_utc, interval_s,
        completed_per_s * interval_s AS weight, response_ms AS value
    FROM driver_interval
    UNION ALL BY NAME
    SELECT
        run_id, 'pages_per_s' AS metric, MAP {}::MAP(VARCHAR, VARCHAR) AS own, time_utc, interval_s,
        interval_s AS weight, completed_per_s AS value
    FROM driver_interval
    UNION ALL BY NAME
    SELECT
        run_id, 'requests_per_s' AS metric, coalesce(name, 'all') AS label, kind, time_utc,
        any_value(interval_s) AS interval_s, any_value(interval_s) AS weight,
        sum(completed_per_s) AS value
    FROM (
        FROM throughput
        WHERE kind <> 'run' AND completed_per_s IS NOT NULL
        QUALIFY of_all(
            host = 'all hosts', bool_or(host = 'all hosts') OVER (PARTITION BY run_id, tool, kind))
    )
    GROUP BY run_id, name, kind, time_utc
    UNION ALL BY NAME
    SELECT
        run_id, 'cpu_busy_percent' AS metric, host, tool, time_utc, interval_s,
        interval_s AS weight, busy_percent AS value
    FROM cpu_use
    WHERE cpu = 'all'
    UNION ALL BY NAME
    SELECT
        run_id, 'memory_used_percent' AS metric, host, tool, time_utc, interval_s,
        interval_s AS weight,
        100 * (1 - coalesce(available_kib, free_kib + buffers_kib + cached_kib)
            / nullif(total_kib, 0)) AS value
    FROM memory
    UNION ALL BY NAME
    SELECT
        run_id, 'context_switches_per_s' AS metric, host, tool, time_utc, interval_s,
        interval_s AS weight, context_switches_per_s AS value
    FROM context_switch
    UNION ALL BY NAME
    SELECT
        run_id, 'runnable_tasks' AS metric, host, tool, time_utc, interval_s,
        interval_s AS weight, run_queue AS value
    FROM run_queue
    UNION ALL BY NAME
    SELECT
        run_id, 'program_cpus' AS metric, host, program, 'pidstat' AS tool, time_utc, interval_s,
        interval_s AS weight, cpu_percent / 100 AS value
    FROM process_use
    UNION ALL BY NAME
    -- Rows of tables do not say how long they are: each counts as much as the others. Those of
    -- counters do.
    SELECT
        s.run_id, s.metric, s.own, s.at_utc AS time_utc, coalesce(s.interval_s, 1) AS weight,
        s.value
    FROM mapped_sample s
    JOIN stable_phase p USING (run_id)
    WHERE s.statistic = 'mean' AND row_within_phase(s.at_utc, s.begins, s.interval_s, p.from_utc, p.to_utc)
),
interval_of_phase AS (
    SELECT
        s.*, row_number() OVER (one ORDER BY time_utc) - 1 AS place, count(*) OVER one AS size,
        least(20, size // 3) AS batches
    FROM series s
    JOIN stable_phase p USING (run_id)
    WHERE s.value IS NOT NULL AND s.weight > 0
        AND (s.interval_s IS NULL
            OR within_phase(s.time_utc, s.interval_s, p.from_utc, p.to_utc, s.tool))
    WINDOW one AS (PARTITION BY run_id, metric, label, kind, host, program, own)
),
-- Single samples, as load drivers keep them. Rows that are sums of several say nothing of one.
ended AS (
    SELECT
        run_id, kind, label, until_utc, interval_s, end_utc,
        elapsed_ms::DOUBLE AS elapsed_ms, failed > 0 AS has_failed
    FROM jtl_placed
    QUALIFY max(samples) OVER (PARTITION BY run_id) = 1
    UNION ALL
    SELECT
        run_id, kind, label, until_utc, interval_s, end_utc, elapsed_ms, has_failed
    FROM sampled_placed
),
-- Each by its label, and all of a kind together as all.
sample AS (
    SELECT
        e.run_id, e.kind, unnest(if(e.label IS NULL, ['all'], [e.label, 'all'])) AS label,
        e.end_utc, e.elapsed_ms, e.has_failed
    FROM ended e
    JOIN stable_phase p USING (run_id)
    WHERE within_phase(e.until_utc, e.interval_s, p.from_utc, p.to_utc)
),
sample_of_phase AS (
    SELECT
        *, row_number() OVER (one ORDER BY end_utc, elapsed_ms, has_failed) - 1 AS place,
        count(*) OVER one AS size
    FROM sample
    WINDOW one AS (PARTITION BY run_id, kind, label)
),
-- As many batches as one of the metrics allows; of a large run that is 20 for all of them.
divided AS (
    SELECT
        run_id, kind, label, elapsed_ms, has_failed, place, size,
        unnest(list_distinct([
            least(20, size * (100 - 50) // 500), least(20, size * (100 - 90) // 500),
            least(20, size * (100 - 95) // 500), least(20, size * (100 - 99) // 500)])) AS batches
    FROM sample_of_phase
),
batch AS (
    SELECT
        run_id, kind, label, size, batches, place * batches // size AS batch, count(*) AS values,
        quantile_disc(elapsed_ms, [0.5, 0.9, 0.95, 0.99]) AS percentiles,
        avg(elapsed_ms) AS mean_ms, 100 * avg(has_failed::INTEGER) AS error_percent
    FROM divided
    WHERE batches >= 10
    GROUP BY run_id, kind, label, size, batches, batch
),
of_label AS (
    SELECT run_id, part.metric, label, kind, batch, values, part.value
    FROM (
        SELECT *, unnest([
            {metric: 'response_p50_ms', beyond: 50, value: percentiles[1]},
            {metric: 'response_p90_ms', beyond: 10, value: percentiles[2]},
            {metric: 'response_p95_ms', beyond: 5, value: percentiles[3]},
            {metric: 'response_p99_ms', beyond: 1, value: percentiles[4]},
            {metric: 'response_mean_ms', beyond: 50, value: mean_ms},
            {metric: 'error_percent', beyond: 50, value: error_percent}
        ]) AS part
        FROM batch
    )
    WHERE batches = least(20, size * part.beyond // 500)
),
found AS (
    SELECT
        run_id, metric, label, kind, host, program, own, place * batches // size AS batch,
        count(*) AS values, sum(weight * value) / sum(weight) AS value
    FROM interval_of_phase
    WHERE batches >= 10
    GROUP BY run_id, metric, label, kind, host, program, own, batch
    UNION ALL BY NAME
    FROM of_label
)
SELECT
    f.run_id, f.metric,
    map_concat(r.factors, CASE
        WHEN f.own IS NOT NULL THEN f.own
        WHEN f.program IS NOT NULL
            THEN map_concat(host_and_role(f.host, h.role), MAP {'program': f.program})
        WHEN f.host IS NOT NULL THEN host_and_role(f.host, h.role)
        ELSE MAP {'label': f.label, 'kind': f.kind}
    END) AS factors,
    f.batch, f.values, f.value
FROM found f
JOIN run_factors r USING (run_id)
LEFT JOIN host h USING (run_id, host)
