-- Values with the end of their interval.
SELECT v.file_id, v.counter_no, i.since_start_ms, v.value, v.line
FROM rpt_value v
JOIN rpt_interval i USING (file_id, line)
