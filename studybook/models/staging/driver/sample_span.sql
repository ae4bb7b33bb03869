-- From when to when there was load, where a load driver kept single samples.
SELECT run_id, min(begin_utc) AS first_utc, max(end_utc) AS last_utc
FROM (
    SELECT run_id, begin_utc, end_utc FROM jtl_placed
    UNION ALL
    SELECT run_id, begin_utc, end_utc FROM sampled_placed
)
GROUP BY run_id
