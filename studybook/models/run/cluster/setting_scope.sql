-- The sections of mmlsconfig, one row for each node or class that heads one.
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
FROM listed l
