-- What failed over the whole run, and why, as far as the driver says: one row for all of a label with the
-- same code and message. requests: all of the run, with those that did not fail. Where the driver tells no
-- more than how many failed, code and failure are NULL; where it does not say when, first_by_utc.
WITH timed AS (
    SELECT
        tool, run_id, label, code, failure, sum(failed)::BIGINT AS failed,
        -- Counted by intervals: it was there when that of the first one ended.
        min(time_utc) AS first_by_utc
    FROM driver_outcome_interval
    WHERE failed > 0 AND kind = 'sample'
    GROUP BY tool, run_id, label, code, failure
),
said AS (
    SELECT
        'locust' AS tool, c.run_id, concat_ws(' ', f.method, f.name) AS label,
        f.error AS failure, sum(f.occurrences)::BIGINT AS failed
    FROM locust_failure f
    JOIN file_clock c USING (file_id)
    GROUP BY ALL
),
-- Where pgbench runs several scripts, it counts the failures of each.
script AS (
    SELECT 'pgbench' AS tool, f.run_id, s.name, sum(s.failed) AS failed
    FROM pgbench_script s
    JOIN raw_file f USING (file_id)
    WHERE s.failed > 0
    GROUP BY f.run_id, s.name
),
-- What is counted, and not said.
counted AS (
    SELECT
        c.tool, c.run_id, c.label,
        (c.failed - coalesce(sum(s.failed) FILTER (s.label = c.label OR c.label IS NULL), 0))::BIGINT
            AS failed
    FROM (
        SELECT tool, run_id, name AS label, sum(value) AS failed
        FROM run_statistic
        WHERE kind = 'sample' AND measure = 'failed' AND value > 0
            AND (tool, run_id) NOT IN (SELECT (tool, run_id) FROM driver_outcome_interval)
            AND NOT (name IS NOT DISTINCT FROM 'multiple scripts'
                AND (tool, run_id) IN (SELECT (tool, run_id) FROM script))
        GROUP BY tool, run_id, name
        -- All together only where there is no more than that.
        QUALIFY name IS NOT NULL OR count(*) OVER (PARTITION BY tool, run_id) = 1
        UNION ALL BY NAME
        SELECT tool, run_id, name AS label, failed FROM script
    ) c
    LEFT JOIN said s USING (tool, run_id)
    GROUP BY c.tool, c.run_id, c.label, c.failed
),
request AS (
    SELECT run_id, sum(requests)::BIGINT AS requests
    FROM (
        -- These have requests without an answer, too.
        SELECT run_id, coalesce(attempts, completed) AS requests FROM load_run
        UNION ALL
        SELECT run_id, value
        FROM run_statistic
        WHERE kind = 'sample' AND measure = 'completed' AND statistic = 'count' AND name IS NULL
            AND (tool, run_id) NOT IN (SELECT (tool, run_id) FROM load_run)
    )
    GROUP BY run_id
)
SELECT f.*, nullif(r.requests, 0) AS requests
FROM (
    FROM timed
    UNION ALL BY NAME
    FROM said
    UNION ALL BY NAME
    FROM counted WHERE failed > 0
) f
LEFT JOIN request r USING (run_id)
