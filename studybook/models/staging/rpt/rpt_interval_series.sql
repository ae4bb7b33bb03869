-- Counters as in rpt_series of which differences are values of intervals.
FROM rpt_series
WHERE period IN ('interval', 'level') OR (period = 'run' AND statistic = 'count')
