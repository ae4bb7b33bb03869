-- The host that run.yml names for a file of mmpmon, if the file holds answers of a single node: with
-- several, each node goes by the name in its answers.
SELECT f.run_id, f.file_id, if(count(DISTINCT a.node_ip) = 1, f.host, NULL) AS host
FROM (
    SELECT DISTINCT file_id, node_ip FROM mmpmon_fs_io
    UNION ALL SELECT DISTINCT file_id, node_ip FROM mmpmon_io
    UNION ALL SELECT DISTINCT file_id, node_ip FROM mmpmon_mark
    UNION ALL SELECT DISTINCT file_id, node_ip FROM mmpmon_node_list
) a
JOIN file_clock f USING (file_id)
GROUP BY f.run_id, f.file_id, f.host
