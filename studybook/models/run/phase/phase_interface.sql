-- Traffic of each network interface, without those that pass on what another one carries.
SELECT
    n.run_id, n.host, n.interface,
    mean_over_time(n.received_packets_per_s, n.interval_s) AS received_packets_per_s,
    mean_over_time(n.sent_packets_per_s, n.interval_s) AS sent_packets_per_s,
    mean_over_time(n.received_kib_s, n.interval_s) / 1024 AS received_mib_s,
    mean_over_time(n.sent_kib_s, n.interval_s) / 1024 AS sent_mib_s
FROM network_rate n
JOIN stable_phase p USING (run_id)
WHERE n.interval_s > 0 AND within_phase(n.time_utc, n.interval_s, p.from_utc, p.to_utc, n.tool)
    AND carries_traffic_itself(n.interface)
GROUP BY n.run_id, n.host, n.interface
