-- Context switches, and processes that were created.
-- Where several tools measured it, one counts (macro of_one_tool).
WITH measured AS (
    SELECT *, 'sar' AS tool FROM sar_context_switch
    UNION ALL BY NAME
    SELECT *, 'nmon' AS tool FROM nmon_context_switch
    UNION ALL BY NAME
    SELECT *, 'vmstat' AS tool FROM vmstat_context_switch
)
FROM of_one_tool('measured', true)
