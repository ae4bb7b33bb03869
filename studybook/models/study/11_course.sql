-- What the page of stable phases draws. One run in full: its series, their batches, the statistic of
-- MSER and whether it is the least that may be chosen, and the phase itself; a row per mark.
CREATE OR REPLACE VIEW course_of_run AS
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
    run, origin, part, minute, until_minute, value, coalesce(least, false) AS least,
    stable_from_min, stable_to_min
FROM row_of
JOIN phase USING (run_id);

-- All runs: throughput and response time in bins, so long that those of one number of users are no
-- more than about 900. The bounds of the phase stand in the first row of a run.
CREATE OR REPLACE VIEW course_of_runs AS
WITH placed AS (
    SELECT
        p.*, r.origin, regexp_replace(p.run, '-[0-9]+$', '') AS setup,
        row_number() OVER (
            PARTITION BY regexp_replace(p.run, '-[0-9]+$', '') ORDER BY p.run) AS repetition
    FROM stable_phase p
    JOIN run r USING (run_id)
    WHERE p.from_s IS NOT NULL
),
-- Bins so long that no chart has more than about 900 of them.
length AS (
    SELECT users, 10 * ceil(sum(intervals_s) / 10 / 900) AS bin_s
    FROM (
        SELECT run_id, max(since_start_s) AS intervals_s FROM driver_interval GROUP BY run_id
    )
    JOIN placed USING (run_id)
    GROUP BY users
),
binned AS (
    SELECT
        p.run_id, l.bin_s, floor((d.since_start_s - 0.1) / l.bin_s) AS bin,
        sum(d.completed_per_s * d.interval_s) / sum(d.interval_s) AS completed_per_s,
        sum(d.response_ms * d.completed_per_s * d.interval_s)
            / nullif(sum(d.completed_per_s * d.interval_s), 0) AS response_ms
    FROM driver_interval d
    JOIN placed p USING (run_id)
    JOIN length l ON l.users IS NOT DISTINCT FROM p.users
    GROUP BY p.run_id, l.bin_s, bin
)
SELECT
    p.origin, p.users::INTEGER AS users, p.setup, p.repetition,
    round((b.bin + 0.5) * b.bin_s / 60, 2) AS minute,
    round(b.completed_per_s, 2) AS completed_per_s, round(b.response_ms, 1) AS response_ms,
    if(b.bin = min(b.bin) OVER own, round(p.from_s / 60, 2), NULL) AS stable_from_min,
    if(b.bin = min(b.bin) OVER own, round(p.to_s / 60, 2), NULL) AS stable_to_min
FROM binned b
JOIN placed p USING (run_id)
WINDOW own AS (PARTITION BY b.run_id);
