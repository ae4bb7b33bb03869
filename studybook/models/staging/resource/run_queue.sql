-- Processes that wait for a processor, and the load averages of Linux.
-- Where several tools measured it, one counts (macro of_one_tool).
WITH measured AS (
    SELECT *, 'sar' AS tool FROM sar_run_queue
    UNION ALL BY NAME
    SELECT *, 'nmon' AS tool FROM nmon_run_queue
    UNION ALL BY NAME
    SELECT *, 'vmstat' AS tool FROM vmstat_run_queue
)
FROM of_one_tool('measured', true)
