-- What the loading report says of sysstat's files.

-- The end and the length of each interval that any activity has.
CREATE OR REPLACE VIEW sar_interval AS
SELECT
    file_id, report_no, segment, time_local, time_utc, set_back, max(interval_s) AS interval_s
FROM query_table([
    'sar_cpu', 'sar_cpu_all', 'sar_task', 'sar_interrupt', 'sar_swap_rate', 'sar_paging',
    'sar_io', 'sar_memory_rate', 'sar_memory', 'sar_swap_space', 'sar_hugepages',
    'sar_kernel_table', 'sar_queue', 'sar_pressure_cpu', 'sar_pressure_io',
    'sar_pressure_memory', 'sar_tty', 'sar_disk', 'sar_network', 'sar_network_error',
    'sar_nfs_client', 'sar_nfs_server', 'sar_socket', 'sar_socket6', 'sar_ip', 'sar_ip6',
    'sar_ip_error', 'sar_ip6_error', 'sar_icmp', 'sar_icmp6', 'sar_icmp_error',
    'sar_icmp6_error', 'sar_tcp', 'sar_tcp_error', 'sar_udp', 'sar_udp6', 'sar_softnet',
    'sar_power_cpu', 'sar_power_frequency', 'sar_power_fan', 'sar_power_temperature',
    'sar_power_voltage', 'sar_power_battery', 'sar_power_usb', 'sar_file_system',
    'sar_fibre_channel', 'sar_process', 'sar_process_children', 'sar_other'
], true)
GROUP BY ALL;

CREATE OR REPLACE VIEW sar_coverage AS
WITH interval_of AS (
    SELECT
        s.file_id, s.host, s.clock, i.interval_s,
        utc_of_pass(i.time_utc, i.time_local, i.set_back, s.zone, s.clock_offset_s) AS time_utc,
        median(i.interval_s) OVER (PARTITION BY s.file_id, s.host) AS typical_s
    FROM sar_interval i
    JOIN sar_source s USING (file_id, report_no)
),
restart AS (
    SELECT s.file_id, s.host, count(*) AS restarts
    FROM sar_mark m
    JOIN sar_source s USING (file_id, report_no)
    WHERE m.kind = 'restart'
    GROUP BY s.file_id, s.host
)
SELECT
    i.file_id, i.host, min(i.time_utc) AS first_utc, max(i.time_utc) AS last_utc,
    any_value(i.clock) AS clock, count(DISTINCT i.time_utc) AS samples,
    any_value(i.typical_s) AS interval_s,
    count(DISTINCT i.time_utc) FILTER (i.interval_s > 1.5 * i.typical_s) AS gaps,
    coalesce(any_value(r.restarts), 0) AS restarts, 0::BIGINT AS resets
FROM interval_of i
LEFT JOIN restart r ON r.file_id = i.file_id AND r.host IS NOT DISTINCT FROM i.host
GROUP BY i.file_id, i.host;

CREATE OR REPLACE VIEW sar_event AS
SELECT
    s.file_id, s.host, utc_of(m.time_utc, m.time_local, s.zone, s.clock_offset_s) AS time_utc,
    m.kind, concat_ws(', ', m.text, m.cpus || ' CPUs') AS text
FROM sar_mark m
JOIN sar_source s USING (file_id, report_no)
UNION ALL
SELECT
    s.file_id, s.host,
    min(utc_of_pass(i.time_utc, i.time_local, i.set_back, s.zone, s.clock_offset_s)),
    'clock set back', 'the times from here on had been printed before'
FROM sar_interval i
JOIN sar_source s USING (file_id, report_no)
WHERE i.set_back
GROUP BY s.file_id, s.host;
