-- One row for each node and setting: a section of its own overrules what is common to all, and of
-- several sections the last. basis: whether it holds for all nodes, for the node by name, or for a
-- class that it belongs to.
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
) = 1
