-- Intervals of the load drivers that keep single samples: JMeter, k6, Gatling, vegeta. tool says which
-- driver; what one does not tell is NULL. Their intervals are those of sample_span. kind: sample (a request),
-- transaction (what they group), and of k6 iteration. label is NULL for all of a kind together. What
-- failed is in all of these, and counted as failed.
SELECT 'jtl' AS tool, * FROM jtl_interval
UNION ALL BY NAME
FROM sampled_interval
