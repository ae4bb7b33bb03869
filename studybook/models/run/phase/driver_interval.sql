-- Intervals of the load driver, and whether all users are logged in meanwhile. Where the load stopped
-- and began again, these are the users of its longest execution, and nothing else is looked at.
WITH placed AS (
    SELECT
        r.*, e.run_id IS NULL OR (r.time_utc > e.from_utc AND r.time_utc <= e.to_utc) AS within
    FROM driver_rate r
    LEFT JOIN driver_execution e ON e.run_id = r.run_id AND e.counts
)
SELECT
    p.* EXCLUDE (within),
    -- users is the number at the end of the interval; it begins with that of the one before.
    within
        AND coalesce(
            least(users, lag(users) OVER (PARTITION BY p.run_id ORDER BY time_utc))
                >= 0.99 * max(users) FILTER (within) OVER (PARTITION BY p.run_id), true)
        -- Else it is the first or the last, and a rate over all of it would be too low.
        AND coalesce(
            time_utc - to_seconds(0.9 * interval_s) >= s.first_utc
                AND time_utc - to_seconds(0.1 * interval_s) <= s.last_utc, true)
        AS logged_in
FROM placed p
LEFT JOIN sample_span s USING (run_id)
