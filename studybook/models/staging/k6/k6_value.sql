-- Values of k6 with their moments as UTC instants, by the clock of the run.
SELECT
    c.run_id, c.host, utc_of(s.time_utc, NULL, c.zone, h.clock_offset_s) AS at_utc,
    'UTC, in the file' AS clock, s.*
FROM k6_sample s
JOIN file_clock c USING (file_id)
LEFT JOIN host h ON h.run_id = c.run_id AND h.host = c.host
