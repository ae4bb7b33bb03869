-- Response times of ECKD disks. FCP devices that guests drive themselves are not in these reports.
SELECT
    run_id, file_id, host, time_utc, interval_s,
    CASE report WHEN 'FCX168' THEN subject ELSE row_key END AS device, name['label'] AS label,
    number['io_per_s'] AS io_per_s, number['response_ms'] AS response_ms,
    number['service_ms'] AS service_ms, number['pending_ms'] AS pending_ms,
    number['disconnect_ms'] AS disconnect_ms, number['connect_ms'] AS connect_ms,
    number['requests_queued'] AS requests_queued, number['busy_percent'] AS busy_percent,
    number['read_percent'] AS read_percent
FROM perfkit_row
WHERE NOT mean_row AND (report = 'FCX108' OR report = 'FCX168' AND in_log)
