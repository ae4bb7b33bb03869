-- Records of sar with run, host and time as a UTC instant, whatever printed them.
CREATE OR REPLACE MACRO sar_stamped(records) AS TABLE
SELECT
    s.run_id, s.host,
    utc_of_pass(r.time_utc, r.time_local, r.set_back, s.zone, s.clock_offset_s) AS time_utc,
    r.* EXCLUDE (time_utc, time_local, set_back, report_no)
FROM query_table(records) r
JOIN sar_source s USING (file_id, report_no);

-- The same as one series for each host and part (a processor, a device). A sample that is in more
-- than one file counts once: that of the shortest interval. A second sample in the same second, as
-- live output may have, has an interval of 0 s and stays a row of its own. Of two sections that
-- tell the same, the one of lesser rank is taken.
CREATE OR REPLACE MACRO sar_series(records, part, rank) AS TABLE
FROM sar_stamped(records)
QUALIFY row_number() OVER (
    PARTITION BY run_id, host, part, time_utc, interval_s IS NOT DISTINCT FROM 0
    ORDER BY rank, interval_s, file_id, line
) = 1;

-- Lists of rates as a row for each of them, with its interrupt and its processor.
CREATE OR REPLACE MACRO single_rates(records) AS TABLE
SELECT
    run_id, file_id, line, host, time_utc, interval_s, coalesce(interrupt, name) AS interrupt,
    if(interrupt IS NULL, coalesce(cpu, 'all'), name) AS cpu, interrupts_per_s
FROM (
    SELECT *, unnest(string_split(names, ' ')) AS name, unnest(rates_per_s) AS interrupts_per_s
    FROM query_table(records)
);
