-- Bandwidth of each operation of each run, whatever tool measured it, in MiB/s (2^20 bytes) and
-- GB/s (10^9 bytes). One row per summary; sd is that of the population (divisor n), as IOR has it.
-- test says in words which test it was: only repetitions of one test may be taken together.
-- Runs that failed or were aborted, and rates without a known unit, are left out; the model
-- left_out names them, and the loading report shows it.
WITH good_ior AS (
    -- CSV has no mark of its end, and so no status.
    SELECT file_id, run_no FROM ior_run
    WHERE status IS NULL OR status IN ('complete', 'check', 'library_run')
),
with_summary AS (
    SELECT
        file_id, 'ior' AS tool, operation, coalesce(repetitions, 1) AS n,
        mean_mib_s, sd_mib_s, min_mib_s, max_mib_s, mean_s,
        tasks, tasks_per_node, aggregate_size_bytes, transfer_size_bytes, file_per_process
    FROM ior_summary
    SEMI JOIN good_ior USING (file_id, run_no)
),
-- Runs inside a benchmark suite print iterations only.
without_summary AS (
    SELECT
        i.file_id, 'ior' AS tool, i.operation, count(*) AS n,
        avg(i.bandwidth_mib_s) AS mean_mib_s, stddev_pop(i.bandwidth_mib_s) AS sd_mib_s,
        min(i.bandwidth_mib_s) AS min_mib_s, max(i.bandwidth_mib_s) AS max_mib_s,
        avg(i.total_s) AS mean_s,
        any_value(t.tasks) AS tasks, any_value(t.tasks_per_node) AS tasks_per_node,
        any_value(t.aggregate_size_bytes) AS aggregate_size_bytes,
        any_value(t.transfer_size_bytes) AS transfer_size_bytes,
        any_value(t.access) = 'file-per-process' AS file_per_process
    FROM ior_iteration i
    JOIN ior_test t USING (file_id, run_no, test_no)
    SEMI JOIN good_ior g ON g.file_id = i.file_id AND g.run_no = i.run_no
    ANTI JOIN ior_summary s ON s.file_id = i.file_id AND s.run_no = i.run_no
    WHERE i.bandwidth_mib_s IS NOT NULL
    GROUP BY i.file_id, i.run_no, i.test_no, i.operation
),
gpfsperf AS (
    SELECT
        file_id, 'gpfsperf' AS tool, any_value(pattern) AS pattern,
        CASE WHEN operation = 'read' THEN 'read' ELSE 'write' END AS operation, count(*) AS n,
        avg(rate_bytes_s) / 1048576 AS mean_mib_s, stddev_pop(rate_bytes_s) / 1048576 AS sd_mib_s,
        min(rate_bytes_s) / 1048576 AS min_mib_s, max(rate_bytes_s) / 1048576 AS max_mib_s,
        avg(total_bytes / rate_bytes_s) AS mean_s,
        any_value(processes * threads_per_process) AS tasks, NULL AS tasks_per_node,
        any_value(total_bytes) AS aggregate_size_bytes,
        any_value(record_size_bytes) AS transfer_size_bytes, NULL AS file_per_process
    FROM gpfsperf_run
    WHERE rate_bytes_s IS NOT NULL AND operation IN ('read', 'write', 'create')
    GROUP BY
        file_id, operation, pattern, record_size_bytes, processes, threads_per_process, total_bytes
)
SELECT
    f.run_id, m.*,
    concat_ws(
        ', ', tool, pattern, tasks || ' tasks', format('{:,} bytes a transfer', transfer_size_bytes),
        format('{:,} bytes in all', aggregate_size_bytes),
        CASE file_per_process WHEN true THEN 'a file per task' WHEN false THEN 'a shared file' END
    ) AS test,
    mean_mib_s * 1048576 / 1e9 AS mean_gb_s, sd_mib_s * 1048576 / 1e9 AS sd_gb_s,
    min_mib_s * 1048576 / 1e9 AS min_gb_s, max_mib_s * 1048576 / 1e9 AS max_gb_s
FROM (
    FROM with_summary
    UNION ALL BY NAME FROM without_summary
    UNION ALL BY NAME FROM gpfsperf
) m
JOIN raw_file f USING (file_id)
