-- For each side its mean, and that of its reference side, over the part of the stable phase that both
-- cover: a verdict must not depend on where the intervals of one export happen to begin. The mean of
-- the reference is NULL where there is none, or none at the same time.
WITH sample AS (
    SELECT
        c.*, c.time_utc - to_microseconds((c.interval_s * 1000000)::BIGINT) AS begin_utc
    FROM counted_by_two c
    JOIN stable_phase p USING (run_id)
    WHERE c.value IS NOT NULL AND c.interval_s > 0
        AND within_phase(c.time_utc, c.interval_s, p.from_utc, p.to_utc)
),
span AS (
    SELECT
        run_id, host, quantity, side, any_value(place) AS place, min(begin_utc) AS from_utc,
        max(time_utc) AS to_utc
    FROM sample
    GROUP BY run_id, host, quantity, side
),
best AS (
    FROM span
    QUALIFY place = min(place) OVER (PARTITION BY run_id, host, quantity)
),
pair AS (
    SELECT
        s.run_id, s.host, s.quantity, s.side, b.side AS reference,
        greatest(s.from_utc, b.from_utc) AS from_utc, least(s.to_utc, b.to_utc) AS to_utc
    FROM span s
    JOIN best b
        ON b.run_id = s.run_id AND b.host IS NOT DISTINCT FROM s.host
        AND b.quantity = s.quantity
)
SELECT
    p.run_id, p.host, p.quantity, p.side, p.reference,
    mean_over_time(if(s.side = p.side, s.value, NULL), s.interval_s) AS value,
    mean_over_time(if(s.side = p.reference, s.value, NULL), s.interval_s) AS reference_value
FROM pair p
LEFT JOIN sample s
    ON s.run_id = p.run_id AND s.host IS NOT DISTINCT FROM p.host AND s.quantity = p.quantity
    AND s.side IN (p.side, p.reference)
    AND s.begin_utc >= p.from_utc - INTERVAL 1 SECOND
    AND s.time_utc <= p.to_utc + INTERVAL 1 SECOND
GROUP BY p.run_id, p.host, p.quantity, p.side, p.reference
