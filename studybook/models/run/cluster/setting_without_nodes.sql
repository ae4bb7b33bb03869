-- Settings of node classes whose members no capture gives: which nodes they hold for is not known.
SELECT s.run_id, s.name, s.value, s.value_bytes, s.scope
FROM setting_scope s
WHERE s.scope <> 'common' AND NOT s.is_node
    AND EXISTS (
        FROM cluster_node n
        WHERE n.run_id = s.run_id
            AND in_node_class(s.scope, n.role, n.quorum, n.manager) IS NULL
    )
