-- Traffic of each network interface.
SELECT
    run_id, file_id, host, time_utc, interval_s, interface, received_packets_per_s,
    sent_packets_per_s, received_kib_s, sent_kib_s, util_percent
FROM sar_series('sar_network', interface, 0)
