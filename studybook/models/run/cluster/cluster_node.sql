-- Nodes of the cluster as mmlscluster lists them, or else those that server lists and run.yml name.
-- role: a server stands in the list of some disk, or has that role in run.yml; every other node is a
-- client, also one that reaches the disks itself.
WITH named AS (
    SELECT
        f.run_id, n.daemon_node AS node, n.ip_address, n.designation, n.quorum, n.manager,
        1 AS place, n.line
    FROM scale_node n
    JOIN raw_file f USING (file_id)
    UNION ALL
    SELECT run_id, server, NULL, NULL, NULL, NULL, 2, NULL FROM nsd_server
    UNION ALL
    SELECT run_id, host, NULL, NULL, NULL, NULL, 3, NULL
    FROM host
    WHERE kind IN ('file-client', 'file-server')
        AND run_id IN (SELECT run_id FROM raw_file WHERE source = 'scale')
),
server AS (
    SELECT run_id, short_name(server) AS node FROM nsd_server
    UNION
    SELECT run_id, short_name(host) FROM host WHERE kind = 'file-server'
)
SELECT
    run_id, node, ip_address, designation, quorum, manager,
    if((run_id, short_name(node)) IN (SELECT (run_id, node) FROM server), 'server', 'client')
        AS role
FROM named
-- Where mmlscluster was captured, it has all nodes; what was captured twice counts once.
QUALIFY (place = 1 OR min(place) OVER (PARTITION BY run_id) > 1)
    AND row_number() OVER (
        PARTITION BY run_id, short_name(node) ORDER BY place, line DESC NULLS LAST
    ) = 1
