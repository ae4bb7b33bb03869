-- Starts (1) and ends (-1) of virtual users.
SELECT
    c.run_id, u.file_id, utc_of(u.time_utc, NULL, c.zone, h.clock_offset_s) AS at_utc,
    if(u.starts, 1, -1) AS change
FROM gatling_user u
JOIN file_clock c USING (file_id)
LEFT JOIN host h ON h.run_id = c.run_id AND h.host = c.host
