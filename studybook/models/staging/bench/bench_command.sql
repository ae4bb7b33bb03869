-- What time says of commands that it names and that ended well; those of dd are in bench_copy.
SELECT
    f.run_id, file_id, command, real_s AS command_s, user_s + system_s AS command_cpu_s,
    max_resident_kib / 1024 AS command_peak_mib, line
FROM dd_time
JOIN raw_file f USING (file_id)
WHERE run_no IS NULL AND command IS NOT NULL AND coalesce(exit_status, 0) = 0 AND signal IS NULL
