-- Processors that the processes of each program took in the stable phase, by pidstat.
SELECT
    u.run_id, u.host, any_value(h.role) AS role, u.program,
    mean_over_time(u.cpu_percent, u.interval_s) / 100 AS used_cpus
FROM process_use u
JOIN stable_phase p USING (run_id)
LEFT JOIN host h USING (run_id, host)
WHERE within_phase(u.time_utc, u.interval_s, p.from_utc, p.to_utc, 'pidstat')
    AND u.cpu_percent IS NOT NULL
GROUP BY u.run_id, u.host, u.program
