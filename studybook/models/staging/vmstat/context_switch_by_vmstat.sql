-- Context switches, by vmstat.
SELECT run_id, file_id, host, time_utc, interval_s, context_switches_per_s
FROM vmstat_interval
