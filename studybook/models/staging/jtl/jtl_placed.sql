-- Samples as in jtl_ended with the interval in which each ended.
SELECT
    e.*, s.start_utc,
    interval_no_of(e.end_utc, s.start_utc, s.step_s, s.first_no, s.last_no) AS interval_no,
    interval_length_s(interval_no, s.step_s, s.first_no, s.first_s, s.last_no, s.last_s)
        AS interval_s,
    interval_end_s(interval_no, s.step_s, s.last_no, s.last_s) AS since_start_s,
    s.start_utc + to_seconds(since_start_s) AS until_utc
FROM jtl_ended e
JOIN sample_span s USING (run_id)
WHERE e.end_utc IS NOT NULL AND e.elapsed_ms IS NOT NULL
