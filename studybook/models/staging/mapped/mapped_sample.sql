-- Values of tables that run.yml maps, with their moments as UTC instants by the clock of their host,
-- and what tells them apart within the run. A row that is the first of its file, and at the very start of
-- the run, can count nothing of the run but what comes after it: it begins there, whatever others do.
-- Of a counter, by how much it grew per second since the row before; where it fell, it began anew, and
-- how much it grew is not known (mapped_event says so); nor is it where it then grows at once by more than
-- half of what it ever was: it is back where it was, rather than that it counted so much since.
-- Of a count per interval, how much it is per second, at the end of the interval.
WITH given AS (
    SELECT *, NULL::DOUBLE AS interval_s FROM mapped_value WHERE NOT is_per_interval
    UNION ALL BY NAME
    SELECT * EXCLUDE (after_gap, counted), counted / interval_s AS value, false AS is_counter
    FROM mapped_count
    WHERE NOT after_gap
),
placed AS (
    SELECT
        c.run_id, v.file_id, coalesce(v.host, c.host) AS host,
        utc_of(v.time_utc, NULL, c.zone, h.clock_offset_s) AS at_utc, c.zone_known AS clock,
        v.interval_s IS NULL AND (v.time_marks = 'begin'
            OR at_utc = r.start_utc AND at_utc = min(at_utc) OVER (PARTITION BY v.file_id)) AS begins,
        v.label, v.metric, v.statistic, v.is_counter, v.value, v.column_name, v.file_unit, v.line,
        v.interval_s, map_concat(
            if(coalesce(v.host, c.host) IS NULL, MAP {},
                host_and_role(coalesce(v.host, c.host), h.role)),
            if(v.label IS NULL, MAP {}, MAP {'label': v.label})
        )::MAP(VARCHAR, VARCHAR) AS own
    FROM given v
    JOIN file_clock c USING (file_id)
    JOIN run r ON r.run_id = c.run_id
    LEFT JOIN host h ON h.run_id = c.run_id AND h.host = coalesce(v.host, c.host)
),
grown AS (
    SELECT
        * REPLACE (epoch(at_utc - lag(at_utc) OVER counter) AS interval_s),
        value - lag(value) OVER counter AS growth,
        coalesce(
            lag(value) OVER counter < max(value) OVER before AND growth > 0.5 * max(value) OVER before, false
        ) AS is_back
    FROM (
        -- Of rows with one time the last: what it grew by until then is in it.
        FROM placed WHERE is_counter
        QUALIFY row_number() OVER (
            PARTITION BY file_id, host, label, metric, at_utc ORDER BY line DESC) = 1
    )
    WINDOW
        counter AS (PARTITION BY file_id, host, label, metric ORDER BY at_utc, line),
        before AS (
            PARTITION BY file_id, host, label, metric ORDER BY at_utc, line
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT * EXCLUDE (is_counter) FROM placed WHERE NOT is_counter
UNION ALL BY NAME
SELECT * EXCLUDE (is_counter, growth, is_back) REPLACE (false AS begins, growth / interval_s AS value)
FROM grown
WHERE interval_s > 0 AND growth >= 0 AND NOT is_back
