-- One row per sample of a node, all its mounted file systems together, as file_system_rate has them.
-- An unmount takes the file system's share out of the counters and shows as a reset.
SELECT
    run_id, file_id, host, node_ip, time_utc, interval_s, state,
    mib_s(read_bytes, interval_s) AS read_mib_s, mib_s(written_bytes, interval_s) AS write_mib_s,
    reads / interval_s AS reads_per_s, writes / interval_s AS writes_per_s,
    opens / interval_s AS opens_per_s, closes / interval_s AS closes_per_s,
    readdirs / interval_s AS readdirs_per_s, inode_updates / interval_s AS inode_updates_per_s,
    mean_kib(read_bytes, reads) AS mean_read_kib, mean_kib(written_bytes, writes) AS mean_write_kib,
    read_bytes, written_bytes, reads, writes, opens, closes, readdirs, inode_updates
FROM mmpmon_rate
WHERE request = 'io_s'
