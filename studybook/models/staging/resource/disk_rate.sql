-- Traffic of each block device, by the name that Linux gives it.
-- Where several tools measured it, one counts (macro of_one_tool).
WITH measured AS (
    SELECT *, 'sar' AS tool FROM sar_disk_rate
    UNION ALL BY NAME
    SELECT *, 'nmon' AS tool FROM nmon_disk_rate
    UNION ALL BY NAME
    SELECT *, 'iostat' AS tool FROM iostat_disk_rate
)
FROM of_one_tool('measured', true)
