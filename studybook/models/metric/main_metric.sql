-- The main numbers of each run, as the overview draws them. Of labels all together, of hosts the busiest.
-- What benchmarks, and several executions of load drivers, say is of no whole: part has which test or
-- execution it is, and other what else that was told. Rows that differ in either are no repetitions.
-- Of metrics that a study has of its own, part has the host, the label and the like, where a run has several
-- of these.
WITH told AS (
    SELECT
        *, array_to_string([
            if(regexp_full_match(e.value, '[0-9.]+'), replace(e.key, '_', ' ') || ' ', '') || e.value
            for e in map_entries(own) if (e.key <> 'role' OR own['host'] IS NULL)
        ], ', ') AS part
    FROM (
        SELECT run_id, metric, own, coalesce(other, '') AS other, value, false AS of_study
        FROM small_benchmark
        UNION ALL BY NAME
        SELECT
            run_id, 'bandwidth_gb_s' AS metric, MAP {'operation': operation} AS own, test AS other,
            mean_gb_s AS value, false AS of_study
        FROM bandwidth
        UNION ALL BY NAME
        SELECT run_id, metric, own, value, true AS of_study FROM mapped_metric
        UNION ALL BY NAME
        SELECT run_id, metric, own, value, true AS of_study FROM own_metric
    )
),
main AS (
    -- Samples go before what is made of several, and may have pauses in it.
    SELECT
        run_id, metric,
        coalesce(execution, if(min(tool) OVER of_run < max(tool) OVER of_run, tool, NULL)) AS part,
        value
    FROM label_metric
    WHERE (own['label'] = 'all' OR execution IS NOT NULL) AND own['kind'] <> 'page'
        AND metric IN ('requests_per_s', 'response_mean_ms', 'response_p95_ms', 'error_percent')
    WINDOW of_run AS (PARTITION BY run_id)
    QUALIFY execution IS NOT NULL OR row_number() OVER (
        PARTITION BY run_id, metric, execution, tool
        ORDER BY
            list_position(['sample', 'transaction', 'iteration'], own['kind']),
            list_position(['stable phase', 'whole run'], of_part), of_part) = 1
    UNION ALL BY NAME
    -- What the load driver completes is called pages there, whatever it is.
    SELECT run_id, metric, value
    FROM run_metric m
    WHERE metric <> 'active_users'
        AND (metric NOT IN ('pages_per_s', 'response_ms') OR NOT EXISTS (
            FROM label_metric l WHERE l.run_id = m.run_id AND l.own['kind'] <> 'page'))
    UNION ALL BY NAME
    SELECT run_id, metric, max(value) AS value
    FROM host_metric
    WHERE metric IN ('cpu_busy_percent', 'memory_used_percent')
    GROUP BY run_id, metric
    UNION ALL BY NAME
    SELECT run_id, metric, other, value, part FROM told WHERE NOT of_study
    UNION ALL BY NAME
    SELECT run_id, metric, value, if(min(part) OVER own = max(part) OVER own, NULL, part) AS part
    FROM told
    WHERE of_study
    WINDOW own AS (PARTITION BY run_id)
    -- Of more, such as hundreds of requests, no chart has lines that anyone can read.
    QUALIFY count(*) OVER (PARTITION BY run_id, metric) <= 12
)
SELECT
    run_id, metric, coalesce(part, '') AS part, coalesce(other, '') AS other, avg(value) AS value,
    count(*) AS n
FROM main
WHERE value IS NOT NULL
GROUP BY ALL
