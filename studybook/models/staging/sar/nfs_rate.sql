-- Calls of NFS, those that a host sends as a client and those that it answers as a server.
WITH printed AS (
    SELECT
        file_id, report_no, time_local, time_utc, set_back, interval_s,
        'client' AS side, calls_per_s,
        reads_per_s, writes_per_s, accesses_per_s, getattrs_per_s, retransmissions_per_s,
        NULL AS bad_calls_per_s, line
    FROM sar_nfs_client
    UNION ALL
    SELECT
        file_id, report_no, time_local, time_utc, set_back, interval_s, 'server', calls_per_s,
        reads_per_s, writes_per_s, accesses_per_s, getattrs_per_s, NULL, bad_calls_per_s, line
    FROM sar_nfs_server
)
SELECT
    run_id, file_id, host, time_utc, interval_s, side, calls_per_s, reads_per_s, writes_per_s,
    accesses_per_s, getattrs_per_s, retransmissions_per_s, bad_calls_per_s
FROM sar_series('printed', side, 0)
