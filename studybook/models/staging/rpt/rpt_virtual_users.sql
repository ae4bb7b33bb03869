-- Virtual users at the end of each interval.
SELECT
    'rpt' AS tool, s.run_id, arg_min(s.file_id, s.place) AS file_id, s.host,
    arg_min(s.start_utc, s.place) + to_milliseconds(v.since_start_ms) AS time_utc,
    v.since_start_ms / 1000 AS since_start_s, any_value(i.interval_ms) / 1000 AS interval_s,
    arg_min(v.value, s.place) FILTER (s.measure = 'active users') AS active,
    arg_min(v.value, s.place) FILTER (s.measure = 'completed users') AS completed,
    arg_min(v.value, s.place) FILTER (s.measure = 'total users') AS total
FROM rpt_interval_series s
JOIN rpt_sample v USING (file_id, counter_no)
LEFT JOIN rpt_step i USING (file_id, report_no, since_start_ms)
WHERE s.scope = 'run' AND s.period = 'level'
GROUP BY s.run_id, s.key, s.host, v.since_start_ms
