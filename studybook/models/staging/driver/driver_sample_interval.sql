-- What a load driver measured, whichever it is: response times, throughput and users of intervals,
-- and the statistics of the run as a whole. tool says which driver; what one does not tell is NULL.
-- JMeter, k6 and Gatling keep single samples, so there are percentiles; their intervals are of 10
-- seconds. kind: of RPT page, page element, transaction, …; of the others sample (a request),
-- transaction (what they group), and of k6 iteration. name is NULL for all of a kind together.
-- What failed is in all of these, and counted as failed.

-- Intervals of the drivers that keep single samples.
SELECT 'jtl' AS tool, * FROM jtl_interval
UNION ALL BY NAME
FROM sampled_interval
