-- Throughput by number of processes, in MiB/s (2^20 bytes) and MB/s (10^6). dbench: all clients
-- together. iozone: the sum of what each process saw; parent_mib_s is by the clock of the whole, and
-- lower. overlapped is false where not all processes worked all the time, inaccurate is true where
-- iozone says so of small files. One row is one measurement; repetitions are rows of the same
-- settings. What failed, was stopped, or has no known unit is left out, and left_out names it.
WITH measured AS (
    SELECT
        file_id, 'dbench' AS tool, coalesce(program, 'dbench') AS test, processes, rate_bytes_s,
        max_latency_ms, sync_open, line
    FROM dbench_run
    WHERE status = 'complete' AND rate_bytes_s IS NOT NULL
    UNION ALL BY NAME
    SELECT
        t.file_id, 'iozone' AS tool, t.test, t.processes, t.children_kib_s * 1024 AS rate_bytes_s,
        t.parent_kib_s / 1024 AS parent_mib_s, t.file_size_kib, t.record_size_kib,
        t.min_transfer_kib >= t.file_size_kib AS overlapped, t.line
    FROM iozone_throughput t
    JOIN iozone_run r USING (file_id, run_no)
    WHERE r.status = 'complete'
    UNION ALL BY NAME
    SELECT
        c.file_id, 'iozone' AS tool, c.test, 1 AS processes, c.rate_kib_s * 1024 AS rate_bytes_s,
        c.file_size_kib, c.record_size_kib,
        coalesce(c.file_size_kib <= r.inaccurate_to_kib, false) AS inaccurate, c.line
    FROM iozone_rate c
    JOIN iozone_run r USING (file_id, run_no)
    WHERE r.status = 'complete' AND c.rate_kib_s IS NOT NULL
)
SELECT
    f.run_id, m.*, rate_bytes_s / 1048576 AS rate_mib_s, rate_bytes_s / 1e6 AS rate_mb_s
FROM measured m
JOIN raw_file f USING (file_id)
