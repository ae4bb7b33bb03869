-- Sequential writes and reads of one or several processes, each with a file of its own. other has what
-- else fio was told: jobs that differ in it are no repetitions of one another.
SELECT
    run_id, tool, test AS operation, processes, rate_mib_s, rate_mb_s, NULL::VARCHAR AS other
FROM bench_throughput
WHERE tool = 'iozone' AND test IN ('write', 'read') AND inaccurate IS DISTINCT FROM true
UNION ALL BY NAME
SELECT
    run_id, 'fio' AS tool, direction AS operation, processes, rate_mib_s, rate_mb_s,
    concat_ws(', ', 'job ' || name, 'blocks of ' || block_size_bytes || ' bytes', engine,
        'depth ' || depth, if(direct, 'direct', NULL), host) AS other
FROM bench_fio
WHERE pattern = direction AND direction IN ('write', 'read')
