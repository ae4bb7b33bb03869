-- Runs of uperf as a whole, as the host says that started them.
SELECT
    f.run_id, r.file_id, r.profile, r.workers, r.worker_kind, h.elapsed_s,
    h.moved_bytes, h.rate_mbit_s AS throughput_mbit_s, h.operations,
    h.operations / nullif(h.elapsed_s, 0) AS operations_per_s, h.error_percent, h.line
FROM uperf_run r
JOIN uperf_host h USING (file_id, run_no)
JOIN raw_file f USING (file_id)
WHERE r.status = 'complete' AND h.host_printed = 'master'
