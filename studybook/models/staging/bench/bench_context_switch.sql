-- Time of a context switch by number of processes. An operation of perf bench is two switches: that
-- holds where both processes run on one CPU.
SELECT f.run_id, m.*
FROM (
    SELECT
        file_id, tool, host, system, processes, size_kib, overhead_us, time_per_switch_us, line
    FROM context_switch_latency
    UNION ALL BY NAME
    SELECT
        file_id, 'lat_ctx' AS tool, processes, size_kib, overhead_us, time_per_switch_us, line
    FROM lmbench_context_switch
    UNION ALL BY NAME
    SELECT
        file_id, 'perf bench sched pipe' AS tool, 2 AS processes,
        time_per_operation_us / 2 AS time_per_switch_us, line
    FROM context_switch_pipe
    WHERE time_per_operation_us IS NOT NULL
) m
JOIN raw_file f USING (file_id)
