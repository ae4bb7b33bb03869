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
)
SELECT
    a.run_id, a.users, a.completed_per_s, a.response_s, a.think_s,
    any_value(n.requests) AS requests,
    count(b.think_s) AS other_runs, median(b.think_s) AS others_think_s
FROM run_of a
JOIN requests n USING (run_id)
LEFT JOIN run_of b
    ON b.run_id <> a.run_id AND b.study = a.study AND b.origin = a.origin
    AND abs(b.users - a.users) <= 0.01 * a.users
GROUP BY a.run_id, a.users, a.completed_per_s, a.response_s, a.think_s
