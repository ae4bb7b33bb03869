-- The beginning of each run: that of run.yml, else the beginning of the first sample or user; and how
-- long its intervals are.
WITH began AS (
    SELECT run_id, begin_utc, end_utc FROM sampled_ended
    UNION ALL
    SELECT run_id, at_utc, at_utc FROM gatling_user_change
)
SELECT
    run_id, coalesce(any_value(r.start_utc), min(b.begin_utc)) AS start_utc,
    interval_length(
        coalesce(any_value(r.start_utc), min(b.begin_utc)), min(b.begin_utc), max(b.end_utc))
        AS interval_s
FROM began b
JOIN run r USING (run_id)
GROUP BY run_id
