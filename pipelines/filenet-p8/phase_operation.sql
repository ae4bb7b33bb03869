-- One row per run and group. The mean counts each operation once, a large group more than a small.
WITH named AS (
    SELECT
        r.run_id, left(r.name, 2) AS engine, operation_group(r.name) AS operation, r.kind,
        r.mean_ms, r.hits
    FROM response_time r
    JOIN stable_phase p USING (run_id)
    WHERE r.hits > 0 AND regexp_matches(r.name, '^(CE|PE) ')
        AND within_phase(r.time_utc, r.interval_s, p.from_utc, p.to_utc)
    -- A driver that tells of requests and of what groups them says everything twice.
    QUALIFY r.kind = min(r.kind) OVER (PARTITION BY r.run_id)
)
SELECT run_id, engine, operation, sum(mean_ms * hits) / sum(hits) AS response_ms, sum(hits) AS hits
FROM named
GROUP BY run_id, engine, operation
