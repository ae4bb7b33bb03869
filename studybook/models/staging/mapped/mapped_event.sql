-- Where counters in tables that run.yml maps began anew: a value is below that of the row before.
SELECT
    v.file_id, coalesce(v.host, c.host) AS host,
    utc_of(v.time_utc, NULL, c.zone, h.clock_offset_s) AS time_utc, 'counter reset' AS kind,
    concat_ws(', ', v.column_name, v.label, 'line ' || v.line) AS text
FROM mapped_value v
JOIN file_clock c USING (file_id)
LEFT JOIN host h ON h.run_id = c.run_id AND h.host = coalesce(v.host, c.host)
WHERE v.is_counter
QUALIFY v.value < lag(v.value) OVER (
    PARTITION BY v.file_id, v.host, v.label, v.metric ORDER BY v.time_utc, v.line)
