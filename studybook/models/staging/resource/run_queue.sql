-- Processes that run or wait for a processor, and the load averages of Linux.
-- Where several tools measured it, one counts (macro of_one_tool).
WITH measured AS (
    SELECT *, 'sar' AS tool FROM run_queue_by_sar
    UNION ALL BY NAME
    SELECT *, 'nmon' AS tool FROM run_queue_by_nmon
    UNION ALL BY NAME
    SELECT *, 'vmstat' AS tool FROM run_queue_by_vmstat
    UNION ALL BY NAME
    SELECT *, 'collectl' AS tool FROM run_queue_by_collectl
    UNION ALL BY NAME
    SELECT *, 'prometheus' AS tool FROM run_queue_by_prometheus
    UNION ALL BY NAME
    SELECT *, 'pcp' AS tool FROM run_queue_by_pcp
)
FROM of_one_tool('measured', true)
