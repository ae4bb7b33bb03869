-- Batches of the stable phase of a run, one after the other: how much a metric scatters within the
-- run. Of means, a batch has as many intervals as any other, five at least; of percentiles as many
-- samples, and five at least beyond the percentile. There are 20 batches at most, and none where
-- that would make fewer than five.
WITH series AS (
    SELECT
        run_id, 'response_ms' AS metric, MAP {}::MAP(VARCHAR, VARCHAR) AS own, time_utc, interval_s,
        completed_per_s * interval_s AS weight, response_ms AS value
    FROM driver_interval
    UNION ALL
    SELECT run_id, 'pages_per_s', MAP {}, time_utc, interval_s, interval_s, completed_per_s
    FROM driver_interval
    UNION ALL
    SELECT
        c.run_id, 'cpu_busy_percent', host_and_role(c.host, h.role), c.time_utc, c.interval_s,
        c.interval_s, c.busy_percent
    FROM cpu_use c
    LEFT JOIN host h USING (run_id, host)
    WHERE c.cpu = 'all'
    UNION ALL
    SELECT
        m.run_id, 'memory_used_percent', host_and_role(m.host, h.role), m.time_utc, m.interval_s,
        m.interval_s,
        100 * (1 - coalesce(available_kib, free_kib + buffers_kib + cached_kib)
            / nullif(total_kib, 0))
    FROM memory m
    LEFT JOIN host h USING (run_id, host)
),
interval_of_phase AS (
    SELECT
        s.*, row_number() OVER (one ORDER BY time_utc) - 1 AS place, count(*) OVER one AS size,
        least(20, size // 5) AS batches
    FROM series s
    JOIN stable_phase p USING (run_id)
    WHERE s.interval_s > 0 AND s.value IS NOT NULL AND s.weight > 0
        AND within_phase(s.time_utc, s.interval_s, p.from_utc, p.to_utc)
    WINDOW one AS (PARTITION BY run_id, metric, own)
),
-- The main kind of the driver, as in driver_interval: samples go before transactions.
ended AS (
    SELECT run_id, kind, label, end_utc, elapsed_ms FROM jtl_placed
    UNION ALL
    SELECT run_id, kind, label, end_utc, elapsed_ms FROM sampled_placed
),
sample AS (
    SELECT
        e.run_id, unnest(if(e.label IS NULL, [NULL::VARCHAR], [e.label, NULL])) AS label, e.end_utc,
        e.elapsed_ms
    FROM (FROM ended QUALIFY kind = min(kind) OVER (PARTITION BY run_id)) e
    JOIN stable_phase p USING (run_id)
    WHERE within_phase(e.end_utc, 0, p.from_utc, p.to_utc)
),
sample_of_phase AS (
    SELECT
        *, row_number() OVER (one ORDER BY end_utc, elapsed_ms) - 1 AS place, count(*) OVER one AS size
    FROM sample
    WINDOW one AS (PARTITION BY run_id, label)
),
-- As many batches as one of the percentiles allows; of a large run that is 20 for all of them.
divided AS (
    SELECT run_id, label, elapsed_ms, place, size, unnest(list_distinct([
        least(20, size * (100 - 50) // 500), least(20, size * (100 - 90) // 500),
        least(20, size * (100 - 95) // 500), least(20, size * (100 - 99) // 500)])) AS batches
    FROM sample_of_phase
),
batch AS (
    SELECT
        run_id, label, size, batches, place * batches // size AS batch, count(*) AS values,
        quantile_disc(elapsed_ms, [0.5, 0.9, 0.95, 0.99]) AS percentiles
    FROM divided
    WHERE batches >= 5
    GROUP BY run_id, label, size, batches, batch
),
percentile AS (
    SELECT
        run_id, 'response_p' || percent || '_ms' AS metric,
        if(label IS NULL, MAP {}::MAP(VARCHAR, VARCHAR), MAP {'label': label}) AS own,
        batch, values, percentiles[list_position([50, 90, 95, 99], percent)]::DOUBLE AS value
    FROM (SELECT *, unnest([50, 90, 95, 99]) AS percent FROM batch)
    WHERE batches = least(20, size * (100 - percent) // 500)
)
SELECT
    run_id, metric, own, place * batches // size AS batch, count(*) AS values,
    sum(weight * value) / sum(weight) AS value
FROM interval_of_phase
WHERE batches >= 5
GROUP BY run_id, metric, own, batch
UNION ALL
FROM percentile
