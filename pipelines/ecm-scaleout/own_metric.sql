-- What only this study measures: by its ECM nodes, its NSD servers and its deployment manager.
WITH node AS (
    FROM phase_network WHERE role = 'ecm-node'
),
server AS (
    SELECT d.run_id, d.host, d.read_mib_s, d.write_mib_s, n.sent_mib_s, n.received_mib_s
    FROM phase_disk d
    LEFT JOIN phase_network n USING (run_id, host)
    WHERE d.role = 'nsd-server'
),
of_run AS (
    SELECT run_id, 'nodes_ifl' AS metric, sum(used_ifl) AS value FROM phase_node_cpu GROUP BY run_id
    UNION ALL
    SELECT run_id, 'busiest_node_ifl', max(used_ifl) FROM phase_node_cpu GROUP BY run_id
    UNION ALL
    SELECT run_id, 'node_ifl_spread', max(used_ifl) - min(used_ifl)
    FROM phase_node_cpu GROUP BY run_id
    UNION ALL
    SELECT run_id, 'manager_ifl', sum(used_ifl)
    FROM phase_host_cpu WHERE role = 'deployment-manager' GROUP BY run_id
    UNION ALL
    SELECT run_id, 'node_packets_per_s', avg(received_packets_per_s + sent_packets_per_s)
    FROM node GROUP BY run_id
    UNION ALL
    SELECT run_id, 'node_packets_spread_per_s',
        max(received_packets_per_s + sent_packets_per_s)
            - min(received_packets_per_s + sent_packets_per_s)
    FROM node GROUP BY run_id
    UNION ALL
    SELECT run_id, 'node_received_packets_per_s', avg(received_packets_per_s)
    FROM node GROUP BY run_id
    UNION ALL
    SELECT run_id, 'node_sent_packets_per_s', avg(sent_packets_per_s) FROM node GROUP BY run_id
    UNION ALL
    SELECT run_id, 'node_received_packet_bytes',
        sum(received_mib_s) * 1048576 / nullif(sum(received_packets_per_s), 0)
    FROM node GROUP BY run_id
    UNION ALL
    SELECT run_id, 'node_sent_packet_bytes',
        sum(sent_mib_s) * 1048576 / nullif(sum(sent_packets_per_s), 0)
    FROM node GROUP BY run_id
    UNION ALL
    SELECT run_id, 'largest_server_share', max(read_mib_s) / nullif(sum(read_mib_s), 0)
    FROM server GROUP BY run_id
    UNION ALL
    SELECT run_id, 'server_sent_per_disk_read', sum(sent_mib_s) / nullif(sum(read_mib_s), 0)
    FROM server WHERE sent_mib_s IS NOT NULL GROUP BY run_id
    UNION ALL
    SELECT run_id, 'server_received_per_disk_write',
        sum(received_mib_s) / nullif(sum(write_mib_s), 0)
    FROM server WHERE received_mib_s IS NOT NULL GROUP BY run_id
)
SELECT run_id, metric, MAP {}::MAP(VARCHAR, VARCHAR) AS own, value FROM of_run
UNION ALL
SELECT run_id, 'node_ifl', MAP {'host': host}, used_ifl FROM phase_node_cpu
UNION ALL
SELECT
    t.run_id, 'page_cpu_ms', MAP {'role': t.role},
    1000 * (t.guest_ifl + t.cp_ifl) / d.completed_per_s
FROM processor_time t
JOIN phase_driver d USING (run_id)
WHERE d.kind = 'page' AND d.completed_per_s > 0
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
