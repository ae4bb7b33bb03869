-- Starts and completions per second of each interval: as printed, or the difference of the
-- counts. An empty cell says that nothing was added, so a count is that of its own interval,
-- and rates times intervals add up to it. For the run: bytes received and sent.
WITH series AS (
    SELECT
        *,
        CASE
            WHEN measure = 'attempts' THEN 'started'
            WHEN measure IN ('hits', 'completed') THEN 'completed'
            WHEN measure = 'bytes' THEN lower(item)
        END AS side,
        if(measure = 'bytes', NULL, item) AS name,
        hash(key, printed_host, scope, name) AS family
    FROM rpt_interval_series
    WHERE statistic IN ('rate', 'count') AND period IN ('interval', 'run')
      AND measure IN ('attempts', 'hits', 'completed', 'bytes')
      AND (measure <> 'bytes' OR (statistic = 'rate' AND lower(item) IN ('received', 'sent')))
    QUALIFY row_number() OVER (
        PARTITION BY file_id, report_no, printed_host, scope, item, side
        ORDER BY statistic DESC, period, path
    ) = 1
),
rate AS (
    SELECT
        s.family, s.side, v.since_start_ms, i.interval_ms, s.file_id,
        -- A printed rate before one from counts, then by the report.
        s.place + if(s.statistic = 'rate', 0, 1e9) AS place,
        CASE
            WHEN s.statistic = 'rate' THEN v.value
            WHEN s.period = 'interval' THEN v.value * 1000 / nullif(i.interval_ms, 0)
            ELSE (
                v.value - coalesce(lag(v.value) OVER of_counter, if(s.from_start, 0, NULL))
            ) * 1000 / nullif(i.interval_ms, 0)
        END AS per_s
    FROM series s
    JOIN rpt_sample v USING (file_id, counter_no)
    LEFT JOIN rpt_step i USING (file_id, report_no, since_start_ms)
    WINDOW of_counter AS (PARTITION BY s.file_id, s.counter_no ORDER BY v.since_start_ms)
),
together AS (
    SELECT
        family, since_start_ms, any_value(interval_ms) AS interval_ms,
        arg_min(file_id, place) AS file_id,
        arg_min(per_s, place) FILTER (side = 'started') AS started_per_s,
        arg_min(per_s, place) FILTER (side = 'completed') AS completed_per_s,
        arg_min(per_s, place) FILTER (side = 'received') AS received_per_s,
        arg_min(per_s, place) FILTER (side = 'sent') AS sent_per_s
    FROM rate
    GROUP BY family, since_start_ms
)
SELECT
    'rpt' AS tool, s.run_id, t.file_id, s.host,
    s.start_utc + to_milliseconds(t.since_start_ms) AS time_utc,
    t.since_start_ms / 1000 AS since_start_s, t.interval_ms / 1000 AS interval_s,
    s.scope AS kind, s.name, t.started_per_s, t.completed_per_s,
    t.received_per_s / 1048576 AS received_mib_s, t.sent_per_s / 1048576 AS sent_mib_s
FROM together t
JOIN (SELECT DISTINCT ON (family) * FROM series ORDER BY family, place, file_id) s USING (family)
