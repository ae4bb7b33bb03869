-- Intervals of the load driver, and whether all users are logged in meanwhile. Where the load stopped
-- and began again, these are the users of its longest execution, and nothing else is looked at.
-- Where nobody is there and nothing ends, before the first user or after the last, there is no load.
WITH placed AS (
    SELECT
        r.*,
        (e.run_id IS NULL OR (r.time_utc > e.from_utc AND r.time_utc <= e.to_utc))
        AND coalesce(
            r.time_utc BETWEEN min(r.time_utc) FILTER (r.completed_per_s > 0 OR r.users > 0) OVER own
                AND max(r.time_utc) FILTER (r.completed_per_s > 0 OR r.users > 0) OVER own, true)
        AS within
    FROM driver_rate r
    LEFT JOIN driver_execution e ON e.run_id = r.run_id AND e.counts
    WINDOW own AS (PARTITION BY r.run_id)
),
standing AS (
    SELECT
        *,
        -- users is the number at the end of the interval; it begins with that of the one before.
        within AND least(users, lag(users) OVER (PARTITION BY run_id ORDER BY time_utc))
            >= 0.99 * max(users) FILTER (within) OVER (PARTITION BY run_id) AS at_most
    FROM placed
)
SELECT
    s.* EXCLUDE (within, at_most),
    within
        -- Users that come and go reach the most for a moment: that says nothing of the others.
        AND coalesce(at_most OR (
            count(*) FILTER (at_most) OVER own < 3
            AND 10 * count(*) FILTER (at_most) OVER own < count(*) FILTER (within) OVER own), true)
        -- A part of an interval, with which a load begins or ends, scatters more than whole ones.
        AND coalesce(s.interval_s >= 0.9 * p.step_s OR p.last_no = p.first_no, true) AS logged_in
FROM standing s
LEFT JOIN sample_span p USING (run_id)
WINDOW own AS (PARTITION BY s.run_id)
