-- Rates of streams by size of message, in 10^6 bit/s. Of UDP what arrived, not what was sent.
SELECT
    f.run_id, n.file_id, n.protocol, n.kind, n.form, n.message_bytes,
    coalesce(n.received_mbit_s, n.throughput_mbit_s) AS throughput_mbit_s,
    n.throughput_mbit_s AS sent_mbit_s, n.elapsed_s, n.local_cpu_percent, n.remote_cpu_percent,
    n.line
FROM netperf_test n
JOIN raw_file f USING (file_id)
WHERE n.throughput_mbit_s IS NOT NULL AND n.confidence_reached IS DISTINCT FROM false
