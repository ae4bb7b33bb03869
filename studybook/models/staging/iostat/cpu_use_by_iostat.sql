-- Share of the time of all processors together, by iostat.
WITH placed AS (
    FROM iostat_stamped('iostat_cpu') WHERE time_utc IS NOT NULL
)
SELECT
    run_id, file_id, host, time_utc, interval_s, 'all' AS cpu, user_percent, nice_percent,
    system_percent, iowait_percent, steal_percent, idle_percent,
    user_percent + nice_percent + system_percent AS busy_percent
FROM one_series('placed', true)
