-- Traffic of each host, all its interfaces together as phase_interface has them.
SELECT
    i.run_id, i.host, any_value(h.role) AS role,
    sum(received_packets_per_s) AS received_packets_per_s,
    sum(sent_packets_per_s) AS sent_packets_per_s,
    sum(received_mib_s) AS received_mib_s, sum(sent_mib_s) AS sent_mib_s,
    sum(received_mib_s) * 1048576 / nullif(sum(received_packets_per_s), 0) AS received_packet_bytes,
    sum(sent_mib_s) * 1048576 / nullif(sum(sent_packets_per_s), 0) AS sent_packet_bytes
FROM phase_interface i
LEFT JOIN host h USING (run_id, host)
GROUP BY i.run_id, i.host
