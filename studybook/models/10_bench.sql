-- What small benchmarks measured: dbench, iozone, netperf, dd, context switches, fio. One row is one
-- measurement; repetitions are rows of the same settings. What failed, was stopped, or has no known
-- unit is left out, and left_out names it.

-- Throughput by number of processes, in MiB/s (2^20 bytes) and MB/s (10^6). dbench: all clients
-- together. iozone: the sum of what each process saw; parent_mib_s is by the clock of the whole, and
-- lower. overlapped is false where not all processes worked all the time, inaccurate is true where
-- iozone says so of small files.
CREATE OR REPLACE VIEW bench_throughput AS
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
JOIN raw_file f USING (file_id);

-- Whether an address or name is of loopback: 127.0.0.0/8, ::1, localhost under its names.
CREATE OR REPLACE MACRO is_loopback(remote) AS
    regexp_full_match(
        lower(remote::VARCHAR),
        '127(\.[0-9]{1,3}){3}|::1|(ip6-)?localhost[46]?(\.localdomain[46]?)?|ip6-loopback'
    );

-- Whether two names are of one host. Where one has no domain, its name has to do; an address has none.
CREATE OR REPLACE MACRO is_same_host(one, other) AS
    lower(one::VARCHAR) = lower(other::VARCHAR)
    OR (
        (position('.' IN one::VARCHAR) = 0 OR position('.' IN other::VARCHAR) = 0)
        AND split_part(lower(one::VARCHAR), '.', 1) = split_part(lower(other::VARCHAR), '.', 1)
        AND NOT regexp_matches(one::VARCHAR || ' ' || other::VARCHAR, '(^| )[0-9.]+( |$)|:')
    );

-- Transactions per second by sizes of request and response. kind: rr on an open connection, crr
-- with a new one each time. An omni test does not say which of the two, and is called rr. loopback:
-- both ends are the same machine, by an address of loopback, by the name of the host that run.yml has
-- for the file (or of the only one of the run), or because both ends have one address.
CREATE OR REPLACE VIEW bench_transaction AS
WITH only_host AS (
    SELECT run_id, any_value(host) AS host
    FROM host
    GROUP BY run_id
    HAVING count(*) = 1
)
SELECT
    f.run_id, n.file_id, n.protocol, n.kind, n.form, n.request_bytes, n.response_bytes,
    n.transactions_per_s, n.elapsed_s, coalesce(n.mean_latency_us, n.round_trip_us) AS latency_us,
    n.p99_latency_us, n.local_cpu_percent, n.remote_cpu_percent,
    if(n.service_demand_per IN ('us/Tr', 'usec/Tran'), n.local_service_demand_us, NULL)
        AS local_us_per_transaction,
    if(n.service_demand_per IN ('us/Tr', 'usec/Tran'), n.remote_service_demand_us, NULL)
        AS remote_us_per_transaction,
    coalesce(is_loopback(n.remote), false)
        OR coalesce(is_same_host(n.remote, coalesce(f.host, o.host)), false)
        OR coalesce(n.remote = n.local AND n.local NOT IN ('0.0.0.0', '::'), false) AS loopback,
    n.line
FROM netperf_test n
JOIN raw_file f USING (file_id)
LEFT JOIN only_host o ON o.run_id = f.run_id
WHERE n.transactions_per_s IS NOT NULL AND n.confidence_reached IS DISTINCT FROM false;

-- Rates of streams by size of message, in 10^6 bit/s. Of UDP what arrived, not what was sent.
CREATE OR REPLACE VIEW bench_stream AS
SELECT
    f.run_id, n.file_id, n.protocol, n.kind, n.form, n.message_bytes,
    coalesce(n.received_mbit_s, n.throughput_mbit_s) AS throughput_mbit_s,
    n.throughput_mbit_s AS sent_mbit_s, n.elapsed_s, n.local_cpu_percent, n.remote_cpu_percent,
    n.line
FROM netperf_test n
JOIN raw_file f USING (file_id)
WHERE n.throughput_mbit_s IS NOT NULL AND n.confidence_reached IS DISTINCT FROM false;

-- Rate of dd by block size, with CPU seconds where time was asked in the same file. Where dd prints no
-- bytes they are whole records by block size, and the time is that of time.
CREATE OR REPLACE VIEW bench_copy AS
WITH timed AS (
    SELECT file_id, run_no, real_s, user_s, system_s
    FROM dd_time
    WHERE run_no IS NOT NULL
),
copied AS (
    SELECT
        d.file_id, d.block_size_bytes, d.block_size_of, d.input, d.output, d.flags,
        coalesce(
            d.copied_bytes,
            if(d.partial_records_out = 0, d.records_out::HUGEINT * d.block_size_bytes, NULL)
        )::DOUBLE AS copied_bytes,
        coalesce(d.elapsed_s, t.real_s) AS elapsed_s,
        CASE
            WHEN d.elapsed_s IS NOT NULL THEN 'dd' WHEN t.real_s IS NOT NULL THEN 'time'
        END AS elapsed_of,
        t.user_s AS user_cpu_s, t.system_s AS system_cpu_s, t.user_s + t.system_s AS cpu_s, d.line
    FROM dd_run d
    LEFT JOIN timed t ON t.file_id = d.file_id AND t.run_no = d.run_no
    WHERE d.status = 'complete' AND d.intermediate IS false
)
SELECT
    f.run_id, c.*, copied_bytes / elapsed_s / 1048576 AS rate_mib_s,
    copied_bytes / elapsed_s / 1e6 AS rate_mb_s, cpu_s / (copied_bytes / 1e9) AS cpu_s_per_gb
FROM copied c
JOIN raw_file f USING (file_id)
WHERE copied_bytes > 0 AND elapsed_s > 0;

-- Time of a context switch by number of processes. An operation of perf bench is two switches: that
-- holds where both processes run on one CPU.
CREATE OR REPLACE VIEW bench_context_switch AS
SELECT f.run_id, m.*
FROM (
    SELECT
        file_id, tool, host, system, processes, size_kib, overhead_us, time_per_switch_us, line
    FROM context_switch_latency
    UNION ALL BY NAME
    SELECT
        file_id, 'perf bench sched pipe' AS tool, 2 AS processes,
        time_per_operation_us / 2 AS time_per_switch_us, line
    FROM context_switch_pipe
    WHERE time_per_operation_us IS NOT NULL
) m
JOIN raw_file f USING (file_id);

-- Jobs of fio that ended well, by direction. A row that sums all clients is left out.
CREATE OR REPLACE VIEW bench_fio AS
SELECT
    f.run_id, j.file_id, j.name, j.host, j.pattern, j.engine, j.block_size_bytes, j.depth,
    coalesce(j.processes, 1) AS processes, j.direct, r.direction,
    r.rate_bytes_s / 1048576 AS rate_mib_s, r.rate_bytes_s / 1e6 AS rate_mb_s, r.operations_per_s,
    r.mean_latency_us, r.p50_completion_us, r.p95_completion_us, r.p99_completion_us,
    r.p999_completion_us, j.user_cpu_percent, j.system_cpu_percent, j.line
FROM fio_result r
JOIN fio_job j USING (file_id, run_no, job_no)
JOIN raw_file f USING (file_id)
WHERE coalesce(j.error, 0) = 0 AND j.name IS DISTINCT FROM 'All clients';
