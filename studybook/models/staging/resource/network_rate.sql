-- Traffic of each network interface.
-- Where several tools measured it, one counts (macro of_one_tool).
WITH measured AS (
    SELECT *, 'sar' AS tool FROM sar_network_rate
    UNION ALL BY NAME
    SELECT *, 'nmon' AS tool FROM nmon_network_rate
)
FROM of_one_tool('measured', true)
