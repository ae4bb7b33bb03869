-- What the loading report says of each host in each file of mpstat.
WITH instant AS (
    SELECT
        r.file_id, s.host, s.clock, r.interval_s,
        utc_of_pass(r.time_utc, r.time_local, r.set_back, s.zone, s.clock_offset_s) AS time_utc
    FROM mpstat_cpu r
    JOIN mpstat_source s USING (file_id, report_no)
)
FROM coverage_of('instant')
