-- Processors in use by each host, as its own kernel counts them: busy share times processors, of
-- which run.yml says the number where the export lists them only together.
WITH phase AS (
    SELECT c.*
    FROM cpu_use c
    JOIN stable_phase p USING (run_id)
    WHERE c.interval_s > 0 AND within_phase(c.time_utc, c.interval_s, p.from_utc, p.to_utc, c.tool)
),
processors AS (
    SELECT run_id, host, count(DISTINCT cpu) AS listed FROM phase WHERE cpu <> 'all' GROUP BY ALL
),
mean AS (
    SELECT
        run_id, host, mean_over_time(busy_percent, interval_s) AS busy_percent,
        mean_over_time(steal_percent, interval_s) AS steal_percent
    FROM phase WHERE cpu = 'all' GROUP BY run_id, host
)
SELECT
    run_id, host, busy_percent, steal_percent, coalesce(p.listed, h.cpus) AS cpus,
    busy_percent / 100 * coalesce(p.listed, h.cpus) AS used_ifl, h.role
FROM mean
LEFT JOIN processors p USING (run_id, host)
LEFT JOIN host_size h USING (run_id, host)
