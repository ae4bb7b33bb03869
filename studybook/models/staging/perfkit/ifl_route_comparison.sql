-- Each route against the best one that the run has, both over the time that both cover; means are
-- weighted by the length of the intervals. PR/SM should count at least what z/VM counts, and z/VM at least
-- the sum of its guests; out_of_order says where that is not so by more than 2 %.
WITH known AS (
    SELECT
        *, time_utc - to_microseconds((interval_s * 1000000)::BIGINT) AS begin_utc,
        CASE
            WHEN route IN ('PHYSLOG', 'LPARLOG: busy × processors', 'LPAR: sum of processors') THEN 3
            WHEN route LIKE '%sum of guests' THEN 1
            ELSE 2
        END AS level,
        list_position([
            'SYSSUMLG: busy × online', 'PROCLOG/PRCLOG: sum of processors', 'CPU: sum of processors',
            'LPARLOG: busy × processors', 'LPAR: sum of processors', 'PHYSLOG',
            'USERLOG: sum of guests', 'USER: sum of guests'], route) AS place
    FROM ifl_use
    WHERE used_ifl IS NOT NULL AND time_utc IS NOT NULL AND interval_s > 0
),
span AS (
    SELECT
        run_id, host, route, any_value(level) AS level, any_value(place) AS place,
        min(begin_utc) AS from_utc, max(time_utc) AS to_utc,
        CASE WHEN bool_or(processors = 'mixed') THEN 'mixed'
            WHEN bool_and(processors = 'IFL') THEN 'IFL' ELSE 'all' END AS processors
    FROM known
    GROUP BY run_id, host, route
),
pair AS (
    SELECT
        a.run_id, a.host, a.route, a.level, a.processors, b.route AS reference, b.level AS level_b,
        greatest(a.from_utc, b.from_utc) AS from_utc, least(a.to_utc, b.to_utc) AS to_utc
    FROM span a
    JOIN (
        SELECT * FROM span
        QUALIFY row_number() OVER (PARTITION BY run_id, host ORDER BY place) = 1
    ) b ON b.run_id = a.run_id AND b.host IS NOT DISTINCT FROM a.host
),
mean AS (
    SELECT
        p.run_id, p.host, p.route, p.reference, p.processors, p.level, p.level_b,
        p.from_utc, p.to_utc,
        sum(k.used_ifl * k.interval_s) FILTER (k.route = p.route)
            / sum(k.interval_s) FILTER (k.route = p.route) AS used_ifl,
        sum(k.used_ifl * k.interval_s) FILTER (k.route = p.reference)
            / sum(k.interval_s) FILTER (k.route = p.reference) AS reference_ifl
    FROM pair p
    LEFT JOIN known k
        ON k.run_id = p.run_id AND k.host IS NOT DISTINCT FROM p.host
        AND k.route IN (p.route, p.reference)
        AND k.begin_utc >= p.from_utc - INTERVAL 1 SECOND
        AND k.time_utc <= p.to_utc + INTERVAL 1 SECOND
    GROUP BY ALL
)
SELECT
    run_id, host, route, reference, processors,
    CASE WHEN from_utc < to_utc THEN from_utc END AS from_utc,
    CASE WHEN from_utc < to_utc THEN to_utc END AS to_utc, used_ifl, reference_ifl,
    used_ifl - reference_ifl AS difference_ifl,
    100 * (used_ifl / nullif(reference_ifl, 0) - 1) AS difference_percent,
    CASE WHEN level > level_b THEN used_ifl < 0.98 * reference_ifl
        WHEN level < level_b THEN used_ifl > 1.02 * reference_ifl END AS out_of_order
FROM mean
