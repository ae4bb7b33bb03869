-- The end and the length of each interval that any activity of sysstat has. In order: DuckDB takes the
-- parts of so many in one order or another.
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
GROUP BY ALL
ORDER BY ALL
