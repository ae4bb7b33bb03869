-- What holds for all hosts and all names together, or where an export has no such rows, all rows.
CREATE OR REPLACE MACRO of_all(is_all, is_any) AS is_all OR NOT is_any;

-- The interval of sample_span in which an instant is; what is before the first belongs to the first,
-- what is after the last to the last.
CREATE OR REPLACE MACRO interval_no_of(at_utc, start_utc, step_s, first_no, last_no) AS
    least(last_no, greatest(
        first_no, floor((epoch_ms(at_utc) - epoch_ms(start_utc)) / (1000 * step_s))::BIGINT));

-- When an interval of sample_span ends, and how long it is, in seconds: the first begins with the load, and
-- the last ends with it.
CREATE OR REPLACE MACRO interval_end_s(interval_no, step_s, last_no, last_s) AS
    if(interval_no >= last_no, last_s, (interval_no + 1) * step_s)::DOUBLE;

CREATE OR REPLACE MACRO interval_length_s(interval_no, step_s, first_no, first_s, last_no, last_s) AS
    -- A single answer that took less than a millisecond has a rate, too.
    greatest(0.001, interval_end_s(interval_no, step_s, last_no, last_s)
        - if(interval_no <= first_no, first_s, interval_no * step_s))::DOUBLE;

-- What the loading report says of each file of a tool that reports its progress. An interval that is longer
-- than others is one for which the tool was late: nothing of it is missing.
CREATE OR REPLACE MACRO progress_coverage(records, of_tool) AS TABLE
SELECT
    p.file_id, c.host, min(p.time_utc) AS first_utc, max(p.time_utc) AS last_utc,
    if(bool_or(p.is_instant), 'UTC, in the file', 'since the start in run.yml') AS clock,
    count(*) AS samples, median(p.interval_s) AS interval_s, NULL::BIGINT AS gaps,
    NULL::BIGINT AS restarts, NULL::BIGINT AS resets
FROM query_table(records) p
JOIN file_clock c USING (file_id)
WHERE p.tool = of_tool
GROUP BY p.file_id, c.host;
