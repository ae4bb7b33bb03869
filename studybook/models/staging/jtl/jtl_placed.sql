-- Samples as in jtl_ended with the interval in which each ended, counted from the run's start: that
-- of run.yml, else the beginning of the first sample.
WITH start AS (
    SELECT
        run_id, coalesce(any_value(r.start_utc), min(e.begin_utc)) AS start_utc,
        interval_length(
            coalesce(any_value(r.start_utc), min(e.begin_utc)), min(e.begin_utc), max(e.end_utc))
            AS interval_s
    FROM jtl_ended e
    JOIN run r USING (run_id)
    GROUP BY run_id
)
SELECT
    e.*, s.start_utc, s.interval_s,
    interval_no_of(e.end_utc, s.start_utc, s.interval_s) AS interval_no
FROM jtl_ended e
JOIN start s USING (run_id)
WHERE e.end_utc IS NOT NULL AND e.elapsed_ms IS NOT NULL
