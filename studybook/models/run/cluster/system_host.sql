-- One row per host of run.yml or node of the cluster; the two are one where their names agree. The
-- MTU is a text, because the interfaces of a host may have several.
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
LEFT JOIN cache_setting c ON c.run_id = every.run_id AND c.node = m.node AND c.name = 'pagepool'
