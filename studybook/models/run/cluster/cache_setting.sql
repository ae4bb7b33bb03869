-- The settings of the caches on each node as numbers, and as text. A full listing leaves out what is
-- the default of release 4.2; one attribute asked for, or a class that nobody knows the members of,
-- leaves the number open.
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
WHERE n.run_id IN (SELECT run_id FROM setting_scope)
