-- Settings as captured, one row each, whatever command printed them.
SELECT
    f.run_id, 'cluster' AS area, 'all nodes' AS scope, u.name, u.value,
    NULL::BIGINT AS value_bytes
FROM (
    UNPIVOT (
        SELECT file_id, cluster_name, uid_domain, repository_type, remote_shell, remote_copy
        FROM scale_cluster
    ) ON COLUMNS (* EXCLUDE file_id) INTO NAME name VALUE value
) u
JOIN raw_file f USING (file_id)
UNION ALL
SELECT f.run_id, 'release', 'the node that was asked', 'build', v.build, NULL
FROM scale_version v JOIN raw_file f USING (file_id)
UNION ALL
SELECT
    f.run_id, if(c.command = 'mmdiag', 'effective configuration', 'configuration'),
    CASE c.scope WHEN 'common' THEN 'all nodes' ELSE coalesce(c.scope, 'the node that was asked') END,
    c.attribute, c.value, c.value_bytes
FROM scale_config c JOIN raw_file f USING (file_id)
UNION ALL
SELECT
    f.run_id, 'file system', coalesce(s.file_system, 'not named in the capture'),
    coalesce(s.flag, s.name), s.value, NULL
FROM scale_filesystem s JOIN raw_file f USING (file_id)
