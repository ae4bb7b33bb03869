-- mmpmon: counters as rates, from the time stamps of the samples themselves. Counters are
-- cumulative; a drop is a reset (remount, restart, mmpmon reset) and gives no rate. No rate is
-- ever negative, and none is set to 0 to hide a reset.

-- The host that run.yml names for a file, if the file holds answers of a single node: with
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
