-- Traffic of each block device, by the name that Linux gives it.
-- Where several tools measured it, one counts (macro of_one_tool).
WITH measured AS (
    SELECT *, 'sar' AS tool FROM disk_rate_by_sar
    UNION ALL BY NAME
    SELECT *, 'nmon' AS tool FROM disk_rate_by_nmon
    UNION ALL BY NAME
    SELECT *, 'iostat' AS tool FROM disk_rate_by_iostat
    UNION ALL BY NAME
    SELECT *, 'collectl' AS tool FROM disk_rate_by_collectl
    UNION ALL BY NAME
    SELECT *, 'prometheus' AS tool FROM disk_rate_by_prometheus
    UNION ALL BY NAME
    SELECT *, 'pcp' AS tool FROM disk_rate_by_pcp
)
FROM of_one_tool('measured', true)
