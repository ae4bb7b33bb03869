-- Memory of each host.
-- Where several tools measured it, one counts (macro of_one_tool).
WITH measured AS (
    SELECT *, 'sar' AS tool FROM sar_memory
    UNION ALL BY NAME
    SELECT *, 'nmon' AS tool FROM nmon_memory
    UNION ALL BY NAME
    SELECT *, 'vmstat' AS tool FROM vmstat_memory
)
FROM of_one_tool('measured', true)
