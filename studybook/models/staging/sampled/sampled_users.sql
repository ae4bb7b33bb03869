-- Virtual users at the end of each interval. Of k6: what each instance said last in the interval.
-- Of Gatling: all that had started until then, less those that had ended. What is told after the load has
-- ended is of no interval.
WITH last_of_instance AS (
    SELECT
        v.run_id, v.file_id,
        interval_no_of(v.at_utc, s.start_utc, s.step_s, s.first_no, s.last_no) AS interval_no,
        arg_max(v.value, (v.at_utc, v.line)) AS active
    FROM k6_value v
    JOIN sample_span s USING (run_id)
    WHERE v.metric = 'vus' AND epoch_ms(v.at_utc) - epoch_ms(s.start_utc) <= 1000 * s.last_s
    GROUP BY v.run_id, v.file_id, interval_no
),
-- Intervals without a change have a row, too; unless a wrong date makes them too many.
change AS (
    SELECT
        u.run_id, u.file_id,
        interval_no_of(u.at_utc, s.start_utc, s.step_s, s.first_no, s.last_no) AS interval_no, u.change
    FROM gatling_user_change u
    JOIN sample_span s USING (run_id)
    WHERE epoch_ms(u.at_utc) - epoch_ms(s.start_utc) <= 1000 * s.last_s
    UNION ALL
    SELECT run_id, min(u.file_id), unnest(range(any_value(s.first_no), any_value(s.last_no) + 1)), 0
    FROM gatling_user_change u
    JOIN sample_span s USING (run_id)
    GROUP BY run_id
    HAVING any_value(s.last_no - s.first_no) < 100000
),
by_interval AS (
    SELECT 'k6' AS tool, run_id, min(file_id) AS file_id, interval_no,
        sum(active)::DOUBLE AS active
    FROM last_of_instance
    GROUP BY run_id, interval_no
    UNION ALL
    SELECT 'gatling', run_id, min(file_id), interval_no,
        (sum(sum(change)) OVER (PARTITION BY run_id ORDER BY interval_no))::DOUBLE
    FROM change
    GROUP BY run_id, interval_no
)
SELECT
    b.tool, b.run_id, b.file_id, b.interval_no,
    interval_length_s(b.interval_no, s.step_s, s.first_no, s.first_s, s.last_no, s.last_s)
        AS interval_s,
    interval_end_s(b.interval_no, s.step_s, s.last_no, s.last_s) AS since_start_s,
    s.start_utc + to_seconds(since_start_s) AS time_utc, b.active
FROM by_interval b
JOIN sample_span s USING (run_id)
