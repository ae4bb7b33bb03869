-- Jobs of fio that ended well, by direction. A row that sums all clients is left out.
SELECT
    f.run_id, j.file_id, j.name, j.host, j.pattern, j.engine, j.block_size_bytes, j.depth,
    coalesce(j.processes, 1) AS processes, j.direct, r.direction,
    r.rate_bytes_s / 1048576 AS rate_mib_s, r.rate_bytes_s / 1e6 AS rate_mb_s, r.operations_per_s,
    r.mean_latency_us, r.p50_completion_us, r.p95_completion_us, r.p99_completion_us,
    r.p999_completion_us, j.user_cpu_percent, j.system_cpu_percent, j.line
FROM fio_result r
JOIN fio_job j USING (file_id, run_no, job_no)
JOIN raw_file f USING (file_id)
WHERE coalesce(j.error, 0) = 0 AND j.name IS DISTINCT FROM 'All clients'
