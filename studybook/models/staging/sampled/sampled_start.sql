-- The beginning of each run: that of run.yml, else the beginning of the first sample or user.
WITH began AS (
    SELECT run_id, begin_utc FROM sampled_ended
    UNION ALL
    SELECT run_id, at_utc FROM gatling_user_change
)
SELECT run_id, coalesce(any_value(r.start_utc), min(b.begin_utc)) AS start_utc
FROM began b
JOIN run r USING (run_id)
GROUP BY run_id
