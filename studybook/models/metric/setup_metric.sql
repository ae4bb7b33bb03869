-- Metrics that only one study has, and of which a value takes several runs: none, unless
-- pipelines/<study>/setup_metric.sql (or .py) gives them. A value stands at one of these runs, by whose
-- factors it is asked for; own are further factors, as in own_metric.
SELECT
    NULL::VARCHAR AS run_id, NULL::VARCHAR AS metric, NULL::MAP(VARCHAR, VARCHAR) AS own,
    NULL::DOUBLE AS value
WHERE false
