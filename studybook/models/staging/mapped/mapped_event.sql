-- Where counters in tables that run.yml maps began anew: a value is below that of the row before; and
-- where counts per interval come so late that nobody knows how long they counted.
SELECT
    v.file_id, coalesce(v.host, c.host) AS host,
    utc_of(v.time_utc, NULL, c.zone, h.clock_offset_s) AS time_utc, v.kind,
    concat_ws(', ', v.column_name, v.label, 'line ' || v.line) AS text
FROM (
    SELECT file_id, host, label, time_utc, column_name, line, 'counter reset' AS kind
    FROM mapped_value
    WHERE is_counter
    QUALIFY value < lag(value) OVER (
        PARTITION BY file_id, host, label, metric ORDER BY time_utc, line)
    UNION ALL
    SELECT file_id, host, label, time_utc, column_name, line, 'count after a gap'
    FROM mapped_count
    WHERE after_gap
) v
JOIN file_clock c USING (file_id)
LEFT JOIN host h ON h.run_id = c.run_id AND h.host = coalesce(v.host, c.host)
