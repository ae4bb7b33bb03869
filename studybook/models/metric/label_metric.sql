-- What load drivers say of each label: percentiles of the response time, its mean and maximum, requests
-- per second and the share of errors. own has the label ('all' for all of a kind together) and the kind.
--
-- Where the driver keeps single samples, of the stable phase. RPT, Locust and pgbench keep intervals: their rates
-- and means are of the stable phase, but percentiles, maximum and errors are what they print of the
-- whole run, for percentiles of intervals can not be put together. Of drivers that sum up an execution,
-- of that. test says which: values that differ in it are no repetitions of one another. Nor are
-- executions in several files, which may have run at the same time, but where their names say that they are;
-- nor those in one file that have other numbers of connections, or of which the file does not say how many
-- they had; execution names them.
WITH sampled AS (
    SELECT
        run_id, tool, kind, label, 'stable phase' AS of_part, p50_ms, p90_ms, p95_ms, p99_ms, max_ms,
        mean_ms, completed_per_s AS requests_per_s, 100 * failed / samples AS error_percent
    FROM phase_label
),
rate AS (
    SELECT run_id, tool, kind, name AS label, sum(requests_per_s) AS requests_per_s
    FROM (
        SELECT
            t.run_id, t.tool, t.kind, t.name, t.host,
            mean_over_time(t.completed_per_s, t.interval_s) AS requests_per_s
        FROM (
            FROM throughput
            WHERE tool IN ('rpt', 'locust', 'pgbench') AND kind <> 'run' AND interval_s > 0
                AND completed_per_s IS NOT NULL
            QUALIFY of_all(
                host = 'all hosts',
                bool_or(host = 'all hosts') OVER (PARTITION BY run_id, tool, kind))
        ) t
        JOIN stable_phase p USING (run_id)
        WHERE within_phase(t.time_utc, t.interval_s, p.from_utc, p.to_utc)
        GROUP BY ALL
    )
    GROUP BY ALL
),
mean AS (
    SELECT
        t.run_id, t.tool, t.kind, t.name AS label,
        sum(t.mean_ms * t.hits) / sum(t.hits) AS mean_ms
    FROM (
        FROM response_time
        WHERE tool IN ('rpt', 'locust', 'pgbench') AND hits > 0 AND mean_ms IS NOT NULL
        QUALIFY of_all(
                host = 'all hosts',
                bool_or(host = 'all hosts') OVER (PARTITION BY run_id, tool, kind))
            -- The elapsed time of a transaction goes before its net server time.
            AND measure = min(measure) OVER (PARTITION BY run_id, tool, kind)
    ) t
    JOIN stable_phase p USING (run_id)
    WHERE within_phase(t.time_utc, t.interval_s, p.from_utc, p.to_utc)
    GROUP BY ALL
),
phase AS (
    SELECT *, 'stable phase' AS of_part
    FROM rate
    FULL JOIN mean USING (run_id, tool, kind, label)
    WHERE label IS NOT NULL
    UNION ALL BY NAME
    SELECT r.*, m.mean_ms, 'stable phase' AS of_part
    FROM (FROM rate WHERE label IS NULL) r
    LEFT JOIN (FROM mean WHERE label IS NULL) m USING (run_id, tool, kind)
),
whole AS (
    SELECT
        run_id, tool, kind, name AS label,
        if(time_range = 'Default Time Range', 'whole run', time_range) AS of_part,
        any_value(value) FILTER (is_time AND statistic = 'percentile 50') AS p50_ms,
        any_value(value) FILTER (is_time AND statistic = 'percentile 90') AS p90_ms,
        any_value(value) FILTER (is_time AND statistic = 'percentile 95') AS p95_ms,
        any_value(value) FILTER (is_time AND statistic = 'percentile 99') AS p99_ms,
        any_value(value) FILTER (is_time AND statistic = 'maximum') AS max_ms,
        any_value(value) FILTER (is_time AND statistic = 'average') AS of_all_mean_ms,
        any_value(value) FILTER (measure = 'completed' AND statistic = 'rate') AS of_all_per_s,
        any_value(value) FILTER (measure = 'failed') AS failed,
        any_value(value) FILTER (measure = 'completed' AND statistic = 'count') AS completed,
        -- RPT: pages that were asked for, and those whose answer was as it should be.
        any_value(value) FILTER (measure = 'attempts' AND statistic = 'count') AS attempts,
        any_value(value) FILTER (measure = 'goodness' AND statistic = 'count') AS good,
        if(tool = 'rpt', 100 * greatest(1 - good / nullif(attempts, 0), 0),
           100 * failed / nullif(completed, 0)) AS error_percent
    FROM (
        SELECT *, measure IN ('response time', 'elapsed time') AND unit = 'ms' AS is_time
        FROM run_statistic
        WHERE tool IN ('rpt', 'locust') AND kind <> 'run'
            -- Those are in summed.
            AND (name IS NOT NULL
                 OR (run_id, tool) NOT IN (SELECT (run_id, tool) FROM load_run))
        QUALIFY of_all(
            host = 'all hosts', bool_or(host = 'all hosts') OVER (PARTITION BY run_id, tool, kind))
    )
    GROUP BY run_id, tool, kind, name, time_range
    -- Of several drivers, each has percentiles of its own part.
    HAVING count(DISTINCT host) = 1 AND (tool = 'rpt' OR count(DISTINCT file_id) = 1)
),
summed AS (
    SELECT
        run_id, tool, 'sample' AS kind, p50_ms, p90_ms, p95_ms, p99_ms, max_ms, mean_ms,
        requests_per_s, 100 * failed / nullif(attempts, 0) AS error_percent,
        -- One execution is all of the run; several are told apart by their file where by nothing else.
        unnest(CASE
            -- Its tests have nothing in common: there are no requests of all kinds.
            WHEN executions > 1 OR tool = 'sysbench' THEN [coalesce(label, file)]
            -- The only script of pgbench is all; of several, it says of each by itself.
            WHEN label IS NULL OR tool = 'pgbench' THEN [NULL]
            ELSE [NULL, label]
        END) AS label,
        if(executions > 1,
           concat_ws(', ', host, file, coalesce(connections || ' connections', 'line ' || line)),
           NULL) AS which,
        concat_ws(', ', 'whole run', which) AS of_part,
        nullif(concat_ws(', ', if(tool = 'sysbench', label, NULL), which), '') AS execution
    -- Runs of other names have files of the same names.
    FROM (
        SELECT * REPLACE (name_of_repetitions(name_in_run(file, run_id)) AS file) FROM load_run
    )
),
-- Several scripts of the only execution of pgbench in a run, and its whole.
script AS (
    SELECT
        e.run_id, e.tool, 'sample' AS kind, s.name AS label, 'whole run' AS of_part, s.mean_ms,
        s.transactions_per_s AS requests_per_s,
        100 * s.failed / nullif(s.transactions + s.failed, 0) AS error_percent
    FROM load_run e
    JOIN pgbench_script s USING (file_id, run_no)
    WHERE e.tool = 'pgbench' AND e.executions = 1
    QUALIFY count(*) OVER (PARTITION BY e.run_id, s.name) = 1
),
wide AS (
    FROM sampled
    UNION ALL BY NAME
    FROM script
    UNION ALL BY NAME
    SELECT run_id, tool, kind, label, of_part, mean_ms, requests_per_s FROM phase
    UNION ALL BY NAME
    SELECT
        run_id, tool, kind, label, of_part, p50_ms, p90_ms, p95_ms, p99_ms, max_ms, error_percent
    FROM whole
    UNION ALL BY NAME
    -- Of names that no interval tells of.
    SELECT
        run_id, tool, kind, label, of_part, of_all_mean_ms AS mean_ms,
        of_all_per_s AS requests_per_s
    FROM whole
    WHERE of_all_per_s IS NOT NULL
        AND (run_id, coalesce(label, '')) NOT IN (SELECT (run_id, coalesce(label, '')) FROM phase)
    UNION ALL BY NAME
    SELECT * REPLACE (
        if(in_phase, NULL, mean_ms) AS mean_ms, if(in_phase, NULL, requests_per_s) AS requests_per_s)
    FROM (
        SELECT *, label IS NULL AND (run_id, tool) IN (SELECT (run_id, tool) FROM phase) AS in_phase
        FROM summed
    )
),
long AS (
    UNPIVOT (
        SELECT
            run_id, tool, kind, label, of_part, execution, p50_ms AS response_p50_ms,
            p90_ms AS response_p90_ms, p95_ms AS response_p95_ms, p99_ms AS response_p99_ms,
            max_ms AS response_max_ms, mean_ms AS response_mean_ms,
            requests_per_s::DOUBLE AS requests_per_s, error_percent::DOUBLE AS error_percent
        FROM wide
    )
    ON response_p50_ms, response_p90_ms, response_p95_ms, response_p99_ms, response_max_ms,
        response_mean_ms, requests_per_s, error_percent
    INTO NAME metric VALUE value
)
SELECT
    run_id, metric, MAP {'label': coalesce(label, 'all'), 'kind': kind} AS own, value, tool, of_part,
    concat_ws(', ', coalesce(label, 'all of kind ' || kind), tool, of_part) AS test,
    tool || ', ' || execution AS execution
FROM long
