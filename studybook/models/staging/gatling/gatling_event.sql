-- Failures, one row for all of a name with the same message; errors likewise.
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
GROUP BY file_id, host, kind, label, message
