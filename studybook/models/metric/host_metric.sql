-- Metrics of which a run has several values, told apart by own: by host and its role, or by
-- direction. The direction is that of the data, seen from the host.
SELECT run_id, metric, own, value, 'own_metric' AS from_model
FROM own_metric
WHERE cardinality(own) > 0
UNION ALL
SELECT run_id, metric, own, value, 'mapped_metric' FROM mapped_metric WHERE cardinality(own) > 0
UNION ALL
SELECT run_id, 'cpu_busy_percent', host_and_role(host, role), busy_percent, 'phase_cpu'
FROM phase_cpu
UNION ALL
SELECT run_id, 'memory_used_percent', host_and_role(host, role), used_percent, 'phase_memory'
FROM phase_memory
UNION ALL
SELECT run_id, metric, host_and_role(host, role), value, 'phase_scheduler'
FROM phase_scheduler
UNPIVOT (value FOR metric IN (context_switches_per_s, runnable_tasks))
UNION ALL
SELECT run_id, metric, host_and_role(host, role), value, 'phase_disk'
FROM (
    SELECT run_id, host, role, busy_percent AS disk_busy_percent, await_ms AS disk_await_ms
    FROM phase_disk
)
UNPIVOT (value FOR metric IN (disk_busy_percent, disk_await_ms))
