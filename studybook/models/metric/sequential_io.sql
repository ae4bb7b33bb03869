-- Sequential writes and reads of one or several processes, each with a file of its own.
SELECT run_id, tool, test AS operation, processes, rate_mib_s, rate_mb_s
FROM bench_throughput
WHERE tool = 'iozone' AND test IN ('write', 'read') AND inaccurate IS DISTINCT FROM true
UNION ALL BY NAME
SELECT run_id, 'fio' AS tool, direction AS operation, processes, rate_mib_s, rate_mb_s
FROM bench_fio
WHERE pattern = direction AND direction IN ('write', 'read')
