-- Metrics that only one study has: none, unless pipelines/<study>/own_metric.sql gives them. own are the
-- factors by which values of one run are told apart, such as the host; rows that differ in them are
-- no repetitions of one another.
SELECT
    NULL::VARCHAR AS run_id, NULL::VARCHAR AS metric, NULL::MAP(VARCHAR, VARCHAR) AS own,
    NULL::DOUBLE AS value
WHERE false
