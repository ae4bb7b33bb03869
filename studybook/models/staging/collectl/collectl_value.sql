-- Each number of collectl by its column, and when it was. Columns are named as -P names them: part is
-- CPU, DSK, …, item the processor or disk, and name what was counted.
WITH placed AS (
    SELECT
        s.run_id, r.file_id, s.host,
        placed_at(r.time_utc, r.time_local, r.set_back, s.zone, s.clock_offset_s, s.start_utc,
                  r.report_no, r.sample_no + 1, r.interval_s) AS time_utc,
        CASE
            WHEN r.time_utc IS NOT NULL THEN 'UTC, in the file'
            WHEN r.time_local IS NOT NULL THEN s.clock
            ELSE 'no times: from the start of the run on'
        END AS clock,
        r.interval_s, coalesce(r.set_back, false) AS is_set_back,
        unnest(string_split(h.names, ' ')) AS printed, unnest(r.numbers) AS value, r.line
    FROM collectl_row r
    JOIN collectl_heading h USING (file_id, report_no, heading_no)
    JOIN collectl_source s USING (file_id, report_no)
),
named AS (
    SELECT
        *,
        regexp_extract(printed, '^\[(\w+)(?::([^\]]+))?\](.*)$', ['part', 'item', 'name']) AS of
    FROM placed
    WHERE time_utc IS NOT NULL AND value IS NOT NULL
)
SELECT
    run_id, file_id, host, time_utc, clock, interval_s, is_set_back, upper(of.part) AS part,
    nullif(of.item, '') AS item, of.name AS name, value, line
FROM named
QUALIFY row_number() OVER (
    PARTITION BY run_id, host, printed, time_utc ORDER BY interval_s, file_id, line) = 1
