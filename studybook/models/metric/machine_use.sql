-- What the processors of a machine did during a run: shares of all of them, means over the run.
-- Steal is what the hypervisor gave to others while this machine had work to do.
SELECT
    run_id, host, sum(interval_s) AS seconds,
    sum(interval_s * busy_percent) / sum(interval_s) AS machine_busy_percent,
    sum(interval_s * iowait_percent) / sum(interval_s) AS machine_iowait_percent,
    sum(interval_s * steal_percent) / sum(interval_s) AS machine_steal_percent
FROM cpu_use
WHERE cpu = 'all' AND interval_s > 0
GROUP BY run_id, host
