-- What the loading report says of sysstat's files.

-- The end and the length of each interval that any activity has.
CREATE OR REPLACE VIEW sar_interval AS
SELECT file_id, report_no, segment, time_local, time_utc, max(interval_s) AS interval_s
FROM (
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_cpu
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_cpu_all
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_task
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_interrupt
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_swap_rate
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_paging
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_io
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_memory_rate
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_memory
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_swap_space
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_hugepages
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_kernel_table
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_queue
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_pressure_cpu
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_pressure_io
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_pressure_memory
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_tty
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_disk
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_network
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_network_error
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_nfs_client
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_nfs_server
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_socket
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_socket6
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_ip
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_ip6
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_ip_error
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_ip6_error
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_icmp
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_icmp6
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_icmp_error
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_icmp6_error
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_tcp
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_tcp_error
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_udp
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_udp6
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_softnet
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_power_cpu
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_power_frequency
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_power_fan
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_power_temperature
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_power_voltage
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_power_battery
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_power_usb
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_file_system
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_fibre_channel
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_process
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_process_children
    UNION
    SELECT file_id, report_no, segment, time_local, time_utc, interval_s FROM sar_other
)
GROUP BY ALL;

CREATE OR REPLACE VIEW sar_coverage AS
WITH interval_of AS (
    SELECT
        s.file_id, s.host, s.clock, i.interval_s,
        utc_of(i.time_utc, i.time_local, s.zone, s.clock_offset_s) AS time_utc,
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
JOIN sar_source s USING (file_id, report_no);
