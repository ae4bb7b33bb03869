-- Metrics of which a run has several values, told apart by own: by host, or by direction. The direction
-- is that of the data, seen from the host.
SELECT run_id, metric, own, value FROM own_metric WHERE cardinality(own) > 0
