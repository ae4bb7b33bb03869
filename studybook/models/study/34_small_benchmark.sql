-- What small benchmarks say of a machine, in one form: a metric of the registry under the settings
-- of the test. A row is one run; repetitions are rows of the same settings. series is what tells
-- the lines of a chart apart, own are the settings as factors.

-- Transactions of netperf, all connections of a test together. In runs of the experiment
-- tcp-transactions, what stands in one file was measured at once, one connection each: rates add up.
-- Each netperf takes the processor time of the whole machine for its own few transactions; so the
-- time of one transaction is the inverse of the sum of inverses; without that of each connection it is
-- not known. Over loopback, what netperf calls remote is the same processors again. To another host,
-- that one's is added; but of new connections (CRR) it is not known: netserver goes on for seconds
-- after such a test, and counts them in.
CREATE OR REPLACE VIEW transaction_load AS
WITH connection AS (
    SELECT
        *,
        nullif(local_us_per_transaction + CASE
            WHEN loopback THEN 0 WHEN kind = 'rr' THEN remote_us_per_transaction
        END, 0) AS cpu_us
    FROM bench_transaction
)
SELECT
    t.run_id, t.file_id, t.kind, t.request_bytes, t.response_bytes, count(*) AS connections,
    sum(t.transactions_per_s) AS transactions_per_s,
    if(count(cpu_us) = count(*), 1 / sum(1 / cpu_us), NULL) AS cpu_us_per_transaction,
    upper(t.kind) || ' ' || t.request_bytes || '/'
        || if(t.response_bytes % 1024 = 0, (t.response_bytes // 1024) || 'k', t.response_bytes || '')
        || ', ' || count(*) || if(count(*) = 1, ' connection', ' connections') AS test
FROM connection t
JOIN run_factors r USING (run_id)
WHERE r.factors['experiment'] = 'tcp-transactions' AND t.protocol = 'TCP'
    AND t.kind IN ('rr', 'crr')
GROUP BY t.run_id, t.file_id, t.kind, t.request_bytes, t.response_bytes;

-- Sequential writes and reads of one or several processes, each with a file of its own.
CREATE OR REPLACE VIEW sequential_io AS
SELECT run_id, tool, test AS operation, processes, rate_mib_s, rate_mb_s
FROM bench_throughput
WHERE tool = 'iozone' AND test IN ('write', 'read') AND inaccurate IS DISTINCT FROM true
UNION ALL BY NAME
SELECT run_id, 'fio' AS tool, direction AS operation, processes, rate_mib_s, rate_mb_s
FROM bench_fio
WHERE pattern = direction AND direction IN ('write', 'read');

CREATE OR REPLACE VIEW small_benchmark AS
SELECT
    run_id, 'dbench_mib_s' AS metric, 'dbench' AS series, processes, rate_mib_s AS value,
    MAP {'processes': processes::VARCHAR} AS own
FROM bench_throughput
WHERE tool = 'dbench' AND test = 'dbench'
UNION ALL BY NAME
SELECT
    run_id, 'sequential_mib_s' AS metric, operation AS series, processes, rate_mib_s AS value,
    MAP {'operation': operation, 'processes': processes::VARCHAR} AS own
FROM sequential_io
UNION ALL BY NAME
-- What the setup can do: the most that any number of processes got.
SELECT
    run_id, 'sequential_mb_s' AS metric, operation AS series, max(rate_mb_s) AS value,
    MAP {'operation': operation} AS own
FROM sequential_io
GROUP BY run_id, operation
UNION ALL BY NAME
SELECT
    run_id, 'context_switch_us' AS metric,
    coalesce(size_kib::VARCHAR || ' KiB each', tool) AS series, processes,
    time_per_switch_us AS value,
    MAP {'processes': processes::VARCHAR, 'size_kib': coalesce(size_kib::VARCHAR, 'none')}
        AS own
FROM bench_context_switch
UNION ALL BY NAME
SELECT
    run_id, metric, test AS series, value,
    MAP {'kind': kind, 'connections': connections::VARCHAR} AS own
FROM (
    SELECT
        run_id, test, kind, connections, transactions_per_s,
        cpu_us_per_transaction AS transaction_cpu_us
    FROM transaction_load
)
UNPIVOT (value FOR metric IN (transactions_per_s, transaction_cpu_us))
UNION ALL BY NAME
SELECT
    run_id, metric, block_size_bytes || ' bytes' AS series, value,
    MAP {'block_size_bytes': block_size_bytes::VARCHAR} AS own
FROM (
    SELECT
        run_id, block_size_bytes, rate_mb_s AS copy_mb_s, elapsed_s / (copied_bytes / 1e9) AS
        copy_s_per_gb, cpu_s_per_gb AS copy_cpu_s_per_gb
    FROM bench_copy
    WHERE input = '/dev/zero'
)
UNPIVOT (value FOR metric IN (copy_mb_s, copy_s_per_gb, copy_cpu_s_per_gb));

-- What the processors of a machine did during a run: shares of all of them, means over the run.
-- Steal is what the hypervisor gave to others while this machine had work to do.
CREATE OR REPLACE VIEW machine_use AS
SELECT
    run_id, host, sum(interval_s) AS seconds,
    sum(interval_s * busy_percent) / sum(interval_s) AS machine_busy_percent,
    sum(interval_s * iowait_percent) / sum(interval_s) AS machine_iowait_percent,
    sum(interval_s * steal_percent) / sum(interval_s) AS machine_steal_percent
FROM cpu_use
WHERE cpu = 'all' AND interval_s > 0
GROUP BY run_id, host;
