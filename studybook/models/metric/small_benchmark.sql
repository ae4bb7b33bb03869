-- What small benchmarks say of a machine, in one form: a metric of the registry under the settings
-- of the test. A row is one run; repetitions are rows of the same settings. series is what tells
-- the lines of a chart apart, own are the settings as factors. other has settings that are no factors:
-- rows that differ in it are no repetitions of one another.
SELECT
    run_id, 'dbench_mib_s' AS metric, 'dbench' AS series, processes, rate_mib_s AS value,
    MAP {'processes': processes::VARCHAR} AS own
FROM bench_throughput
WHERE tool = 'dbench' AND test = 'dbench'
UNION ALL BY NAME
SELECT
    run_id, 'sequential_mib_s' AS metric, operation AS series, processes, rate_mib_s AS value,
    MAP {'operation': operation, 'processes': processes::VARCHAR} AS own, other
FROM sequential_io
UNION ALL BY NAME
-- What the setup can do: the most that any number of processes got.
SELECT
    run_id, 'sequential_mb_s' AS metric, operation AS series, max(rate_mb_s) AS value,
    MAP {'operation': operation} AS own, other
FROM sequential_io
GROUP BY run_id, operation, other
UNION ALL BY NAME
SELECT
    run_id, 'context_switch_us' AS metric,
    coalesce(size_kib::VARCHAR || ' KiB each', tool) AS series, processes,
    time_per_switch_us AS value,
    MAP {'processes': processes::VARCHAR, 'size_kib': coalesce(size_kib::VARCHAR, 'none')}
        AS own
FROM bench_context_switch
UNION ALL BY NAME
-- Each job of fio, with all that it was told.
SELECT
    run_id, metric, concat_ws(' ', name, direction) AS series, processes, value,
    MAP {'job': coalesce(name, 'unnamed'), 'operation': direction} AS own,
    concat_ws(', ', if(processes > 1, processes || ' processes', NULL), pattern, 'blocks of ' || block_size_bytes || ' bytes', engine,
        'depth ' || depth, if(direct, 'direct', NULL), host) AS other
FROM (
    SELECT
        *, operations_per_s AS io_per_s, mean_completion_us / 1000 AS io_completion_mean_ms,
        p50_completion_us / 1000 AS io_completion_p50_ms,
        p99_completion_us / 1000 AS io_completion_p99_ms,
        p999_completion_us / 1000 AS io_completion_p999_ms
    FROM bench_fio
)
UNPIVOT (value FOR metric IN (io_per_s, io_completion_mean_ms, io_completion_p50_ms,
    io_completion_p99_ms, io_completion_p999_ms))
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
    f.run_id, 'sysbench_mib_s' AS metric, concat_ws(', ', s.url, s.operation) AS series,
    s.threads AS processes, s.value,
    MAP {'test': s.url, 'operation': s.operation, 'threads': s.threads::VARCHAR} AS own
FROM (
    FROM (
        SELECT file_id, url, threads, read_mib_s AS read, written_mib_s AS write, memory_mib_s AS move
        FROM sysbench_run
        WHERE status = 'complete'
    )
    UNPIVOT (value FOR operation IN (read, write, move))
) s
JOIN raw_file f USING (file_id)
WHERE s.value > 0
UNION ALL BY NAME
SELECT
    run_id, metric, format('{:,} bytes', block_size_bytes) AS series, value,
    MAP {'block_size_bytes': block_size_bytes::VARCHAR} AS own
FROM (
    SELECT
        run_id, block_size_bytes, rate_mb_s AS copy_mb_s, elapsed_s / (copied_bytes / 1e9) AS
        copy_s_per_gb, cpu_s_per_gb AS copy_cpu_s_per_gb
    FROM bench_copy
    WHERE input = '/dev/zero'
)
UNPIVOT (value FOR metric IN (copy_mb_s, copy_s_per_gb, copy_cpu_s_per_gb))
UNION ALL BY NAME
SELECT
    run_id, 'stream_mbit_s' AS metric, concat_ws(' ', protocol, kind) AS series,
    throughput_mbit_s AS value,
    MAP {
        'protocol': protocol, 'kind': kind, 'streams': streams::VARCHAR,
        'message_bytes': message_bytes::VARCHAR
    } AS own,
    asked_mbit_s || ' Mbit/s asked for' AS other
FROM bench_stream
WHERE tool = 'iperf3'
UNION ALL BY NAME
SELECT
    run_id, 'metadata_per_s' AS metric, operation AS series, processes, mean_per_s AS value,
    MAP {'operation': operation, 'processes': processes::VARCHAR} AS own,
    concat_ws(', ', nodes || ' nodes', items || ' items') AS other
FROM bench_metadata
UNION ALL BY NAME
SELECT run_id, metric, command AS series, value, MAP {'command': command} AS own
FROM bench_command
UNPIVOT (value FOR metric IN (command_s, command_cpu_s, command_peak_mib))
UNION ALL BY NAME
SELECT run_id, metric, counted AS series, value, MAP {'counted': counted} AS own
FROM bench_counted
UNPIVOT (
    value FOR metric IN (instructions_per_cycle, cache_miss_percent, branch_miss_percent)
)
UNION ALL BY NAME
SELECT
    run_id, 'event_count' AS metric, event AS series, events AS value, MAP {'event': event} AS own
FROM bench_event
