-- Single samples with the interval of 10 seconds in which each ended.
SELECT
    e.*, s.start_utc, 10 AS interval_s, interval_no_of(e.end_utc, s.start_utc) AS interval_no
FROM sampled_ended e
JOIN sampled_start s USING (run_id)
