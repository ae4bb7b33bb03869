-- Virtual users at the end of each interval. Of JMeter: the threads that each driver counted with
-- its last sample in the interval. Of the others: sampled_users, locust_virtual_users, progress_interval.
WITH last_of_driver AS (
    SELECT
        run_id, file_id, engine, interval_no, any_value(until_utc) AS time_utc,
        any_value(since_start_s) AS since_start_s, any_value(interval_s) AS interval_s,
        arg_max(all_threads, (epoch_ms(end_utc), line)) AS active
    FROM jtl_placed
    WHERE all_threads IS NOT NULL
    GROUP BY run_id, file_id, engine, interval_no
),
jmeter AS (
    SELECT
        run_id, min(file_id) AS file_id, any_value(time_utc) AS time_utc,
        any_value(since_start_s) AS since_start_s, any_value(interval_s) AS interval_s,
        sum(active)::DOUBLE AS active
    FROM last_of_driver
    GROUP BY run_id, interval_no
)
FROM rpt_virtual_users
UNION ALL BY NAME
SELECT
    'jtl' AS tool, run_id, file_id, 'all hosts' AS host, time_utc, since_start_s, interval_s,
    active
FROM jmeter
UNION ALL BY NAME
SELECT
    tool, run_id, file_id, 'all hosts' AS host, time_utc, since_start_s, interval_s, active
FROM sampled_users
UNION ALL BY NAME
FROM locust_virtual_users
UNION ALL BY NAME
SELECT
    tool, run_id, file_id, 'all hosts' AS host, time_utc, since_start_s, interval_s,
    users::DOUBLE AS active
FROM progress_interval
WHERE users IS NOT NULL
