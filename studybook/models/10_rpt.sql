-- What RPT measured: response times, throughput and users of each interval, and the statistics of
-- the run as a whole. Interval and run are kept apart: values for the run hold its ramp-up. The
-- views of any load driver (11_driver.sql) take these in.

-- The mean of interval means, each weighted by how many it is the mean of; NULL where that is
-- not known. An unweighted mean of means would give an interval of one page the weight of one of
-- a hundred.
CREATE OR REPLACE MACRO weighted_mean(mean, n) AS
    sum(mean * n) / nullif(sum(n) FILTER (mean IS NOT NULL), 0);

-- Milliseconds in a unit of time; NULL for any other unit.
CREATE OR REPLACE MACRO ms_in(unit) AS CASE unit WHEN 'ms' THEN 1 WHEN 's' THEN 1000 END;

-- Interval lengths; that of the first row is its time, unless the report starts in mid-run.
CREATE OR REPLACE VIEW rpt_step AS
SELECT
    file_id, report_no, since_start_ms, line,
    coalesce(
        interval_ms,
        if(since_start_ms <= 1.5 * lead(interval_ms) OVER of_report, since_start_ms, NULL)
    ) AS interval_ms
FROM rpt_interval
WINDOW of_report AS (PARTITION BY file_id, report_no ORDER BY line);

-- One row per report: the run that it is of, and its start as a UTC instant. Reports of one run
-- (key) are parts of an export that was split by columns, or of several time ranges, or exports
-- of earlier and later; where they say the same, the first one by place is used: the whole run
-- before its time ranges, and what goes on longest.
CREATE OR REPLACE VIEW rpt_report AS
WITH extent AS (
    SELECT
        file_id, report_no, max(since_start_ms) AS last_ms,
        arg_min_null(interval_ms, line) IS NOT NULL AS from_start
    FROM rpt_step
    GROUP BY ALL
),
report AS (
    SELECT
        c.run_id, c.file_id, r.report_no, c.host,
        utc_of(r.start_utc, r.start_local, c.zone, NULL) AS start_utc,
        CASE
            WHEN r.start_utc IS NOT NULL THEN 'UTC by the ' || r.start_known
            WHEN r.start_local IS NOT NULL THEN c.zone_known
            ELSE 'start not known'
        END AS clock,
        coalesce(r.time_range, 'Default Time Range') AS time_range,
        concat_ws(
            chr(31), c.run_id, coalesce(c.host, ''),
            coalesce(r.run_name, r.start_printed, 'file ' || c.file_id),
            r.start_printed, r.node, r.agent
        ) AS key,
        e.last_ms, coalesce(e.from_start, false) AS from_start
    FROM rpt_run r
    JOIN file_clock c USING (file_id)
    LEFT JOIN extent e USING (file_id, report_no)
)
SELECT
    * EXCLUDE (last_ms),
    row_number() OVER (
        PARTITION BY key
        ORDER BY time_range <> 'Default Time Range', last_ms DESC NULLS LAST, file_id, report_no
    ) AS place
FROM report;

-- The counters of each report; what a report repeats, once.
CREATE OR REPLACE VIEW rpt_series AS
SELECT
    p.key, p.run_id, p.time_range, p.start_utc, p.from_start, p.place,
    c.file_id, c.report_no, c.counter_no, c.path,
    coalesce(p.host, if(c.host IN ('All_Hosts', 'All Hosts'), 'all hosts', c.host)) AS host,
    c.host AS printed_host, c.scope, c.measure, c.item, c.statistic, c.period, c.unit
FROM rpt_counter c
JOIN rpt_report p USING (file_id, report_no)
QUALIFY row_number() OVER (
    PARTITION BY c.file_id, c.report_no, c.path ORDER BY c.counter_no
) = 1;

-- Those of which differences are values of intervals.
CREATE OR REPLACE VIEW rpt_interval_series AS
FROM rpt_series
WHERE period IN ('interval', 'level') OR (period = 'run' AND statistic = 'count');

