-- Quantities that two exports count: one row per run, host, interval and side. The side with the
-- least place is the reference of the others. CP itself is the hypervisor's own time, of no guest.
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
SELECT run_id, host, quantity, place, side, time_utc, interval_s, value FROM traffic
