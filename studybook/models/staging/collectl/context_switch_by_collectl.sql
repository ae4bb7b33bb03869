-- Context switches, and processes that were created, by collectl.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    max(value) FILTER (name = 'Ctx/sec') AS context_switches_per_s,
    max(value) FILTER (name = 'Proc/sec') AS created_per_s
FROM collectl_value
WHERE part = 'CPU' AND item IS NULL AND name IN ('Ctx/sec', 'Proc/sec')
GROUP BY run_id, host, time_utc
