-- Swap space, and swapping.
-- Where several tools measured it, one counts (macro of_one_tool).
WITH measured AS (
    SELECT *, 'sar' AS tool FROM swap_by_sar
    UNION ALL BY NAME
    SELECT *, 'nmon' AS tool FROM swap_by_nmon
    UNION ALL BY NAME
    SELECT *, 'vmstat' AS tool FROM swap_by_vmstat
    UNION ALL BY NAME
    SELECT *, 'collectl' AS tool FROM swap_by_collectl
    UNION ALL BY NAME
    SELECT *, 'prometheus' AS tool FROM swap_by_prometheus
    UNION ALL BY NAME
    SELECT *, 'pcp' AS tool FROM swap_by_pcp
)
FROM of_one_tool('measured', true)
