-- Every sample of counters: of one file system on one node, or (file_system NULL, request io_s)
-- of the whole node.
SELECT
    f.run_id,
    s.* REPLACE (
        coalesce(f.host, s.host) AS host,
        utc_of(s.time_utc, NULL::TIMESTAMP, NULL::VARCHAR, h.clock_offset_s) AS time_utc)
FROM (
    SELECT 'fs_io_s' AS request, file_id, line, host, node_ip, time_utc, rc, cluster, file_system,
        read_bytes, written_bytes, opens, closes, reads, writes, readdirs, inode_updates
    FROM mmpmon_fs_io
    UNION ALL
    SELECT 'io_s', file_id, line, host, node_ip, time_utc, rc, NULL, NULL,
        read_bytes, written_bytes, opens, closes, reads, writes, readdirs, inode_updates
    FROM mmpmon_io
) s
JOIN mmpmon_single_host f USING (file_id)
LEFT JOIN host h ON h.run_id = f.run_id AND h.host = coalesce(f.host, s.host)
