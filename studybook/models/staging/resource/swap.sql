-- Swap space, and swapping.
-- Where several tools measured it, one counts (macro of_one_tool).
WITH measured AS (
    SELECT *, 'sar' AS tool FROM sar_swap
    UNION ALL BY NAME
    SELECT *, 'nmon' AS tool FROM nmon_swap
    UNION ALL BY NAME
    SELECT *, 'vmstat' AS tool FROM vmstat_swap
)
FROM of_one_tool('measured', true)
