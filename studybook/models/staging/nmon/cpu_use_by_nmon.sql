-- Share of each processor's time, by nmon, which counts processors from 1 and adds nice to user.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    if(section = 'CPU_ALL', 'all', (substr(section, 4)::INTEGER - 1)::VARCHAR) AS cpu,
    any_value(value) FILTER (name = 'User%') AS user_percent, 0::DOUBLE AS nice_percent,
    any_value(value) FILTER (name = 'Sys%') AS system_percent,
    any_value(value) FILTER (name = 'Wait%') AS iowait_percent,
    any_value(value) FILTER (name = 'Steal%') AS steal_percent,
    any_value(value) FILTER (name = 'Idle%') AS idle_percent,
    user_percent + system_percent AS busy_percent
FROM nmon_value
WHERE section = 'CPU_ALL' OR regexp_matches(section, '^CPU\d{1,6}$')
GROUP BY run_id, host, time_utc, section
