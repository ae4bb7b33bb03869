-- Metrics of histograms of times, by Prometheus. Those of other things are in prometheus_histogram
-- alone, and so are quantiles whose bucket begins at zero or ends beyond two and a half times its
-- beginning: that would be a guess.
WITH timed AS (
    SELECT
        *, CASE
            WHEN metric LIKE '%\_seconds' ESCAPE '\' THEN 1000
            WHEN metric LIKE '%\_milliseconds' ESCAPE '\' OR metric LIKE '%\_ms' ESCAPE '\' THEN 1
        END AS to_ms,
        count(DISTINCT file_id) OVER (PARTITION BY run_id, host, metric, labels) AS files
    FROM prometheus_histogram
    WHERE to_ms IS NOT NULL AND (low IS NULL OR low > 0 AND high <= 2.5 * low)
)
SELECT
    t.run_id,
    'histogram_' || t.statistic || if(t.statistic = 'per_s', '', '_ms') AS metric,
    map_concat(
        if(t.host IS NULL, MAP {}, host_and_role(t.host, h.role)),
        MAP {
            'series': t.metric || if(t.labels = '', '', '{' || t.labels || '}')
                -- Of two exporters of one host nothing else may tell which is which.
                || if(t.files > 1, ' in ' || name_in_run(f.name, t.run_id), '')
        })::MAP(VARCHAR, VARCHAR) AS own,
    if(t.statistic = 'per_s', t.value, t.value * t.to_ms) AS value
FROM timed t
JOIN raw_file f USING (file_id)
LEFT JOIN host h ON h.run_id = t.run_id AND h.host = t.host
