-- What histograms of Prometheus say of the stable phase: one row per series (all labels but le) and
-- statistic. A quantile is that of histogram_quantile(): within its bucket as if the values lay there
-- evenly. What is certain is only that it lies in the bucket, from low to high; there is none in the
-- last bucket, which has no end, nor where the counts are no sums of those before. Series with other
-- labels, hosts or files are never put together.
WITH grown AS (
    SELECT
        v.run_id, v.file_id, v.host, regexp_extract(v.metric, '^(.+)_(bucket|sum|count)$', 1) AS metric,
        regexp_extract(v.metric, '_(bucket|sum|count)$', 1) AS part,
        nullif(regexp_extract(v.labels, '(?:^|,)le="([^"]*)"', 1), '') AS le,
        regexp_replace(regexp_replace(v.labels, '^le="[^"]*",?', ''), ',le="[^"]*"', '') AS labels,
        sum(v.increase) AS increase, sum(v.interval_s) FILTER (v.increase IS NOT NULL) AS covers_s
    FROM prometheus_value v
    JOIN stable_phase p USING (run_id)
    WHERE regexp_matches(v.metric, '._(bucket|sum|count)$')
        AND within_phase(v.time_utc, v.interval_s, p.from_utc, p.to_utc)
    GROUP BY v.run_id, v.file_id, v.host, v.metric, v.labels
    HAVING sum(v.increase) IS NOT NULL
),
bucket AS (
    SELECT
        *, if(le IN ('+Inf', 'Inf', '+inf', 'inf'), 'infinity'::DOUBLE, try_cast(le AS DOUBLE)) AS high
    FROM grown
    WHERE part = 'bucket' AND high IS NOT NULL
    QUALIFY max(high) OVER (PARTITION BY run_id, file_id, host, metric, labels) = 'infinity'::DOUBLE
),
edged AS (
    SELECT
        * EXCLUDE (le, part), coalesce(lag(increase) OVER own, 0) AS below,
        -- What is measured by histograms, times and sizes, is seldom below zero.
        coalesce(lag(high) OVER own, least(high, 0)) AS low,
        max(increase) OVER (PARTITION BY run_id, file_id, host, metric, labels) AS total
    FROM bucket
    WINDOW own AS (PARTITION BY run_id, file_id, host, metric, labels ORDER BY high)
),
whole AS (
    SELECT *
    FROM edged
    WHERE total > 0
    QUALIFY bool_and(increase >= below) OVER (PARTITION BY run_id, file_id, host, metric, labels)
),
quantile AS (
    SELECT
        w.run_id, w.file_id, w.host, w.metric, w.labels, q.statistic,
        w.low + (w.high - w.low) * (q.part * w.total - w.below) / (w.increase - w.below) AS value,
        w.low, w.high
    FROM whole w
    CROSS JOIN (VALUES ('p50', 0.5), ('p90', 0.9), ('p95', 0.95), ('p99', 0.99)) q (statistic, part)
    WHERE w.increase >= q.part * w.total AND w.below < q.part * w.total AND isfinite(w.high)
),
counted AS (
    SELECT c.*, s.increase AS summed
    FROM grown c
    JOIN (SELECT DISTINCT run_id, file_id, host, metric, labels FROM bucket) h
        USING (run_id, file_id, host, metric, labels)
    LEFT JOIN grown s
        ON s.run_id = c.run_id AND s.file_id = c.file_id AND s.host IS NOT DISTINCT FROM c.host
        AND s.metric = c.metric AND s.labels = c.labels AND s.part = 'sum'
    WHERE c.part = 'count'
)
FROM quantile
UNION ALL
SELECT run_id, file_id, host, metric, labels, 'mean', summed / increase, NULL, NULL
FROM counted
WHERE increase > 0 AND summed IS NOT NULL
UNION ALL
SELECT run_id, file_id, host, metric, labels, 'per_s', increase / covers_s, NULL, NULL
FROM counted
WHERE covers_s > 0
