-- Intervals of the load driver over all pages (samples, transactions: what it has first).
WITH throughput_of AS (
    SELECT *, list_position(['page', 'sample', 'transaction'], kind) AS place
    FROM throughput
    WHERE completed_per_s IS NOT NULL AND interval_s > 0
    WINDOW own AS (PARTITION BY run_id, kind)
    QUALIFY of_all(name IS NULL, bool_or(name IS NULL) OVER own)
        AND of_all(host = 'all hosts', bool_or(host = 'all hosts') OVER own)
),
chosen AS (
    SELECT * FROM throughput_of
    QUALIFY place = min(place) OVER (PARTITION BY run_id)
),
-- The elapsed time of a transaction goes before its net server time.
response AS (
    SELECT run_id, kind, time_utc, sum(mean_ms * hits) / sum(hits) AS response_ms
    FROM (
        FROM response_time
        WHERE hits > 0 AND mean_ms IS NOT NULL
        WINDOW own AS (PARTITION BY run_id, kind)
        QUALIFY measure = min(measure) OVER own
            AND of_all(name IS NULL, bool_or(name IS NULL) OVER own)
            AND of_all(host = 'all hosts', bool_or(host = 'all hosts') OVER own)
    )
    GROUP BY run_id, kind, time_utc
),
users AS (
    SELECT run_id, time_utc, sum(active) AS users
    FROM (
        FROM virtual_users
        QUALIFY of_all(
            host = 'all hosts', bool_or(host = 'all hosts') OVER (PARTITION BY run_id))
    )
    GROUP BY run_id, time_utc
),
rate AS (
    SELECT
        run_id, kind, time_utc, any_value(since_start_s) AS since_start_s,
        any_value(interval_s) AS interval_s, sum(completed_per_s) AS completed_per_s
    FROM chosen
    GROUP BY run_id, kind, time_utc
)
SELECT rate.*, response.response_ms, users.users
FROM rate
LEFT JOIN response USING (run_id, kind, time_utc)
LEFT JOIN users USING (run_id, time_utc)