-- Values with the end of their interval.
CREATE OR REPLACE VIEW rpt_sample AS
SELECT v.file_id, v.counter_no, i.since_start_ms, v.value, v.line
FROM rpt_value v
JOIN rpt_interval i USING (file_id, line);

-- Mean response times of intervals. hits: how many pages (elements, transactions, tests) were
-- completed since the row before, of which this is the mean; NULL if the export does not say.
-- A page counts as hit at its first response, and its time may come a row later: so hits count
-- up to the row of the mean, and those of all pages together are the sum of each page's, if the
-- export has every page. Of a report that begins in mid-run, nobody knows what a count was
-- before its first row.
CREATE OR REPLACE VIEW rpt_response_time AS
WITH series AS (
    SELECT
        *, hash(key, printed_host, scope, measure) AS family, hash(family, item) AS one,
        ms_in(unit) AS unit_ms
    FROM rpt_interval_series
    WHERE statistic = 'average' AND period = 'interval' AND unit_ms IS NOT NULL
),
-- The count that belongs to a mean: of its own report, or of another part of the export.
pair AS (
    SELECT
        s.file_id, s.counter_no, c.file_id AS hits_file_id, c.counter_no AS hits_counter_no,
        c.period AS hits_period, c.from_start OR c.period = 'interval' AS from_zero
    FROM series s
    LEFT JOIN rpt_interval_series c
        ON s.key = c.key AND s.time_range = c.time_range
        AND s.printed_host IS NOT DISTINCT FROM c.printed_host
        AND s.scope = c.scope AND s.item IS NOT DISTINCT FROM c.item
        AND c.statistic = 'count' AND c.period IN ('interval', 'run')
        AND c.measure = if(s.scope IN ('page', 'page element'), 'hits', 'completed')
    QUALIFY row_number() OVER (
        PARTITION BY s.file_id, s.counter_no
        ORDER BY s.file_id = c.file_id AND s.report_no = c.report_no DESC, c.place,
            c.period DESC, c.path
    ) = 1
),
counted AS (
    SELECT DISTINCT hits_file_id AS file_id, hits_counter_no AS counter_no, hits_period AS period
    FROM pair
),
so_far AS (
    SELECT v.file_id, v.counter_no, v.since_start_ms, v.value AS hits
    FROM counted
    JOIN rpt_sample v USING (file_id, counter_no)
    WHERE period = 'run'
    UNION ALL
    SELECT
        v.file_id, v.counter_no, v.since_start_ms,
        sum(v.value) OVER (PARTITION BY v.file_id, v.counter_no ORDER BY v.line)
    FROM counted
    JOIN rpt_sample v USING (file_id, counter_no)
    WHERE period = 'interval'
),
mean AS (
    SELECT
        s.file_id, s.counter_no, s.family, s.one, s.place, s.item IS NULL AS of_all,
        v.since_start_ms, v.value * s.unit_ms AS mean_ms,
        p.hits_file_id, p.hits_counter_no, p.from_zero
    FROM series s
    JOIN pair p USING (file_id, counter_no)
    JOIN rpt_sample v USING (file_id, counter_no)
),
with_hits AS (
    SELECT
        m.*,
        n.hits - coalesce(
            lag(n.hits) OVER (PARTITION BY m.file_id, m.counter_no ORDER BY m.since_start_ms),
            if(m.from_zero, 0, NULL)
        ) AS own_hits
    FROM mean m
    ASOF LEFT JOIN so_far n
        ON m.hits_file_id = n.file_id AND m.hits_counter_no = n.counter_no
        AND m.since_start_ms >= n.since_start_ms
),
once AS (
    FROM with_hits
    QUALIFY row_number() OVER (
        PARTITION BY one, since_start_ms ORDER BY own_hits IS NULL, place, counter_no
    ) = 1
),
per_family AS (
    SELECT
        family,
        sum(own_hits) FILTER (NOT of_all) = sum(own_hits) FILTER (of_all) AS has_all_items
    FROM once
    GROUP BY family
),
item_hits AS (
    SELECT family, since_start_ms, sum(own_hits) AS item_hits
    FROM once
    WHERE NOT of_all AND family IN (SELECT family FROM per_family WHERE has_all_items)
    GROUP BY family, since_start_ms
)
SELECT
    'rpt' AS tool, s.run_id, s.file_id, s.host,
    s.start_utc + to_milliseconds(h.since_start_ms) AS time_utc,
    h.since_start_ms / 1000 AS since_start_s, i.interval_ms / 1000 AS interval_s,
    s.scope AS kind, s.item AS name, s.measure, h.mean_ms,
    if(h.of_all, coalesce(t.item_hits, h.own_hits), h.own_hits)::BIGINT AS hits
