-- What drawings of a setup are made from: disks with their servers, and hosts with their place in
-- the cluster.

-- One row per disk, in the order of the capture.
CREATE OR REPLACE VIEW cluster_disk AS
SELECT f.run_id, n.file_system, n.nsd, n.servers, n.directly_attached, n.line
FROM scale_nsd n
JOIN raw_file f USING (file_id)
QUALIFY row_number() OVER (PARTITION BY f.run_id, n.file_system, n.nsd ORDER BY f.name, n.line) = 1;

-- One row per node of the cluster, with its number and designation from mmlscluster (an empty text
-- where that prints none; NULL where it was not captured), and with the file systems that
-- it mounts: an empty text where mmlsmount does not list it, NULL where that was not captured.
CREATE OR REPLACE VIEW mounting_node AS
WITH listed AS (
    SELECT
        f.run_id, n.daemon_node, n.admin_node, n.node_number,
        coalesce(n.designation, '') AS designation
    FROM scale_node n
    JOIN raw_file f USING (file_id)
    QUALIFY row_number() OVER (PARTITION BY f.run_id, n.daemon_node ORDER BY f.name, n.line) = 1
),
mount AS (
    SELECT DISTINCT f.run_id, m.file_system, m.node, m.ip_address
    FROM scale_mount m
    JOIN raw_file f USING (file_id)
    WHERE m.node IS NOT NULL
)
SELECT
    c.run_id, c.node, l.admin_node, l.node_number, l.designation, c.ip_address,
    CASE WHEN c.run_id IN (SELECT m.run_id FROM mount m) THEN coalesce((
        SELECT string_agg(DISTINCT m.file_system, ', ' ORDER BY m.file_system)
        FROM mount m
        WHERE m.run_id = c.run_id
            AND (
                m.ip_address = c.ip_address
                OR short_name(m.node) IN (short_name(c.node), short_name(l.admin_node))
            )
    ), '') END AS mounted
FROM cluster_node c
LEFT JOIN listed l ON l.run_id = c.run_id AND l.daemon_node = c.node;

-- One row per host of run.yml or node of the cluster; the two are one where their names agree. The
-- MTU is a text, because the interfaces of a host may have several.
CREATE OR REPLACE VIEW system_host AS
WITH member AS (
    SELECT n.*, coalesce(d.host, a.host, n.node) AS host
    FROM mounting_node n
    LEFT JOIN host d ON d.run_id = n.run_id AND short_name(d.host) = short_name(n.node)
    LEFT JOIN host a ON a.run_id = n.run_id AND short_name(a.host) = short_name(n.admin_node)
),
mtu AS (
    SELECT
        run_id, machine AS host, min(address) AS ip_address,
        string_agg(DISTINCT mtu_bytes::VARCHAR, ' and ' ORDER BY mtu_bytes::VARCHAR) AS mtu_bytes
    FROM interface_mtu
    GROUP BY run_id, machine
),
every AS (
    SELECT run_id, host FROM host
    UNION
    SELECT run_id, host FROM member
)
SELECT
    run_id, host, h.role, h.cpus, h.memory_mib, m.node IS NOT NULL AS in_cluster, m.node,
    m.node_number, m.designation, m.mounted, coalesce(m.ip_address, mtu.ip_address) AS ip_address, mtu.mtu_bytes, c.shown AS page_pool
FROM every
LEFT JOIN host_size h USING (run_id, host)
LEFT JOIN member m USING (run_id, host)
LEFT JOIN mtu USING (run_id, host)
LEFT JOIN cache_setting c ON c.run_id = every.run_id AND c.node = m.node AND c.name = 'pagepool';
