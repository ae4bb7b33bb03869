-- Statistics of the run, or of the time range that was exported: the last value that each
-- counter has, which need not be in the last row.
WITH ending AS (
    SELECT
        s.file_id, s.counter_no, arg_max(v.value, v.line) AS value,
        max(v.since_start_ms) AS since_start_ms
    FROM rpt_series s
    JOIN rpt_sample v USING (file_id, counter_no)
    WHERE s.period = 'run'
    GROUP BY ALL
)
SELECT
    'rpt' AS tool, s.run_id, s.file_id, s.host, s.time_range, s.scope AS kind, s.item AS name,
    s.measure, s.statistic, s.unit, s.path, e.value, e.since_start_ms / 1000 AS since_start_s
FROM ending e
JOIN rpt_series s USING (file_id, counter_no)
QUALIFY row_number() OVER (
    PARTITION BY s.key, s.time_range, s.path ORDER BY e.since_start_ms DESC, s.place
) = 1
