-- Share of each processor's time. busy is what was done here: user, nice and system.
-- Where several tools measured it, one counts (macro of_one_tool).
WITH measured AS (
    SELECT *, 'sar' AS tool FROM sar_cpu_use
    UNION ALL BY NAME
    SELECT *, 'nmon' AS tool FROM nmon_cpu_use
    UNION ALL BY NAME
    SELECT *, 'mpstat' AS tool FROM mpstat_cpu_use
    UNION ALL BY NAME
    SELECT *, 'iostat' AS tool FROM iostat_cpu_use
    UNION ALL BY NAME
    SELECT *, 'vmstat' AS tool FROM vmstat_cpu_use
)
FROM of_one_tool('measured', cpu = 'all')
