-- One row per row of a report, its named cells as maps. Rows of reports that are no logs are of the
-- whole period. The interval of a log's row begins with the row before of the same thing, the first
-- one with From; after a gap (a late logon, a row not understood) or a step back its length is not
-- known. occurrence: which row of the report it is with this key and time; an hour that the clock
-- goes through twice has two. copy_no: a report may stand in several files, or twice in one.
WITH whole AS (
    SELECT
        file_id, report_no, row_no, any_value(time_local) AS time_local,
        any_value(mean_row) AS mean_row, any_value(row_key) AS row_key,
        map(list(metric) FILTER (metric IS NOT NULL), list(value) FILTER (metric IS NOT NULL)) AS number,
        map(list(metric) FILTER (metric IS NOT NULL), list(text) FILTER (metric IS NOT NULL)) AS name
    FROM perfkit_value
    GROUP BY file_id, report_no, row_no
),
placed AS (
    SELECT
        *,
        -- Rows of a log that have no other key have their time as their key.
        lag(time_local) OVER (
            PARTITION BY file_id, report_no, mean_row,
                if(regexp_full_match(row_key, '\d\d:\d\d:\d\d'), '', row_key)
            ORDER BY row_no) AS before_local,
        row_number() OVER (
            PARTITION BY file_id, report_no, mean_row, row_key, time_local ORDER BY row_no
        ) AS occurrence
    FROM whole
),
usual AS (
    SELECT file_id, report_no, quantile_disc(epoch(time_local) - epoch(before_local), 0.5) AS usual_s
    FROM placed
    WHERE time_local > before_local
    GROUP BY file_id, report_no
),
stepped AS (
    SELECT
        w.*, u.usual_s, p.* EXCLUDE (file_id, report_no),
        epoch(w.time_local) - epoch(coalesce(w.before_local, p.from_local)) AS step_s
    FROM placed w
    JOIN perfkit_period p USING (file_id, report_no)
    LEFT JOIN usual u USING (file_id, report_no)
)
SELECT
    run_id, file_id, report_no, report, subject, host, row_no, mean_row, row_key, number, name,
    CASE WHEN time_local IS NULL THEN to_utc
        ELSE utc_of(NULL::TIMESTAMP, time_local, zone, clock_offset_s) END AS time_utc,
    CASE WHEN time_local IS NULL THEN interval_s
        WHEN step_s > 0 AND step_s <= 1.5 * usual_s THEN step_s END AS interval_s,
    time_local IS NOT NULL AS in_log, coalesce(time_local, to_local) AS end_local,
    if(time_local IS NULL, from_local, NULL) AS from_local, before_local, usual_s,
    coalesce(step_s > 1.5 * usual_s, false) AS after_gap, occurrence,
    row_number() OVER same AS copy_no, number IS DISTINCT FROM first_value(number) OVER same AS differs
FROM stepped
WINDOW same AS (
    PARTITION BY run_id, host, report, subject, row_key, mean_row, time_local, occurrence,
        if(time_local IS NULL, (from_local, to_local), NULL),
        -- Of reports whose time is not known, none is known to be the same as another.
        if(time_local IS NULL AND to_local IS NULL, (file_id, report_no), NULL)
    ORDER BY file_id, report_no)
