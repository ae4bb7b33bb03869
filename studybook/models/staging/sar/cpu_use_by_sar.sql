-- Share of each processor's time. busy is what was done here: user, nice and system; what the
-- hypervisor gave to others is steal. -u ALL counts interrupts and guests apart, -u does not; they
-- are brought to the columns of -u, and an interval that both report counts once.
WITH printed AS (
    SELECT
        file_id, report_no, time_local, time_utc, set_back, interval_s,
        cpu, user_percent, nice_percent,
        system_percent, iowait_percent, steal_percent, idle_percent, line, 1 AS choice
    FROM sar_cpu
    UNION ALL
    SELECT
        file_id, report_no, time_local, time_utc, set_back, interval_s, cpu,
        usr_percent + coalesce(guest_percent, 0), nice_percent + coalesce(gnice_percent, 0),
        sys_percent + irq_percent + soft_percent, iowait_percent, steal_percent, idle_percent,
        line, 2
    FROM sar_cpu_all
)
SELECT
    run_id, file_id, host, time_utc, interval_s, cpu, user_percent, nice_percent, system_percent,
    iowait_percent, steal_percent, idle_percent,
    user_percent + nice_percent + system_percent AS busy_percent
FROM sar_series('printed', cpu, choice)
