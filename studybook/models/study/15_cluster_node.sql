-- The nodes of a Spectrum Scale cluster, and which settings hold for each of them.

-- Counts as they are typed: 20000, or 20k for twenty thousand.
CREATE OR REPLACE MACRO setting_number(value) AS
    CASE
        WHEN regexp_full_match(value, '[0-9]+') THEN value::DOUBLE
        WHEN regexp_full_match(lower(value), '[0-9]+k') THEN value[:-2]::DOUBLE * 1000
        WHEN regexp_full_match(lower(value), '[0-9]+m') THEN value[:-2]::DOUBLE * 1000000
    END;

-- Bytes as people read them: 2 GiB, 512 MiB.
CREATE OR REPLACE MACRO binary_size(bytes) AS
    if(bytes % 1073741824 = 0, printf('%d GiB', (bytes // 1073741824)::BIGINT),
        printf('%.6g MiB', bytes / 1048576));

-- Nodes are named with their domain by one command and without by another.
CREATE OR REPLACE MACRO short_name(name) AS
    lower(if(regexp_full_match(name, '[0-9.:]+'), name, split_part(name, '.', 1)));

-- As mmlscluster lists them, or else those that server lists and run.yml name. role: a server
-- stands in the list of some disk, or has that role in run.yml; every other node is a client,
-- also one that reaches the disks itself.
CREATE OR REPLACE VIEW cluster_node AS
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
    WHERE role IN ('ecm-node', 'nsd-client', 'nsd-server')
        AND run_id IN (SELECT run_id FROM raw_file WHERE source = 'scale')
),
server AS (
    SELECT run_id, short_name(server) AS node FROM nsd_server
    UNION
    SELECT run_id, short_name(host) FROM host WHERE role = 'nsd-server'
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
    ) = 1;

-- Whether a node belongs to a node class; NULL where no capture says so. User-defined classes are
-- known by their names only: what is named after NSDs or servers is taken for the servers.
CREATE OR REPLACE MACRO in_node_class(class, role, quorum, manager) AS
    CASE lower(class)
        WHEN 'all' THEN true
        WHEN 'nsdnodes' THEN role = 'server'
        WHEN 'nonnsdnodes' THEN role = 'client'
        WHEN 'quorumnodes' THEN quorum
        WHEN 'nonquorumnodes' THEN NOT quorum
        WHEN 'managernodes' THEN manager
        WHEN 'clientnodes' THEN NOT manager
        ELSE CASE
            WHEN regexp_matches(lower(class), 'client|compute') THEN role = 'client'
            WHEN regexp_matches(lower(class), 'nsd|server') THEN role = 'server'
        END
    END;

-- The sections of mmlsconfig, one row for each node or class that heads one.
CREATE OR REPLACE VIEW setting_scope AS
WITH listed AS (
    SELECT
        f.run_id, c.attribute AS name, c.value, c.value_bytes, c.file_id, c.line,
        unnest(string_split(coalesce(c.scope, 'common'), ',')) AS part
    FROM scale_config c
    JOIN raw_file f USING (file_id)
    WHERE c.command = 'mmlsconfig'
)
SELECT
    l.* EXCLUDE (part), trim(l.part) AS scope,
    EXISTS (
        FROM cluster_node n WHERE n.run_id = l.run_id AND short_name(n.node) = short_name(trim(l.part))
    ) AS is_node
FROM listed l;

-- One row for each node and setting: a section of its own overrules what is common to all, and of
-- several sections the last. basis: whether it holds for all nodes, for the node by name, or for a
-- class that it belongs to.
CREATE OR REPLACE VIEW node_setting AS
SELECT
    n.run_id, n.node, n.role, s.name, s.value, s.value_bytes,
    CASE
        WHEN s.scope = 'common' THEN 'all nodes'
        WHEN s.is_node THEN 'the node'
        ELSE 'the class ' || s.scope
    END AS basis
FROM cluster_node n
JOIN setting_scope s
    ON s.run_id = n.run_id
    AND CASE
        WHEN s.scope = 'common' THEN true
        WHEN s.is_node THEN short_name(s.scope) = short_name(n.node)
        ELSE in_node_class(s.scope, n.role, n.quorum, n.manager)
    END
QUALIFY row_number() OVER (
    PARTITION BY n.run_id, n.node, s.name
    ORDER BY s.scope <> 'common' DESC, s.file_id DESC, s.line DESC
) = 1;

-- Settings of node classes whose members no capture gives: which nodes they hold for is not known.
CREATE OR REPLACE VIEW setting_without_nodes AS
SELECT s.run_id, s.name, s.value, s.value_bytes, s.scope
FROM setting_scope s
WHERE s.scope <> 'common' AND NOT s.is_node
    AND EXISTS (
        FROM cluster_node n
        WHERE n.run_id = s.run_id
            AND in_node_class(s.scope, n.role, n.quorum, n.manager) IS NULL
    );

-- The settings of the caches on each node as numbers, and as text. A full listing leaves out what is
-- the default of release 4.2; one attribute asked for, or a class that nobody knows the members of,
-- leaves the number open.
CREATE OR REPLACE VIEW cache_setting AS
WITH preset AS (
    FROM (VALUES
        ('pagepool', 1073741824::BIGINT), ('maxFilesToCache', 4000), ('maxStatCache', 1000)
    ) p (name, number)
),
full_listing AS (
    SELECT DISTINCT run_id FROM setting_scope WHERE name = 'clusterName'
),
doubtful AS (
    SELECT run_id, name, string_agg(value || ' for the class ' || scope, ', ') AS said
    FROM setting_without_nodes
    GROUP BY run_id, name
)
SELECT
    n.run_id, n.node, n.role, p.name,
    CASE
        WHEN d.said IS NOT NULL THEN NULL
        WHEN s.name IS NOT NULL THEN coalesce(s.value_bytes, setting_number(s.value))
        WHEN f.run_id IS NOT NULL THEN p.number
    END AS number,
    CASE
        WHEN d.said IS NOT NULL THEN concat_ws(' or ', s.value, d.said)
        WHEN s.name IS NOT NULL THEN coalesce(binary_size(s.value_bytes), s.value)
            || if(starts_with(s.basis, 'the class '), ' (' || s.basis[5:] || ')', '')
        WHEN f.run_id IS NULL THEN 'not in the capture'
        WHEN p.name = 'pagepool' THEN binary_size(p.number) || ' (default)'
        ELSE p.number || ' (default)'
    END AS shown
FROM cluster_node n
CROSS JOIN preset p
LEFT JOIN node_setting s ON s.run_id = n.run_id AND s.node = n.node AND s.name = p.name
LEFT JOIN full_listing f ON f.run_id = n.run_id
LEFT JOIN doubtful d ON d.run_id = n.run_id AND d.name = p.name
WHERE n.run_id IN (SELECT run_id FROM setting_scope);
