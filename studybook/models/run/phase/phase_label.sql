-- Response times of each label in the stable phase, by the single samples that the load driver kept: of
-- JMeter, k6, Gatling and vegeta; label is NULL for all of a kind together. An interval counts
-- if it lies within the phase, and its samples with it, failed ones included. Percentiles are
-- values that occurred; where rows are sums of several samples there are none.
WITH placed AS (
    SELECT
        'jtl' AS tool, run_id, kind, label, until_utc, interval_s,
        elapsed_ms::DOUBLE AS elapsed_ms, samples, failed
    FROM jtl_placed
    UNION ALL BY NAME
    SELECT
        tool, run_id, kind, label, until_utc, interval_s, elapsed_ms, 1 AS samples,
        has_failed::INTEGER AS failed
    FROM sampled_placed
),
of_label AS (
    SELECT
        p.tool, p.run_id, p.kind, p.label, p.elapsed_ms, p.samples, count(*) AS rows,
        sum(p.failed) AS failed
    FROM placed p
    JOIN stable_phase s USING (run_id)
    WHERE within_phase(p.until_utc, p.interval_s, s.from_utc, s.to_utc)
    GROUP BY ALL
),
together AS (
    SELECT
        tool, run_id, kind, label, elapsed_ms, samples, sum(rows) AS rows, sum(failed) AS failed
    FROM of_label
    GROUP BY GROUPING SETS (
        (tool, run_id, kind, label, elapsed_ms, samples), (tool, run_id, kind, elapsed_ms, samples))
    HAVING label IS NOT NULL OR grouping(label) = 1
),
ranked AS (
    SELECT
        *, sum(rows) OVER up_to AS up_to,
        sum(rows) OVER (PARTITION BY tool, run_id, kind, label) AS of_all
    FROM together
    WINDOW up_to AS (PARTITION BY tool, run_id, kind, label ORDER BY elapsed_ms, samples)
),
-- Intervals in which nothing ended count as time, too.
length AS (
    SELECT t.tool, t.run_id, t.kind, sum(t.interval_s) AS phase_s
    FROM throughput t
    JOIN stable_phase s USING (run_id)
    WHERE t.name IS NULL AND t.kind <> 'run' AND t.tool NOT IN ('rpt', 'locust')
        AND within_phase(t.time_utc, t.interval_s, s.from_utc, s.to_utc)
    GROUP BY t.tool, t.run_id, t.kind
)
SELECT
    r.tool, r.run_id, r.kind, r.label, any_value(l.phase_s)::DOUBLE AS phase_s,
    sum(r.rows * r.samples)::BIGINT AS samples, sum(r.failed)::BIGINT AS failed,
    sum(r.rows * r.samples) / any_value(l.phase_s) AS completed_per_s,
    sum(r.rows * r.elapsed_ms) / sum(r.rows * r.samples) AS mean_ms,
    max(r.samples) = 1 AS single,
    if(single, max(r.elapsed_ms), NULL) AS max_ms,
    if(single, rank_at(r.elapsed_ms, r.up_to, r.of_all, 0.50), NULL) AS p50_ms,
    if(single, rank_at(r.elapsed_ms, r.up_to, r.of_all, 0.90), NULL) AS p90_ms,
    if(single, rank_at(r.elapsed_ms, r.up_to, r.of_all, 0.95), NULL) AS p95_ms,
    if(single, rank_at(r.elapsed_ms, r.up_to, r.of_all, 0.99), NULL) AS p99_ms
FROM ranked r
JOIN length l USING (tool, run_id, kind)
GROUP BY r.tool, r.run_id, r.kind, r.label
