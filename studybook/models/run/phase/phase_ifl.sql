-- IFLs of the whole system, by each route of the Performance Toolkit; chosen is the first of them.
WITH known AS (
    SELECT
        i.run_id, i.host, i.route, mean_over_time(i.used_ifl, i.interval_s) AS used_ifl,
        ifl_route_place(i.route) AS place
    FROM ifl_use i
    JOIN stable_phase p USING (run_id)
    WHERE i.used_ifl IS NOT NULL AND i.interval_s > 0
        AND within_phase(i.time_utc, i.interval_s, p.from_utc, p.to_utc)
    GROUP BY i.run_id, i.host, i.route
)
SELECT run_id, host, route, used_ifl,
    place = min(place) OVER (PARTITION BY run_id, host) AS chosen
FROM known
