-- Share of each processor's time. busy is what was done here: user, nice and system.
-- Where several tools measured it, one counts (macro of_one_tool).
-- Most tools print rounded parts: where those add up to a little more than all of the time, it is all.
WITH measured AS (
    SELECT *, 'sar' AS tool FROM cpu_use_by_sar
    UNION ALL BY NAME
    SELECT *, 'nmon' AS tool FROM cpu_use_by_nmon
    UNION ALL BY NAME
    SELECT *, 'mpstat' AS tool FROM cpu_use_by_mpstat
    UNION ALL BY NAME
    SELECT *, 'iostat' AS tool FROM cpu_use_by_iostat
    UNION ALL BY NAME
    SELECT *, 'vmstat' AS tool FROM cpu_use_by_vmstat
    UNION ALL BY NAME
    SELECT *, 'collectl' AS tool FROM cpu_use_by_collectl
    UNION ALL BY NAME
    SELECT *, 'prometheus' AS tool FROM cpu_use_by_prometheus
    UNION ALL BY NAME
    SELECT *, 'pcp' AS tool FROM cpu_use_by_pcp
)
SELECT * REPLACE (of_rounded_percents(busy_percent) AS busy_percent)
FROM of_one_tool('measured', cpu = 'all')
