-- Traffic of each network interface, by node_exporter.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, max(interval_s) AS interval_s,
    device AS interface,
    max(increase_per_s) FILTER (metric = 'node_network_receive_packets_total')
        AS received_packets_per_s,
    max(increase_per_s) FILTER (metric = 'node_network_transmit_packets_total')
        AS sent_packets_per_s,
    max(increase_per_s) FILTER (metric = 'node_network_receive_bytes_total') / 1024
        AS received_kib_s,
    max(increase_per_s) FILTER (metric = 'node_network_transmit_bytes_total') / 1024 AS sent_kib_s
FROM prometheus_value
WHERE device IS NOT NULL AND metric IN (
    'node_network_receive_packets_total', 'node_network_transmit_packets_total',
    'node_network_receive_bytes_total', 'node_network_transmit_bytes_total')
GROUP BY run_id, host, time_utc, device
HAVING max(increase_per_s) IS NOT NULL
