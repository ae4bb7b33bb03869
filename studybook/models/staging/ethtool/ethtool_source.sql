-- One row per output of ethtool -S: its host, which ethtool does not print, and when it was.
SELECT
    c.run_id, e.file_id, e.capture_no, coalesce(c.host, o.host) AS host, e.interface,
    utc_of(e.time_utc, NULL, c.zone, h.clock_offset_s) AS time_utc
FROM ethtool_capture e
JOIN file_clock c USING (file_id)
JOIN nameless_host o USING (run_id)
LEFT JOIN host h ON h.run_id = c.run_id AND h.host = coalesce(c.host, o.host)
