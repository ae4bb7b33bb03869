-- Paging of AIX, by nmon: pages have 4 KiB. What nmon of Linux prints of it are counts of an interval
-- of which it does not say how long it was; they are left out.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    4 * any_value(value) FILTER (name = 'pgin') AS in_kib_s,
    4 * any_value(value) FILTER (name = 'pgout') AS out_kib_s,
    any_value(value) FILTER (name = 'faults') AS faults_per_s
FROM nmon_value
WHERE section = 'PAGE'
GROUP BY run_id, host, time_utc
