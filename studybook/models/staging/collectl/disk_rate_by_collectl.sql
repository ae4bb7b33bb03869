-- Traffic of each disk, by collectl -sD.
WITH each_device AS (
    SELECT
        run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
        item AS device_printed, device_name(item) AS device,
        max(value) FILTER (name = 'Reads') AS reads_per_s,
        max(value) FILTER (name = 'Writes') AS writes_per_s,
        max(value) FILTER (name = 'RKBytes') AS read_kib_s,
        max(value) FILTER (name = 'WKBytes') AS write_kib_s,
        max(value) FILTER (name = 'Request') AS request_kib,
        max(value) FILTER (name = 'QueLen') AS queue,
        max(value) FILTER (name = 'Wait') AS await_ms,
        max(value) FILTER (name = 'SvcTim') AS service_ms,
        max(value) FILTER (name = 'Util') AS util_percent
    FROM collectl_value
    WHERE part = 'DSK' AND item IS NOT NULL
    GROUP BY run_id, host, time_utc, item
)
SELECT
    * EXCLUDE (reads_per_s, writes_per_s), reads_per_s + writes_per_s AS transfers_per_s
FROM without_partitions('each_device')
