-- What Gatling measured: requests and groups as single samples, which 10_sampled.sql puts into
-- intervals; and the starts and ends of virtual users.

-- A group's time is that of its requests, without pauses, as in Gatling's own reports.
CREATE OR REPLACE VIEW gatling_ended AS
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
LEFT JOIN host h ON h.run_id = c.run_id AND h.host = c.host;

-- Starts (1) and ends (-1) of virtual users.
CREATE OR REPLACE VIEW gatling_user_change AS
SELECT
    c.run_id, u.file_id, utc_of(u.time_utc, NULL, c.zone, h.clock_offset_s) AS at_utc,
    if(u.starts, 1, -1) AS change
FROM gatling_user u
JOIN file_clock c USING (file_id)
LEFT JOIN host h ON h.run_id = c.run_id AND h.host = c.host;

CREATE OR REPLACE VIEW gatling_coverage AS
SELECT
    file_id, host, min(begin_utc) AS first_utc, max(end_utc) AS last_utc, clock,
    count(*) FILTER (kind = 'sample') AS samples, NULL::DOUBLE AS interval_s,
    NULL::BIGINT AS gaps, NULL::BIGINT AS restarts, NULL::BIGINT AS resets
FROM gatling_ended
GROUP BY file_id, host, clock;

-- Failures, one row for all of a name with the same message; errors likewise.
CREATE OR REPLACE VIEW gatling_event AS
WITH failed AS (
    SELECT file_id, host, end_utc AS at_utc, kind || 's failed' AS kind, label, message
    FROM gatling_ended
    WHERE has_failed
    UNION ALL
    SELECT
        e.file_id, c.host, utc_of(e.time_utc, NULL, c.zone, h.clock_offset_s), 'errors', NULL,
        e.message
    FROM gatling_error e
    JOIN file_clock c USING (file_id)
    LEFT JOIN host h ON h.run_id = c.run_id AND h.host = c.host
)
SELECT
    file_id, host, min(at_utc) AS time_utc, kind,
    concat_ws(': ', count(*) || coalesce(' of ' || label, ''), message)
    || if(count(*) > 1,
          '; the last at ' || strftime(max(at_utc), '%Y-%m-%d %H:%M:%S') || ' UTC', '') AS text
FROM failed
GROUP BY file_id, host, kind, label, message;
