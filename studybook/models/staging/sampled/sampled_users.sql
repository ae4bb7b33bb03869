-- Virtual users at the end of each interval. Of k6: what each instance said last in the interval.
-- Of Gatling: all that had started until then, less those that had ended.
WITH last_of_instance AS (
    SELECT
        v.run_id, v.file_id, interval_no_of(v.at_utc, s.start_utc, s.interval_s) AS interval_no,
        any_value(s.start_utc) AS start_utc, any_value(s.interval_s) AS interval_s, arg_max(v.value, (v.at_utc, v.line)) AS active
    FROM k6_value v
    JOIN sampled_start s USING (run_id)
    WHERE v.metric = 'vus'
    GROUP BY v.run_id, v.file_id, interval_no
),
extent AS (
    SELECT
        run_id, min(file_id) AS file_id, min(interval_no) AS first_no, max(interval_no) AS last_no,
        any_value(time_utc - to_seconds(since_start_s)) AS start_utc,
        any_value(interval_s) AS interval_s
    FROM sampled_interval
    WHERE tool = 'gatling' AND run_id IN (SELECT run_id FROM gatling_user_change)
    GROUP BY run_id
),
-- Intervals without a change have a row, too; unless a wrong date makes them too many.
change AS (
    SELECT
        u.run_id, u.file_id, interval_no_of(u.at_utc, s.start_utc, s.interval_s) AS interval_no,
        s.start_utc, s.interval_s, u.change
    FROM gatling_user_change u
    JOIN sampled_start s USING (run_id)
    UNION ALL
    SELECT run_id, file_id, unnest(range(first_no, last_no + 1)), start_utc, interval_s, 0
    FROM extent
    WHERE last_no - first_no < 100000
),
by_interval AS (
    SELECT 'k6' AS tool, run_id, min(file_id) AS file_id, interval_no,
        any_value(start_utc) AS start_utc, any_value(interval_s) AS interval_s,
        sum(active)::DOUBLE AS active
    FROM last_of_instance
    GROUP BY run_id, interval_no
    UNION ALL
    SELECT 'gatling', run_id, min(file_id), interval_no, any_value(start_utc), any_value(interval_s),
        (sum(sum(change)) OVER (PARTITION BY run_id ORDER BY interval_no))::DOUBLE
    FROM change
    GROUP BY run_id, interval_no
)
SELECT
    tool, run_id, file_id, interval_no, interval_s,
    (interval_no + 1) * interval_s AS since_start_s,
    start_utc + to_seconds((interval_no + 1) * interval_s) AS time_utc, active
FROM by_interval
