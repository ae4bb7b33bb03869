-- Single samples with the interval in which each ended.
SELECT
    e.*, s.start_utc,
    interval_no_of(e.end_utc, s.start_utc, s.step_s, s.first_no, s.last_no) AS interval_no,
    interval_length_s(interval_no, s.step_s, s.first_no, s.first_s, s.last_no, s.last_s)
        AS interval_s,
    interval_end_s(interval_no, s.step_s, s.last_no, s.last_s) AS since_start_s,
    s.start_utc + to_seconds(since_start_s) AS until_utc
FROM sampled_ended e
JOIN sample_span s USING (run_id)
