-- All runs: throughput and response time in bins, so long that those of one number of users are no
-- more than about 900. The bounds of the phase stand in the first row of a run.
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
        p.run_id, l.bin_s, floor((d.since_start_s - d.interval_s / 2) / l.bin_s) AS bin,
        sum(d.completed_per_s * d.interval_s) / sum(d.interval_s) AS completed_per_s,
        sum(d.response_ms * d.completed_per_s * d.interval_s)
            / nullif(sum(d.completed_per_s * d.interval_s), 0) AS response_ms
    FROM driver_interval d
    JOIN placed p USING (run_id)
    JOIN length l ON l.users IS NOT DISTINCT FROM p.users
    GROUP BY p.run_id, l.bin_s, bin
)
SELECT
    p.origin, p.run, p.users::INTEGER AS users, p.setup, p.repetition,
    round((b.bin + 0.5) * b.bin_s / 60, 2) AS minute,
    round(b.completed_per_s, 2) AS completed_per_s, round(b.response_ms, 1) AS response_ms,
    if(b.bin = min(b.bin) OVER own, round(p.from_s / 60, 2), NULL) AS stable_from_min,
    if(b.bin = min(b.bin) OVER own, round(p.to_s / 60, 2), NULL) AS stable_to_min
FROM binned b
JOIN placed p USING (run_id)
WINDOW own AS (PARTITION BY b.run_id)
