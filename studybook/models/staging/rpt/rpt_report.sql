-- One row per report: the run that it is of, and its start as a UTC instant. Reports of one run
-- (key) are parts of an export that was split by columns, or of several time ranges, or exports
-- of earlier and later; where they say the same, the first one by place is used: the whole run
-- before its time ranges, and what goes on longest.
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
FROM report
