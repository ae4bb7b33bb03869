-- How response times of operations are spread, where the load driver keeps single samples: one row
-- per run and group of operations, as phase_operation has them. Percentiles are values that occurred.
WITH single AS (
    SELECT run_id, kind, label, elapsed_ms, end_utc FROM jtl_ended WHERE samples = 1
    UNION ALL
    SELECT run_id, kind, label, elapsed_ms, end_utc FROM sampled_ended
),
named AS (
    SELECT
        s.run_id, left(s.label, 2) AS engine, operation_group(s.label) AS operation, s.kind,
        s.elapsed_ms
    FROM single s
    JOIN stable_phase p USING (run_id)
    WHERE regexp_matches(s.label, '^(CE|PE) ') AND s.elapsed_ms IS NOT NULL
        -- A stable phase begins and ends with an interval of 10 seconds, the end of which is not
        -- in it but in the next.
        AND s.end_utc >= p.from_utc AND s.end_utc < p.to_utc
    QUALIFY s.kind = min(s.kind) OVER (PARTITION BY s.run_id)
)
SELECT
    run_id, engine, operation, quantile_disc(elapsed_ms, 0.5) AS p50_ms,
    quantile_disc(elapsed_ms, 0.95) AS p95_ms, count(*) AS samples
FROM named
GROUP BY run_id, engine, operation
