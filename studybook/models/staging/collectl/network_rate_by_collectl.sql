-- Traffic of each network interface, by collectl -sN.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    item AS interface,
    max(value) FILTER (name = 'RxPkt') AS received_packets_per_s,
    max(value) FILTER (name = 'TxPkt') AS sent_packets_per_s,
    max(value) FILTER (name = 'RxKB') AS received_kib_s,
    max(value) FILTER (name = 'TxKB') AS sent_kib_s
FROM collectl_value
WHERE part = 'NET' AND item IS NOT NULL
GROUP BY run_id, host, time_utc, item
