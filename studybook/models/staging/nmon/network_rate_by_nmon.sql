-- Traffic of each network interface, by nmon: KiB and packets.
WITH part AS (
    SELECT *, regexp_extract(name, '^(.*)-(read|write)s?(-KB)?/s$', ['interface', 'direction', 'unit'])
        AS of
    FROM nmon_value
    WHERE section IN ('NET', 'NETPACKET')
)
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    of.interface AS interface,
    any_value(value) FILTER (section = 'NETPACKET' AND of.direction = 'read')
        AS received_packets_per_s,
    any_value(value) FILTER (section = 'NETPACKET' AND of.direction = 'write')
        AS sent_packets_per_s,
    any_value(value) FILTER (section = 'NET' AND of.direction = 'read') AS received_kib_s,
    any_value(value) FILTER (section = 'NET' AND of.direction = 'write') AS sent_kib_s
FROM part
WHERE of.interface <> ''
GROUP BY run_id, host, time_utc, of.interface
