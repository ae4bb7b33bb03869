-- Traffic of each disk, by nmon, without partitions of disks that are there.
WITH each_device AS (
    SELECT
        run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
        name AS device_printed, device_name(name) AS device,
        any_value(value) FILTER (section = 'DISKXFER') AS transfers_per_s,
        any_value(value) FILTER (section = 'DISKREAD') AS read_kib_s,
        any_value(value) FILTER (section = 'DISKWRITE') AS write_kib_s,
        any_value(value) FILTER (section = 'DISKBSIZE') AS request_kib,
        any_value(value) FILTER (section = 'DISKSERV') AS service_ms,
        any_value(value) FILTER (section = 'DISKBUSY') AS util_percent
    FROM nmon_value
    WHERE section IN ('DISKXFER', 'DISKREAD', 'DISKWRITE', 'DISKBSIZE', 'DISKSERV', 'DISKBUSY')
    GROUP BY run_id, host, time_utc, name
)
FROM without_partitions('each_device')