FROM once h
JOIN series s USING (file_id, counter_no)
LEFT JOIN item_hits t ON h.family = t.family AND h.since_start_ms = t.since_start_ms
LEFT JOIN rpt_step i
    ON s.file_id = i.file_id AND s.report_no = i.report_no
    AND h.since_start_ms = i.since_start_ms;

-- Starts and completions per second of each interval: as printed, or the difference of the
-- counts. An empty cell says that nothing was added, so a count is that of its own interval,
-- and rates times intervals add up to it. For the run: bytes received and sent.
CREATE OR REPLACE VIEW rpt_throughput AS
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
JOIN (SELECT DISTINCT ON (family) * FROM series ORDER BY family, place, file_id) s USING (family);

-- Virtual users at the end of each interval.
CREATE OR REPLACE VIEW rpt_virtual_users AS
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
GROUP BY s.run_id, s.key, s.host, v.since_start_ms;

-- Statistics of the run, or of the time range that was exported: the last value that each
-- counter has, which need not be in the last row.
CREATE OR REPLACE VIEW rpt_run_statistic AS
WITH ending AS (
    SELECT
        s.file_id, s.counter_no, arg_max(v.value, v.line) AS value,
        max(v.since_start_ms) AS since_start_ms
    FROM rpt_series s
    JOIN rpt_sample v USING (file_id, counter_no)
    WHERE s.period = 'run'
    GROUP BY ALL
)
SELECT
    'rpt' AS tool, s.run_id, s.file_id, s.host, s.time_range, s.scope AS kind, s.item AS name,
    s.measure, s.statistic, s.unit, s.path, e.value, e.since_start_ms / 1000 AS since_start_s
FROM ending e
JOIN rpt_series s USING (file_id, counter_no)
QUALIFY row_number() OVER (
    PARTITION BY s.key, s.time_range, s.path ORDER BY e.since_start_ms DESC, s.place
) = 1;

CREATE OR REPLACE VIEW rpt_coverage AS
SELECT
    p.file_id, coalesce(p.host, 'all hosts') AS host,
    p.start_utc + to_milliseconds(min(i.since_start_ms)) AS first_utc,
    p.start_utc + to_milliseconds(max(i.since_start_ms)) AS last_utc,
    p.clock, count(*) AS samples, median(i.interval_ms) / 1000 AS interval_s,
    count(*) FILTER (i.interval_ms > 1.5 * t.typical_ms) AS gaps,
    0::BIGINT AS restarts, 0::BIGINT AS resets
FROM rpt_report p
JOIN rpt_interval i USING (file_id, report_no)
JOIN (
    SELECT file_id, report_no, median(interval_ms) AS typical_ms FROM rpt_interval GROUP BY ALL
) t USING (file_id, report_no)
GROUP BY p.file_id, p.report_no, p.host, p.start_utc, p.clock;

CREATE OR REPLACE VIEW rpt_event AS
SELECT
    p.file_id, coalesce(p.host, 'all hosts') AS host,
    p.start_utc + to_milliseconds(r.start_ms) AS time_utc, 'time range' AS kind,
    r.name || ' begins' || coalesce(', of ' || r.duration_ms / 1000 || ' s', '') AS text
FROM rpt_time_range r
JOIN rpt_report p USING (file_id);
