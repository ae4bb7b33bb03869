-- Share of each processor's time, by node_exporter. Interrupts are of the system, guests of the user.
-- Shares are of the time counted in all modes, where those that make up most of it are there.
WITH each_mode AS (
    -- Of a host that is scraped by two jobs, one counts.
    SELECT
        run_id, min(file_id) AS file_id, host, time_utc, max(interval_s) AS interval_s, cpu, mode,
        max(increase) AS spent_s
    FROM prometheus_value
    WHERE metric = 'node_cpu_seconds_total' AND cpu IS NOT NULL
        AND mode IN ('user', 'nice', 'system', 'irq', 'softirq', 'iowait', 'steal', 'idle')
    GROUP BY run_id, host, time_utc, cpu, mode
    HAVING max(increase) IS NOT NULL
),
-- A processor whose counters began anew is left out.
each_cpu AS (
    SELECT
        run_id, min(file_id) AS file_id, host, time_utc, max(interval_s) AS interval_s, cpu,
        sum(spent_s) AS all_s, sum(spent_s) FILTER (mode = 'user') AS user_s,
        coalesce(sum(spent_s) FILTER (mode = 'nice'), 0) AS nice_s,
        sum(spent_s) FILTER (mode IN ('system', 'irq', 'softirq')) AS system_s,
        sum(spent_s) FILTER (mode = 'iowait') AS iowait_s,
        sum(spent_s) FILTER (mode = 'steal') AS steal_s,
        sum(spent_s) FILTER (mode = 'idle') AS idle_s
    FROM each_mode
    GROUP BY run_id, host, time_utc, cpu
    HAVING count_if(mode IN ('user', 'system', 'idle')) = 3 AND sum(spent_s) > 0
),
number AS (
    SELECT run_id, host, count(DISTINCT cpu) AS cpus
    FROM each_mode
    GROUP BY run_id, host
),
-- All together are told where most of them are known.
together AS (
    SELECT
        e.run_id, min(e.file_id) AS file_id, e.host, e.time_utc, max(e.interval_s) AS interval_s,
        'all' AS cpu, sum(all_s) AS all_s, sum(user_s) AS user_s, sum(nice_s) AS nice_s,
        sum(system_s) AS system_s, sum(iowait_s) AS iowait_s, sum(steal_s) AS steal_s,
        sum(idle_s) AS idle_s
    FROM each_cpu e
    JOIN number n ON n.run_id = e.run_id AND n.host IS NOT DISTINCT FROM e.host
    GROUP BY e.run_id, e.host, e.time_utc
    HAVING 2 * count(*) > any_value(n.cpus)
)
SELECT
    run_id, file_id, host, time_utc, interval_s, cpu, 100 * user_s / all_s AS user_percent,
    100 * nice_s / all_s AS nice_percent, 100 * system_s / all_s AS system_percent,
    100 * iowait_s / all_s AS iowait_percent, 100 * steal_s / all_s AS steal_percent,
    100 * idle_s / all_s AS idle_percent, 100 * (user_s + nice_s + system_s) / all_s AS busy_percent
FROM (FROM each_cpu UNION ALL FROM together)
