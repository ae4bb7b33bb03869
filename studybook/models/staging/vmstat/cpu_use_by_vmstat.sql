-- Share of the time of all processors together. vmstat adds nice to user, and interrupts to system;
-- the time of guests stands apart in new releases, and is part of user here.
SELECT
    run_id, file_id, host, time_utc, interval_s, 'all' AS cpu,
    if(guest_percent > 0,
       greatest(100 - idle_percent - coalesce(iowait_percent, 0) - coalesce(steal_percent, 0)
                - system_percent, 0),
       user_percent) AS user_percent,
    0::DOUBLE AS nice_percent, system_percent, iowait_percent, steal_percent, idle_percent,
    if(guest_percent > 0,
       greatest(100 - idle_percent - coalesce(iowait_percent, 0) - coalesce(steal_percent, 0), 0),
       user_percent + system_percent) AS busy_percent
FROM vmstat_interval
