-- Errors and losses of each network interface.
SELECT
    run_id, file_id, host, time_utc, interval_s, interface, receive_errors_per_s,
    send_errors_per_s, collisions_per_s, receive_drops_per_s, send_drops_per_s,
    carrier_errors_per_s, frame_errors_per_s, receive_overruns_per_s, send_overruns_per_s
FROM sar_series('sar_network_error', interface, 0)
