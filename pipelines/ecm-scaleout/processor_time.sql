-- Where the processors are in use in the stable phase: in the guests of each role, in CP on their
-- behalf (TCPU less VCPU of the Performance Toolkit), and in the hypervisor for no guest in particular.
WITH guest AS (
    SELECT
        g.run_id, h.role, h.host, mean_over_time(g.virtual_ifl, g.interval_s) AS guest_ifl,
        mean_over_time(g.used_ifl - g.virtual_ifl, g.interval_s) AS cp_ifl
    FROM guest_cpu g
    JOIN stable_phase p USING (run_id)
    JOIN guest_host h USING (run_id, userid)
    WHERE g.virtual_ifl IS NOT NULL AND g.interval_s > 0
        AND within_phase(g.time_utc, g.interval_s, p.from_utc, p.to_utc)
    GROUP BY g.run_id, h.role, h.host
),
waiting AS (
    SELECT
        u.run_id, u.host, mean_over_time(u.steal_percent, u.interval_s) AS steal_percent,
        mean_over_time(u.iowait_percent, u.interval_s) AS iowait_percent
    FROM cpu_use u
    JOIN stable_phase p USING (run_id)
    WHERE u.cpu = 'all' AND u.interval_s > 0
        AND within_phase(u.time_utc, u.interval_s, p.from_utc, p.to_utc, u.tool)
    GROUP BY u.run_id, u.host
)
SELECT
    g.run_id, g.role, count(*) AS hosts, sum(g.guest_ifl) AS guest_ifl, sum(g.cp_ifl) AS cp_ifl,
    avg(w.steal_percent) AS steal_percent, avg(w.iowait_percent) AS iowait_percent
FROM guest g
LEFT JOIN waiting w USING (run_id, host)
GROUP BY g.run_id, g.role
UNION ALL
SELECT t.run_id, 'hypervisor', 1, 0, t.used_ifl - sum(g.guest_ifl + g.cp_ifl), NULL, NULL
FROM phase_ifl t
JOIN guest g USING (run_id)
WHERE t.chosen
GROUP BY t.run_id, t.used_ifl
