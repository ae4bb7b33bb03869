-- Intervals that pgbench and sysbench report as they go. pgbench may print instants; else it is known when
-- they were where run.yml says when the run began. Of several executions only the first began with the run,
-- and some may have run at the same time: so then none is here.
WITH printed AS (
    SELECT
        'pgbench' AS tool, i.file_id, i.run_no, i.line, i.offset_s, i.time_utc,
        i.transactions_per_s AS completed_per_s, i.mean_ms, i.failed AS failed_count,
        NULL::DOUBLE AS failed_per_s, r.connections AS users
    FROM pgbench_interval i
    JOIN pgbench_run r USING (file_id, run_no)
    UNION ALL BY NAME
    SELECT
        'sysbench' AS tool, file_id, run_no, line, offset_s, events_per_s AS completed_per_s,
        errors_per_s AS failed_per_s, threads AS users
    FROM sysbench_interval
    WHERE events_per_s IS NOT NULL
),
alone AS (
    SELECT
        p.*, c.run_id, r.start_utc,
        coalesce(p.time_utc, r.start_utc + to_microseconds((p.offset_s * 1e6)::BIGINT)) AS at_utc
    FROM printed p
    JOIN file_clock c USING (file_id)
    JOIN run r USING (run_id)
    QUALIFY min(p.file_id) OVER (PARTITION BY c.run_id) = max(p.file_id) OVER (PARTITION BY c.run_id)
        AND max(p.run_no) OVER (PARTITION BY c.run_id) = 0
),
stepped AS (
    SELECT
        *,
        -- The first is as long as its offset; of instants nobody knows, but that all are alike.
        coalesce(
            epoch_us(at_utc) - epoch_us(lag(at_utc) OVER own), offset_s * 1e6,
            epoch_us(lead(at_utc) OVER own) - epoch_us(at_utc)) / 1e6 AS interval_s
    FROM alone
    WHERE at_utc IS NOT NULL
    WINDOW own AS (PARTITION BY run_id ORDER BY line)
)
SELECT
    tool, run_id, file_id, line, at_utc AS time_utc,
    (epoch_us(at_utc) - epoch_us(coalesce(start_utc, min(at_utc) OVER own))) / 1e6
        + if(start_utc IS NULL, first_value(interval_s) OVER own, 0) AS since_start_s,
    interval_s, completed_per_s, mean_ms, users, offset_s IS NULL AS is_instant,
    coalesce(failed_count, round(failed_per_s * interval_s))::BIGINT AS failed
FROM stepped
WHERE interval_s > 0
WINDOW own AS (PARTITION BY run_id ORDER BY at_utc, line)
