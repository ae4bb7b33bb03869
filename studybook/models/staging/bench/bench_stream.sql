-- Rates of streams by size of message, in 10^6 bit/s. Of UDP what arrived, not what was sent. Of iperf3
-- all streams of a test together; kind is stream where the client sends, and maerts where the server does.
SELECT
    f.run_id, n.file_id, 'netperf' AS tool, n.protocol, n.kind, n.form, 1 AS streams,
    n.message_bytes, coalesce(n.received_mbit_s, n.throughput_mbit_s) AS throughput_mbit_s,
    n.throughput_mbit_s AS sent_mbit_s, n.elapsed_s, n.local_cpu_percent, n.remote_cpu_percent,
    n.line
FROM netperf_test n
JOIN raw_file f USING (file_id)
WHERE n.throughput_mbit_s IS NOT NULL AND n.confidence_reached IS DISTINCT FROM false
UNION ALL BY NAME
SELECT
    f.run_id, i.file_id, 'iperf3' AS tool, i.protocol, if(i.reverse, 'maerts', 'stream') AS kind,
    'JSON' AS form, i.streams, i.message_bytes,
    coalesce(i.received_mbit_s, if(i.protocol = 'UDP', NULL, i.sent_mbit_s)) AS throughput_mbit_s,
    coalesce(i.sent_mbit_s, i.received_mbit_s) AS sent_mbit_s, i.asked_mbit_s, i.elapsed_s, i.local_cpu_percent,
    i.remote_cpu_percent, i.line
FROM iperf3_test i
JOIN raw_file f USING (file_id)
WHERE i.error IS NULL AND throughput_mbit_s IS NOT NULL
