-- Metrics of tables that run.yml maps: of the values of the stable phase, or of all where the table has
-- no times, the mean, or what else the mapping asks for.
SELECT
    s.run_id, s.metric, s.own, s.statistic, count(*) AS values,
    CASE s.statistic
        WHEN 'mean' THEN mean_over_time(s.value, coalesce(s.interval_s, 1))
        WHEN 'sum' THEN sum(s.value)
        WHEN 'min' THEN min(s.value)
        WHEN 'max' THEN max(s.value)
        WHEN 'p50' THEN quantile_disc(s.value, 0.5)
        WHEN 'p90' THEN quantile_disc(s.value, 0.9)
        WHEN 'p95' THEN quantile_disc(s.value, 0.95)
        WHEN 'p99' THEN quantile_disc(s.value, 0.99)
    END AS value
FROM mapped_sample s
LEFT JOIN stable_phase p USING (run_id)
WHERE s.at_utc IS NULL OR p.run_id IS NULL OR row_within_phase(s.at_utc, s.begins, s.interval_s, p.from_utc, p.to_utc)
GROUP BY s.run_id, s.metric, s.own, s.statistic
