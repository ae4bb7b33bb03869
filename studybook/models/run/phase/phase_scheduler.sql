-- What the scheduler of each host did in the stable phase.
WITH measured AS (
    SELECT run_id, host, time_utc, interval_s, tool, context_switches_per_s, NULL AS run_queue
    FROM context_switch
    UNION ALL BY NAME
    SELECT run_id, host, time_utc, interval_s, tool, run_queue FROM run_queue
)
SELECT
    m.run_id, m.host, any_value(h.role) AS role,
    mean_over_time(context_switches_per_s, m.interval_s) AS context_switches_per_s,
    mean_over_time(run_queue, m.interval_s) AS runnable_tasks
FROM measured m
JOIN stable_phase p USING (run_id)
LEFT JOIN host h USING (run_id, host)
WHERE m.interval_s > 0 AND within_phase(m.time_utc, m.interval_s, p.from_utc, p.to_utc, m.tool)
GROUP BY m.run_id, m.host
