-- One number per run and host for each metric of a host; own: the factors by which it is told apart.
-- The direction is that of the data, seen from the host.
SELECT run_id, 'node_ifl' AS metric, MAP {'host': host} AS own, used_ifl AS value
FROM phase_node_cpu
UNION ALL
SELECT run_id, 'server_mib_s', MAP {'host': host, 'direction': 'read'}, read_mib_s
FROM phase_disk WHERE role = 'nsd-server'
UNION ALL
SELECT run_id, 'server_mib_s', MAP {'host': host, 'direction': 'write'}, write_mib_s
FROM phase_disk WHERE role = 'nsd-server'
UNION ALL
SELECT run_id, 'server_mib_s', MAP {'host': host, 'direction': 'transmitted'}, sent_mib_s
FROM phase_network WHERE role = 'nsd-server'
UNION ALL
SELECT run_id, 'server_mib_s', MAP {'host': host, 'direction': 'received'}, received_mib_s
FROM phase_network WHERE role = 'nsd-server'
