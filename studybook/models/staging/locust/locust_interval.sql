-- Intervals of 10 seconds since the run's start (that of run.yml, else of the file), as near as
-- there are rows: each reaches to the last row in it, from that of the interval before.
WITH start AS (
    SELECT a.run_id, coalesce(any_value(r.start_utc), min(a.at_utc)) AS start_utc
    FROM locust_added a
    JOIN run r USING (run_id)
    GROUP BY a.run_id
),
placed AS (
    -- A row tells of what was before it.
    SELECT a.*, s.start_utc,
        ceil((epoch_ms(a.at_utc) - epoch_ms(s.start_utc)) / 10000)::BIGINT - 1 AS interval_no
    FROM locust_added a
    JOIN start s USING (run_id)
),
extent AS (
    SELECT
        run_id, file_id, host, interval_no, any_value(start_utc) AS start_utc,
        max(at_utc) AS end_utc, arg_max(users, line) AS users,
        coalesce(lag(max(at_utc)) OVER (PARTITION BY file_id ORDER BY interval_no),
                 any_value(first_utc)) AS begin_utc
    FROM placed
    WHERE is_total
    GROUP BY run_id, file_id, host, interval_no
),
series AS (
    SELECT DISTINCT file_id, is_total, if(is_total, NULL, concat_ws(' ', method, name)) AS label
    FROM placed
),
-- Sums of what was added, and percentiles of the last ten seconds.
added AS (
    SELECT
        file_id, is_total, if(is_total, NULL, concat_ws(' ', method, name)) AS label, interval_no,
        sum(requests)::BIGINT AS samples, sum(failures)::BIGINT AS failed,
        sum(took_ms) / nullif(sum(requests), 0) AS mean_ms,
        arg_max(if(has_full_history, p50_ms, NULL), line) AS p50_ms,
        arg_max(if(has_full_history, p90_ms, NULL), line) AS p90_ms,
        arg_max(if(has_full_history, p95_ms, NULL), line) AS p95_ms,
        arg_max(if(has_full_history, p99_ms, NULL), line) AS p99_ms
    FROM placed
    GROUP BY ALL
)
SELECT
    'locust' AS tool, e.run_id, e.file_id, e.host, e.interval_no, s.label, e.end_utc AS time_utc,
    (epoch_ms(e.end_utc) - epoch_ms(e.start_utc)) / 1000 AS since_start_s,
    (epoch_ms(e.end_utc) - epoch_ms(e.begin_utc)) / 1000 AS interval_s, e.users,
    coalesce(a.samples, 0) AS samples, coalesce(a.failed, 0) AS failed,
    a.mean_ms, a.p50_ms, a.p90_ms, a.p95_ms, a.p99_ms
FROM extent e
JOIN series s USING (file_id)
LEFT JOIN added a
    ON a.file_id = e.file_id AND a.interval_no = e.interval_no AND a.is_total = s.is_total
    AND a.label IS NOT DISTINCT FROM s.label
WHERE e.end_utc > e.begin_utc
