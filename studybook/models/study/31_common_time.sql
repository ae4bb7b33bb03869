-- Quantities that two exports count, over the time that both of them cover within the stable phase:
-- what a law is judged by must not depend on where the intervals of one export happen to begin.

-- One row per run, host, interval and side. Of the sides of a quantity, the one with the least
-- place is what the others are set against. CP itself is the hypervisor's own time, that of no guest.
CREATE OR REPLACE VIEW counted_by_two AS
WITH of_guest AS (
    SELECT
        g.run_id, coalesce(h.host, g.userid) AS host, g.time_utc, g.interval_s, g.used_ifl
    FROM guest_cpu g
    LEFT JOIN guest_host h USING (run_id, userid)
    QUALIFY g.report = min(g.report) OVER (PARTITION BY g.run_id)
),
processors AS (
    SELECT run_id, host, count(DISTINCT cpu) AS listed
    FROM cpu_use WHERE cpu <> 'all' GROUP BY run_id, host
),
of_linux AS (
    SELECT
        c.run_id, c.host, c.time_utc, c.interval_s,
        c.busy_percent / 100 * coalesce(p.listed, h.cpus) AS used_ifl
    FROM cpu_use c
    LEFT JOIN processors p USING (run_id, host)
    LEFT JOIN host_size h USING (run_id, host)
    WHERE c.cpu = 'all'
),
of_adapters AS (
    SELECT
        v.run_id, coalesce(h.host, v.userid) AS host, v.time_utc, v.interval_s,
        sum(v.out_mib_s) AS sent_mib_s, sum(v.in_mib_s) AS received_mib_s,
        sum(v.out_packets_per_s) AS sent_packets_per_s,
        sum(v.in_packets_per_s) AS received_packets_per_s
    FROM vswitch_rate v
    LEFT JOIN guest_host h USING (run_id, userid)
    WHERE v.side = 'adapter'
    GROUP BY ALL
),
of_interfaces AS (
    SELECT
        run_id, host, time_utc, interval_s,
        sum(sent_kib_s) / 1024 AS sent_mib_s, sum(received_kib_s) / 1024 AS received_mib_s,
        sum(sent_packets_per_s) AS sent_packets_per_s,
        sum(received_packets_per_s) AS received_packets_per_s
    FROM network_rate
    WHERE carries_traffic_itself(interface)
    GROUP BY run_id, host, time_utc, interval_s
),
traffic AS (
    UNPIVOT (
        SELECT 1 AS place, 'Performance Toolkit' AS side, * FROM of_adapters
        UNION ALL
        SELECT 2, 'sar', * FROM of_interfaces
    ) ON sent_mib_s, received_mib_s, sent_packets_per_s, received_packets_per_s
    INTO NAME quantity VALUE value
)
SELECT
    run_id, host, 'system_ifl' AS quantity, ifl_route_place(route) AS place, route AS side,
    time_utc, interval_s, used_ifl AS value
FROM ifl_use
UNION ALL
SELECT
    run_id, host, 'system_ifl', 99, 'CP itself', time_utc, any_value(interval_s),
    if(count(*) = count(number['system_percent']), sum(number['system_percent']) / 100, NULL)
FROM perfkit_row
WHERE NOT mean_row AND report IN ('FCX144', 'FCX304') AND in_log
GROUP BY run_id, host, time_utc, occurrence
UNION ALL
SELECT run_id, host, 'guest_ifl', 1, 'Performance Toolkit', time_utc, interval_s, used_ifl
FROM of_guest
UNION ALL
SELECT run_id, host, 'guest_ifl', 2, 'sar', time_utc, interval_s, used_ifl FROM of_linux
UNION ALL
SELECT run_id, host, quantity, place, side, time_utc, interval_s, value FROM traffic;

-- Each side with its mean (left_value) and that of the side that it is set against, over the time
-- that both cover. A side that has no other, or none at the same time, has NULL for it.
CREATE OR REPLACE VIEW common_time AS
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
GROUP BY p.run_id, p.host, p.quantity, p.side, p.reference;
