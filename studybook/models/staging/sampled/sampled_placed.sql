-- Single samples with the interval in which each ended.
SELECT
    e.*, s.start_utc, s.interval_s,
    interval_no_of(e.end_utc, s.start_utc, s.interval_s) AS interval_no
FROM sampled_ended e
JOIN sampled_start s USING (run_id)
