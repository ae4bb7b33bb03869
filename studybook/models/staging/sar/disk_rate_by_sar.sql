-- Traffic of each block device, by the name that Linux gives it.
WITH named AS (
    SELECT * EXCLUDE (device), device AS device_printed, device_name(device) AS device
    FROM sar_disk
)
SELECT
    run_id, file_id, host, time_utc, interval_s, device_printed, device, transfers_per_s,
    -- Releases to 5.1.2 print one sum only; the two directions are then not known.
    read_kib_s, write_kib_s, discard_kib_s, request_kib, queue, await_ms, service_ms, util_percent
FROM sar_series('named', device, 0)
