-- What the page of stable phases draws of one run in full: its series, their batches, the statistic of
-- MSER and whether it is the least that may be chosen, and the phase itself; a row per mark.
WITH phase AS (
    SELECT p.*, r.origin FROM stable_phase p JOIN run r USING (run_id)
),
interval AS (
    UNPIVOT (
        SELECT
            run_id, since_start_s, users, completed_per_s AS throughput,
            response_ms AS "response time"
        FROM driver_interval
        SEMI JOIN phase USING (run_id)
    ) ON users, throughput, "response time" INTO NAME part VALUE value
),
batch AS (
    SELECT
        b.*, p.start_utc, b.dropped <= b.batches // 2 AS allowed,
        allowed AND mser = min(mser) FILTER (allowed) OVER (
            PARTITION BY b.run_id, b.series) AS least
    FROM mser_batch b
    JOIN phase p USING (run_id)
),
row_of AS (
    SELECT run_id, part, since_start_s / 60 AS minute, value FROM interval
    UNION ALL BY NAME
    SELECT
        run_id, series || ', batches' AS part, mean AS value,
        (epoch_us(from_utc) - epoch_us(start_utc)) / 6e7 AS minute,
        (epoch_us(to_utc) - epoch_us(start_utc)) / 6e7 AS until_minute
    FROM batch
    UNION ALL BY NAME
    -- The last batch alone has no spread.
    SELECT
        run_id, series || if(allowed, ', MSER', ', MSER beyond the half') AS part,
        mser AS value, (epoch_us(from_utc) - epoch_us(start_utc)) / 6e7 AS minute, least
    FROM batch
    WHERE dropped < batches - 1
    UNION ALL BY NAME
    SELECT
        run_id, 'stable phase' AS part, from_s / 60 AS stable_from_min,
        to_s / 60 AS stable_to_min
    FROM phase
)
SELECT
    run, origin, part,
    CASE
        WHEN part = 'users' THEN 'users'
        WHEN part LIKE 'throughput, MSER%' THEN 'mser_per_s2'
        WHEN part LIKE 'throughput%' THEN 'completed_per_s'
        WHEN part LIKE 'response time, MSER%' THEN 'mser_ms2'
        WHEN part LIKE 'response time%' THEN 'response_ms'
    END AS quantity,
    minute, until_minute, value, coalesce(least, false) AS least,
    stable_from_min, stable_to_min
FROM row_of
JOIN phase USING (run_id)
