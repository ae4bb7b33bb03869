-- What time says of commands that it names and that ended well, and perf stat of those that no signal
-- ended, the mean of its repetitions; those of dd are in bench_copy.
SELECT
    f.run_id, file_id, command, real_s AS command_s, user_s + system_s AS command_cpu_s,
    max_resident_kib / 1024 AS command_peak_mib, line
FROM dd_time
JOIN raw_file f USING (file_id)
WHERE run_no IS NULL AND command IS NOT NULL AND coalesce(exit_status, 0) = 0 AND signal IS NULL
UNION ALL BY NAME
SELECT
    f.run_id, file_id, command, elapsed_s AS command_s,
    coalesce(user_s + system_s, c.value / 1000) AS command_cpu_s, r.line
FROM perf_run r
JOIN raw_file f USING (file_id)
-- Of repetitions perf prints no other time of processors.
LEFT JOIN (
    SELECT file_id, run_no, any_value(value) AS value
    FROM perf_count
    WHERE event = 'task-clock' AND unit = 'msec' AND since_start_s IS NULL AND cpu IS NULL
    GROUP BY ALL
) c USING (file_id, run_no)
WHERE command IS NOT NULL AND elapsed_s IS NOT NULL AND signal IS NULL
