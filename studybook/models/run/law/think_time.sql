-- Think time Z by Little's law, N = X × (R + Z): N users, X throughput, R response time of a request
-- (a page). No export holds Z. As it is computed by the law, a run is not judged by its own Z but by
-- that of the other runs with as many users: with another number, the setup may have another Z.
WITH run_of AS (
    SELECT
        d.run_id, r.study, r.origin, d.users, d.completed_per_s, d.response_ms / 1000 AS response_s,
        d.users / d.completed_per_s - response_s AS think_s
    FROM phase_driver d
    JOIN run r USING (run_id)
    WHERE d.completed_per_s > 0
),
requests AS (
    SELECT d.run_id, sum(d.completed_per_s * d.interval_s) AS requests
    FROM driver_interval d
    JOIN stable_phase p USING (run_id)
    WHERE within_phase(d.time_utc, d.interval_s, p.from_utc, p.to_utc)
    GROUP BY d.run_id
),
-- Of the runs with as many users, to one in a hundred: a window, for pairs of 10,000 runs do not
-- fit into memory.
judged AS (
    SELECT
        run_id, users, completed_per_s, response_s, think_s,
        count(think_s) OVER others AS other_runs, median(think_s) OVER others AS others_think_s
    FROM run_of
    WINDOW others AS (
        PARTITION BY study, origin ORDER BY users
        RANGE BETWEEN 0.01 * users PRECEDING AND 0.01 * users FOLLOWING EXCLUDE CURRENT ROW)
)
SELECT
    j.run_id, j.users, j.completed_per_s, j.response_s, j.think_s, n.requests, j.other_runs,
    j.others_think_s
FROM judged j
JOIN requests n USING (run_id)
