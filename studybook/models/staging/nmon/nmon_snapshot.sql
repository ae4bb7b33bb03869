-- When each snapshot of nmon was, and how long after the one before it.
WITH timed AS (
    SELECT
        t.file_id, t.report_no, t.sample_no, t.time_local, t.line,
        lag(t.time_local) OVER of_report AS before_local
    FROM nmon_time t
    WINDOW of_report AS (PARTITION BY t.file_id, t.report_no ORDER BY t.sample_no, t.line)
),
turned AS (
    SELECT
        *,
        bool_or(time_local < before_local AND time_local >= before_local - INTERVAL 1 HOUR) OVER (
            PARTITION BY file_id, report_no ORDER BY sample_no, line) AS set_back
    FROM timed
)
SELECT
    s.run_id, t.file_id, t.report_no, t.sample_no, s.host, s.clock,
    utc_of_pass(NULL, t.time_local, t.set_back, s.zone, s.clock_offset_s) AS time_utc,
    if(t.time_local > t.before_local,
       date_diff('second', t.before_local, t.time_local), NULL)::DOUBLE AS interval_s,
    coalesce(t.set_back, false) AS is_set_back
FROM turned t
JOIN nmon_source s USING (file_id, report_no)
QUALIFY row_number() OVER (
    PARTITION BY t.file_id, t.report_no, t.sample_no ORDER BY t.line) = 1
