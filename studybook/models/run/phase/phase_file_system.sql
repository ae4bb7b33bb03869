-- What applications read and write in a file system on each host, as the file system counts it.
SELECT
    f.run_id, f.host, any_value(h.role) AS role,
    mean_over_time(f.read_mib_s, f.interval_s) AS read_mib_s,
    mean_over_time(f.write_mib_s, f.interval_s) AS write_mib_s
FROM file_system_rate f
JOIN stable_phase p USING (run_id)
LEFT JOIN host h USING (run_id, host)
WHERE f.interval_s > 0 AND within_phase(f.time_utc, f.interval_s, p.from_utc, p.to_utc)
GROUP BY f.run_id, f.host, f.file_system
