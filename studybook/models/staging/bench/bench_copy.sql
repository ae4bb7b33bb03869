-- Rate of dd by block size, with CPU seconds where time was asked in the same file. Where dd prints no
-- bytes they are whole records by block size, and the time is that of time.
WITH timed AS (
    SELECT file_id, run_no, real_s, user_s, system_s
    FROM dd_time
    WHERE run_no IS NOT NULL
),
copied AS (
    SELECT
        d.file_id, d.block_size_bytes, d.block_size_of, d.input, d.output, d.flags,
        coalesce(
            d.copied_bytes,
            if(d.partial_records_out = 0, d.records_out::HUGEINT * d.block_size_bytes, NULL)
        )::DOUBLE AS copied_bytes,
        coalesce(d.elapsed_s, t.real_s) AS elapsed_s,
        CASE
            WHEN d.elapsed_s IS NOT NULL THEN 'dd' WHEN t.real_s IS NOT NULL THEN 'time'
        END AS elapsed_of,
        t.user_s AS user_cpu_s, t.system_s AS system_cpu_s, t.user_s + t.system_s AS cpu_s, d.line
    FROM dd_run d
    LEFT JOIN timed t ON t.file_id = d.file_id AND t.run_no = d.run_no
    WHERE d.status = 'complete' AND d.intermediate IS false
)
SELECT
    f.run_id, c.*, copied_bytes / elapsed_s / 1048576 AS rate_mib_s,
    copied_bytes / elapsed_s / 1e6 AS rate_mb_s, cpu_s / (copied_bytes / 1e9) AS cpu_s_per_gb
FROM copied c
JOIN raw_file f USING (file_id)
WHERE copied_bytes > 0 AND elapsed_s > 0
