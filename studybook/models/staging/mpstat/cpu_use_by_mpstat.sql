-- Share of each processor's time, by mpstat, which counts interrupts and guests apart: they are
-- brought to the columns of sar -u. A sample without length is the mean since the host was booted.
WITH placed AS (
    SELECT
        s.run_id, s.host,
        utc_of_pass(r.time_utc, r.time_local, r.set_back, s.zone, s.clock_offset_s) AS time_utc,
        r.* EXCLUDE (time_utc, time_local)
    FROM mpstat_cpu r
    JOIN mpstat_source s USING (file_id, report_no)
    WHERE r.user_percent IS NOT NULL AND r.interval_s IS DISTINCT FROM 0
)
SELECT
    run_id, file_id, host, time_utc, interval_s, cpu,
    p.user_percent + coalesce(guest_percent, 0) AS user_percent,
    p.nice_percent + coalesce(gnice_percent, 0) AS nice_percent,
    p.system_percent + coalesce(irq_percent, 0) + coalesce(soft_percent, 0) AS system_percent,
    iowait_percent, steal_percent, idle_percent,
    p.user_percent + coalesce(guest_percent, 0) + p.nice_percent + coalesce(gnice_percent, 0)
        + p.system_percent + coalesce(irq_percent, 0) + coalesce(soft_percent, 0) AS busy_percent
FROM one_series('placed', cpu) p
