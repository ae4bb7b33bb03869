-- One number per run for each metric that is a mean over the stable phase. A run is one repetition.
WITH -- Who does the input and output of the file system: NSD servers where there are some.
disk AS (
    FROM phase_disk
    WHERE role IN ('ecm-node', 'nsd-server')
    QUALIFY role = 'nsd-server' OR NOT bool_or(role = 'nsd-server') OVER (PARTITION BY run_id)
),
node AS (
    FROM phase_network WHERE role = 'ecm-node'
),
-- FileNet P8: one guest has both engines, CE and PE.
ce_pe AS (
    SELECT
        s.run_id, d.completed_per_s, s.ce_pe_cpus,
        sum(h.used_ifl) FILTER (h.role = 'ecm-node') AS ce_pe_ifl,
        sum(h.used_ifl) FILTER (h.role = 'database') AS db_ifl
    FROM setup s
    LEFT JOIN phase_driver d USING (run_id)
    LEFT JOIN phase_host_cpu h USING (run_id)
    WHERE s.ce_pe_cpus IS NOT NULL
    GROUP BY ALL
)
SELECT run_id, 'response_ms' AS metric, response_ms AS value FROM phase_driver
UNION ALL
SELECT run_id, 'pages_per_s', completed_per_s FROM phase_driver
UNION ALL
SELECT run_id, 'active_users', users FROM phase_driver WHERE users IS NOT NULL
UNION ALL
SELECT run_id, 'total_ifl', sum(used_ifl) FROM phase_ifl WHERE chosen GROUP BY run_id
UNION ALL
SELECT run_id, 'nodes_ifl', sum(used_ifl) FROM phase_node_cpu GROUP BY run_id
UNION ALL
SELECT run_id, 'busiest_node_ifl', max(used_ifl) FROM phase_node_cpu GROUP BY run_id
UNION ALL
SELECT run_id, 'node_ifl_spread', max(used_ifl) - min(used_ifl) FROM phase_node_cpu GROUP BY run_id
UNION ALL
SELECT run_id, 'node_packets_per_s', avg(received_packets_per_s + sent_packets_per_s)
FROM node GROUP BY run_id
UNION ALL
SELECT run_id, 'node_packets_spread_per_s',
    max(received_packets_per_s + sent_packets_per_s)
        - min(received_packets_per_s + sent_packets_per_s)
FROM node GROUP BY run_id
UNION ALL
SELECT run_id, 'node_received_packets_per_s', avg(received_packets_per_s) FROM node GROUP BY run_id
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
SELECT run_id, 'disk_read_mib_s', sum(read_mib_s) FROM disk GROUP BY run_id
UNION ALL
SELECT run_id, 'disk_write_mib_s', sum(write_mib_s) FROM disk GROUP BY run_id
UNION ALL
SELECT run_id, 'disk_mib_s', sum(read_mib_s + write_mib_s) FROM disk GROUP BY run_id
UNION ALL
SELECT run_id, 'largest_server_share', max(read_mib_s) / nullif(sum(read_mib_s), 0)
FROM disk WHERE role = 'nsd-server' GROUP BY run_id
UNION ALL
SELECT d.run_id, 'server_sent_per_disk_read', sum(n.sent_mib_s) / nullif(sum(d.read_mib_s), 0)
FROM disk d JOIN phase_network n USING (run_id, host)
WHERE d.role = 'nsd-server' GROUP BY d.run_id
UNION ALL
SELECT d.run_id, 'server_received_per_disk_write',
    sum(n.received_mib_s) / nullif(sum(d.write_mib_s), 0)
FROM disk d JOIN phase_network n USING (run_id, host)
WHERE d.role = 'nsd-server' GROUP BY d.run_id
UNION ALL
SELECT run_id, 'file_system_read_mib_s', sum(read_mib_s) FROM phase_file_system GROUP BY run_id
UNION ALL
SELECT run_id, 'file_system_write_mib_s', sum(write_mib_s) FROM phase_file_system GROUP BY run_id
UNION ALL
SELECT run_id, 'operations_per_s', completed_per_s FROM ce_pe
UNION ALL
SELECT run_id, 'ce_pe_ifl', ce_pe_ifl FROM ce_pe
UNION ALL
-- By the guest itself, if it tells: the hypervisor counts its own work for the guest, too.
SELECT run_id, 'ce_pe_busy_percent', coalesce(c.busy_percent, 100 * ce_pe_ifl / ce_pe_cpus)
FROM ce_pe LEFT JOIN (FROM phase_cpu WHERE role = 'ecm-node') c USING (run_id)
UNION ALL
SELECT run_id, 'ce_pe_cpu_ms_per_operation', 1000 * ce_pe_ifl / completed_per_s FROM ce_pe
UNION ALL
SELECT run_id, 'db_ifl', db_ifl FROM ce_pe
UNION ALL
-- Not weighted: as the document has it, each group counts the same.
SELECT run_id, lower(engine) || '_response_ms', avg(response_ms)
FROM phase_operation GROUP BY run_id, engine
UNION ALL
SELECT run_id, lower(engine) || '_slowest_ms', max(response_ms)
FROM phase_operation GROUP BY run_id, engine
