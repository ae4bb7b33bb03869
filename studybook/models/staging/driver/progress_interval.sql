-- Intervals that pgbench and sysbench report as they go. pgbench may print instants; else it is known when
-- they were where run.yml says when the run began, with the only execution in it: of several, only the
-- first began with the run. Intervals of executions that ran at the same time are of no whole: none is here.
WITH printed AS (
    SELECT
        'pgbench' AS tool, file_id, run_no, line, offset_s, time_utc,
        transactions_per_s AS completed_per_s, mean_ms, failed AS failed_count,
        NULL::DOUBLE AS failed_per_s, NULL::BIGINT AS threads
    FROM pgbench_interval
    UNION ALL BY NAME
    SELECT
        'sysbench' AS tool, file_id, run_no, line, offset_s, events_per_s AS completed_per_s,
        errors_per_s AS failed_per_s, threads, percent, response_ms
    FROM sysbench_interval
    WHERE events_per_s IS NOT NULL
),
-- Progress of pgbench goes to the standard error, perhaps into a file of its own: what has no clients is no
-- execution by itself.
execution AS (
    SELECT f.run_id, count(*) AS executions, any_value(e.clients) AS clients
    FROM (
        SELECT file_id, connections AS clients FROM pgbench_run WHERE connections IS NOT NULL
        UNION ALL
        SELECT file_id, threads FROM sysbench_run WHERE status <> 'failed'
    ) e
    JOIN raw_file f USING (file_id)
    GROUP BY f.run_id
),
placed AS (
    SELECT
        p.*, c.run_id, r.start_utc, e.executions, e.clients,
        coalesce(p.time_utc, r.start_utc + to_microseconds((p.offset_s * 1e6)::BIGINT)) AS at_utc,
        (epoch_us(at_utc) - epoch_us(lag(at_utc) OVER (
            PARTITION BY c.run_id, p.file_id, p.run_no ORDER BY p.line))) / 1e6 AS since_before_s
    FROM printed p
    JOIN file_clock c USING (file_id)
    JOIN run r USING (run_id)
    LEFT JOIN execution e USING (run_id)
    WHERE at_utc IS NOT NULL
),
stepped AS (
    SELECT
        *, median(since_before_s) OVER own AS step_s,
        -- The first begins with the execution, unless the beginning of the file is missing.
        coalesce(since_before_s, if(offset_s > 1.5 * step_s, step_s, coalesce(offset_s, step_s)))
            AS interval_s
    FROM placed
    WINDOW own AS (PARTITION BY run_id, file_id, run_no)
),
extent AS (
    SELECT
        run_id, file_id, run_no, bool_or(offset_s IS NOT NULL) AS by_start,
        min(at_utc - to_microseconds((interval_s * 1e6)::BIGINT)) AS from_utc, max(at_utc) AS to_utc
    FROM stepped
    GROUP BY run_id, file_id, run_no
),
course AS (
    SELECT run_id, count(*) AS courses, bool_or(by_start) AS by_start, bool_or(together) AS together
    FROM (
        SELECT *, from_utc < max(to_utc) OVER (
            PARTITION BY run_id ORDER BY from_utc, to_utc, file_id, run_no
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS together
        FROM extent
    )
    GROUP BY run_id
)
SELECT
    tool, run_id, file_id, line, at_utc AS time_utc,
    (epoch_us(at_utc) - epoch_us(coalesce(start_utc, min(at_utc) OVER own))) / 1e6
        + if(start_utc IS NULL, first_value(interval_s) OVER own, 0) AS since_start_s,
    interval_s, completed_per_s, mean_ms,
    -- Its user says which percentile sysbench reports.
    if(percent = 50, response_ms, NULL) AS p50_ms, if(percent = 90, response_ms, NULL) AS p90_ms,
    if(percent = 95, response_ms, NULL) AS p95_ms, if(percent = 99, response_ms, NULL) AS p99_ms,
    coalesce(threads, if(executions = 1, clients, NULL)) AS users,
    offset_s IS NULL AS is_instant,
    coalesce(failed_count, round(failed_per_s * interval_s))::BIGINT AS failed
FROM stepped
JOIN course c USING (run_id)
WHERE interval_s > 0 AND NOT coalesce(c.together, false)
    AND (NOT c.by_start OR c.courses = 1 AND coalesce(executions, 1) = 1)
WINDOW own AS (PARTITION BY run_id ORDER BY at_utc, line)
