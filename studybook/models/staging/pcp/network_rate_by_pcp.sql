-- Traffic of each network interface, by PCP.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    instance AS interface,
    max(value) FILTER (metric = 'network.interface.in.packets') AS received_packets_per_s,
    max(value) FILTER (metric = 'network.interface.out.packets') AS sent_packets_per_s,
    max(value) FILTER (metric = 'network.interface.in.bytes') AS received_kib_s,
    max(value) FILTER (metric = 'network.interface.out.bytes') AS sent_kib_s
FROM pcp_measured
WHERE instance IS NOT NULL AND value IS NOT NULL AND metric IN (
    'network.interface.in.packets', 'network.interface.out.packets',
    'network.interface.in.bytes', 'network.interface.out.bytes')
GROUP BY run_id, host, time_utc, instance
