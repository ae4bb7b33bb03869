-- One row per node of the cluster, with its number and designation from mmlscluster (an empty text
-- where that prints none; NULL where it was not captured), and with the file systems that
-- it mounts: an empty text where mmlsmount does not list it, NULL where that was not captured.
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
LEFT JOIN listed l ON l.run_id = c.run_id AND l.daemon_node = c.node
