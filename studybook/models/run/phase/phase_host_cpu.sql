-- Processors in use by each host of a role, as the hypervisor counts them, or else as the hosts do.
SELECT run_id, host, role, used_ifl, 'the Performance Toolkit' AS counted_by
FROM phase_guest
WHERE role IS NOT NULL
UNION ALL
SELECT c.run_id, c.host, c.role, c.used_ifl, 'sar'
FROM phase_cpu c ANTI JOIN phase_guest g ON g.run_id = c.run_id AND g.role = c.role
WHERE c.used_ifl IS NOT NULL
