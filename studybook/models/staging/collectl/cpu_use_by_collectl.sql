-- Share of each processor's time, by collectl. Interrupts are of the system; guests are in user. On a
-- terminal it prints two sums only: what is neither idle nor waiting, and the part of the system.
WITH of_cpu AS (
    SELECT
        run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
        coalesce(item, 'all') AS cpu,
        max(value) FILTER (name = 'User%') AS printed_user,
        max(value) FILTER (name = 'Nice%') AS nice_percent,
        max(value) FILTER (name = 'Sys%') AS printed_system,
        max(value) FILTER (name = 'Irq%') AS irq_percent,
        max(value) FILTER (name = 'Soft%') AS soft_percent,
        max(value) FILTER (name = 'Wait%') AS iowait_percent,
        max(value) FILTER (name = 'Steal%') AS steal_percent,
        max(value) FILTER (name = 'Idle%') AS idle_percent,
        max(value) FILTER (name = 'Totl%') AS total_percent
    FROM collectl_value
    WHERE part = 'CPU'
    GROUP BY run_id, host, time_utc, cpu
)
SELECT
    run_id, file_id, host, time_utc, interval_s, cpu,
    coalesce(printed_user, total_percent - printed_system) AS user_percent,
    coalesce(of_cpu.nice_percent, 0) AS nice_percent,
    printed_system + coalesce(irq_percent, 0) + coalesce(soft_percent, 0) AS system_percent,
    iowait_percent, steal_percent, idle_percent,
    user_percent + coalesce(of_cpu.nice_percent, 0) + system_percent AS busy_percent
FROM of_cpu
WHERE printed_system IS NOT NULL
