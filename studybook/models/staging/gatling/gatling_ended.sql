-- Requests and groups of Gatling as single samples. A group's time is that of its requests, without
-- pauses, as in Gatling's own reports.
WITH each AS (
    SELECT
        file_id, line, 'sample' AS kind,
        concat_ws(' / ', replace(group_path, ',', ' / '), name) AS label, time_utc, end_utc,
        elapsed_ms, NOT success AS has_failed, message
    FROM gatling_request
    UNION ALL
    SELECT
        file_id, line, 'transaction', replace(group_path, ',', ' / '), time_utc, end_utc,
        elapsed_ms, NOT success, NULL
    FROM gatling_group
)
SELECT
    'gatling' AS tool, c.run_id, e.file_id, c.host, e.line, 'UTC, in the file' AS clock, e.kind,
    e.label, utc_of(e.time_utc, NULL, c.zone, h.clock_offset_s) AS begin_utc,
    utc_of(e.end_utc, NULL, c.zone, h.clock_offset_s) AS end_utc,
    e.elapsed_ms::DOUBLE AS elapsed_ms, e.has_failed, NULL::VARCHAR AS code, e.message
FROM each e
JOIN file_clock c USING (file_id)
LEFT JOIN host h ON h.run_id = c.run_id AND h.host = c.host
