-- Restarts of hosts in files of Prometheus: node_exporter tells when the host was booted.
WITH boot AS (
    SELECT
        file_id, host, time_utc, value AS booted,
        lag(value) OVER (PARTITION BY run_id, host ORDER BY time_utc) AS booted_before
    FROM prometheus_value
    WHERE metric = 'node_boot_time_seconds'
)
SELECT
    file_id, host, time_utc, 'restart' AS kind,
    'booted between this sample and the one before' AS text
FROM boot
-- It is counted back from the time of day, which is set right now and then.
WHERE booted > booted_before + 60
