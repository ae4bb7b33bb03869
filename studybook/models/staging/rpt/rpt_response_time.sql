-- Mean response times of intervals. hits: how many pages (elements, transactions, tests) were
-- completed since the row before, of which this is the mean; NULL if the export does not say.
-- A page counts as hit at its first response, and its time may come a row later: so hits count
-- up to the row of the mean, and those of all pages together are the sum of each page's, if the
-- export has every page. Of a report that begins in mid-run, nobody knows what a count was
-- before its first row.
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
    AND h.since_start_ms = i.since_start_ms
