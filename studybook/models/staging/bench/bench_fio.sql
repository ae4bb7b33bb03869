-- Jobs of fio that ended well, by direction. A row that sums all clients is left out. Several processes
-- of a job (numjobs) are one row, also where fio reports each for itself: rates of what was done at once
-- add up, percentiles of parts can not be put together. With --minimal they look like repetitions, and
-- stay apart. The host is the one that fio prints, else the one that run.yml names for the file.
SELECT
    f.run_id, f.file_id, j.name, coalesce(j.host, f.host) AS host, j.pattern, j.engine, j.block_size_bytes, j.depth,
    if(count(*) > 1, count(*), coalesce(any_value(j.processes), 1)) AS processes, j.direct,
    r.direction, sum(r.rate_bytes_s) / 1048576 AS rate_mib_s, sum(r.rate_bytes_s) / 1e6 AS rate_mb_s,
    sum(r.operations_per_s) AS operations_per_s,
    if(count(*) = 1, any_value(r.mean_latency_us),
       mean_over_time(r.mean_latency_us, r.operations_per_s)) AS mean_latency_us,
    if(count(*) = 1, any_value(r.mean_completion_us),
       mean_over_time(r.mean_completion_us, r.operations_per_s)) AS mean_completion_us,
    if(count(*) = 1, any_value(r.p50_completion_us), NULL) AS p50_completion_us,
    if(count(*) = 1, any_value(r.p95_completion_us), NULL) AS p95_completion_us,
    if(count(*) = 1, any_value(r.p99_completion_us), NULL) AS p99_completion_us,
    if(count(*) = 1, any_value(r.p999_completion_us), NULL) AS p999_completion_us,
    avg(j.user_cpu_percent) AS user_cpu_percent, avg(j.system_cpu_percent) AS system_cpu_percent,
    min(j.line) AS line
FROM fio_result r
JOIN fio_job j USING (file_id, run_no, job_no)
JOIN raw_file f USING (file_id)
WHERE coalesce(j.error, 0) = 0 AND j.name IS DISTINCT FROM 'All clients'
GROUP BY
    f.run_id, f.file_id, f.format, j.run_no, j.group_no, j.name, j.host, f.host, j.pattern, j.engine,
    j.block_size_bytes, j.depth, j.direct, r.direction, if(f.format = 'fio-terse', j.job_no, 0)
