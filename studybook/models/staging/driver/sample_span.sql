-- The intervals of each run in which single samples of its load drivers are counted, of all of them the
-- same. Steps of step_s are counted from the run's start: that of run.yml, else the beginning of the
-- first sample or user. The first interval begins with the load and the last ends with it, so that no rate
-- is over a time before or after it; where that leaves less than a tenth of a step, it belongs to its
-- neighbour, and no phase that is said in whole steps loses it (within_phase).
WITH part AS (
    SELECT run_id, begin_utc, end_utc, true AS is_sample
    FROM jtl_ended
    WHERE end_utc IS NOT NULL AND elapsed_ms IS NOT NULL
    UNION ALL
    SELECT run_id, begin_utc, end_utc, true
    FROM sampled_ended
    UNION ALL
    SELECT run_id, at_utc, at_utc, false
    FROM gatling_user_change
),
span AS (
    SELECT
        run_id, coalesce(any_value(r.start_utc), min(begin_utc)) AS start_utc,
        coalesce(min(begin_utc) FILTER (is_sample), min(begin_utc)) AS first_utc,
        coalesce(max(end_utc) FILTER (is_sample), max(end_utc)) AS last_utc
    FROM part
    JOIN run r USING (run_id)
    GROUP BY run_id
)
SELECT
    run_id, start_utc, if(last_utc - first_utc < INTERVAL 20 SECOND, 1, 10)::BIGINT AS step_s,
    (epoch_ms(first_utc) - epoch_ms(start_utc)) / 1000 AS first_s,
    (epoch_ms(last_utc) - epoch_ms(start_utc)) / 1000 AS last_s,
    ceil(first_s / step_s - 0.9)::BIGINT AS first_no,
    greatest(first_no, ceil(last_s / step_s - 0.1)::BIGINT - 1) AS last_no
FROM span
