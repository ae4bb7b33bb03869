-- Share of each processor's time, by PCP, of the time counted in all modes: it does not matter in which
-- unit that is printed. Interrupts are of the system; guests are in user.
WITH of_cpu AS (
    SELECT
        run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
        if(metric LIKE 'kernel.all.%', 'all', regexp_replace(instance, '^cpu', '')) AS cpu,
        max(value) FILTER (metric LIKE '%.cpu.user') AS user_part,
        max(value) FILTER (metric LIKE '%.cpu.nice') AS nice_part,
        max(value) FILTER (metric LIKE '%.cpu.sys') AS sys_part,
        max(value) FILTER (metric LIKE '%.cpu.intr') AS intr_part,
        max(value) FILTER (metric LIKE '%.cpu.wait.total') AS iowait_part,
        max(value) FILTER (metric LIKE '%.cpu.steal') AS steal_part,
        max(value) FILTER (metric LIKE '%.cpu.idle') AS idle_part
    FROM pcp_measured
    WHERE metric LIKE 'kernel.all.cpu.%' AND instance IS NULL
        OR metric LIKE 'kernel.percpu.cpu.%' AND instance IS NOT NULL
    GROUP BY run_id, host, time_utc, cpu
),
whole AS (
    SELECT
        *,
        user_part + coalesce(nice_part, 0) + sys_part + coalesce(intr_part, 0)
        + coalesce(iowait_part, 0) + coalesce(steal_part, 0) + idle_part AS all_parts
    FROM of_cpu
)
SELECT
    run_id, file_id, host, time_utc, interval_s, cpu, 100 * user_part / all_parts AS user_percent,
    100 * coalesce(nice_part, 0) / all_parts AS nice_percent,
    100 * (sys_part + coalesce(intr_part, 0)) / all_parts AS system_percent,
    100 * iowait_part / all_parts AS iowait_percent,
    100 * steal_part / all_parts AS steal_percent, 100 * idle_part / all_parts AS idle_percent,
    user_percent + nice_percent + system_percent AS busy_percent
FROM whole
WHERE all_parts > 0
