-- Pages that come from the disk and go to it, and what is done to have free ones.
-- Where several tools measured it, one counts (macro of_one_tool).
WITH measured AS (
    SELECT *, 'sar' AS tool FROM paging_by_sar
    UNION ALL BY NAME
    SELECT *, 'nmon' AS tool FROM paging_by_nmon
    UNION ALL BY NAME
    SELECT *, 'vmstat' AS tool FROM paging_by_vmstat
    UNION ALL BY NAME
    SELECT *, 'collectl' AS tool FROM paging_by_collectl
    UNION ALL BY NAME
    SELECT *, 'prometheus' AS tool FROM paging_by_prometheus
    UNION ALL BY NAME
    SELECT *, 'pcp' AS tool FROM paging_by_pcp
)
FROM of_one_tool('measured', true)
