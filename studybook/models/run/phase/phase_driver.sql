-- Pages (samples, transactions) per second, their response time, and the users meanwhile.
SELECT
    d.run_id, d.kind, mean_over_time(d.completed_per_s, d.interval_s) AS completed_per_s,
    coalesce(
        sum(d.response_ms * d.completed_per_s * d.interval_s)
            / sum(d.completed_per_s * d.interval_s) FILTER (d.response_ms IS NOT NULL),
        -- sysbench says none of intervals: that of the whole.
        any_value(s.mean_ms)
    ) AS response_ms,
    mean_over_time(d.users, d.interval_s) AS users, count(*) AS intervals
FROM driver_interval d
JOIN stable_phase p USING (run_id)
LEFT JOIN (
    SELECT run_id, mean_ms
    FROM load_run
    WHERE tool = 'sysbench' AND executions = 1
        AND file_id IN (SELECT file_id FROM progress_interval)
) s USING (run_id)
WHERE within_phase(d.time_utc, d.interval_s, p.from_utc, p.to_utc)
GROUP BY d.run_id, d.kind
UNION ALL
-- A driver that keeps no intervals, but sums up the one execution of the run.
SELECT run_id, 'sample', requests_per_s, mean_ms, NULL, 1
FROM load_run
WHERE executions = 1 AND requests_per_s IS NOT NULL
    -- What a test of a machine does in a second is no throughput of a system.
    AND (tool <> 'sysbench' OR label = 'SQL')
    AND run_id NOT IN (SELECT run_id FROM driver_interval)
