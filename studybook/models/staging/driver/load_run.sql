-- Executions of the load drivers that sum each one up (wrk, ab, hey, oha, vegeta, pgbench, sysbench), of Locust where
-- there is no history of the run, and of hey's CSV, whose samples have no times: one row each, as a whole, for parts of it are in no file. A file that
-- is cut before its counts end gives no row.
--
-- failed is what got no response, and responses of a status that stands for failure; of wrk those that
-- took longer than its timeout, too; of hey's CSV, which has responses only, the statuses alone; of databases
-- transactions that did not succeed, and those that began anew. NULL where the file does not say.
--
-- Results of which single samples have times (vegeta_ended, hey_ended) are in none of these rows: they go
-- before all reports of the same tool. vegeta can print the same several times: JSON goes before text. Files with nothing but percentiles count where the tool has
-- no other in the run.
WITH printed AS (
    SELECT 'wrk' AS tool, 2 AS place, * FROM wrk_run
    UNION ALL BY NAME
    SELECT 'ab' AS tool, 2 AS place, * FROM ab_run
    UNION ALL BY NAME
    SELECT 'hey' AS tool, 2 AS place, *
    FROM hey_run
    WHERE file_id NOT IN (SELECT f.file_id FROM raw_file f JOIN hey_ended e USING (run_id))
    UNION ALL BY NAME
    SELECT 'oha' AS tool, 2 AS place, * FROM oha_run
    UNION ALL BY NAME
    -- Where clients ended before their time, only the standard error may say so, in a file of its own.
    SELECT 'pgbench' AS tool, 2 AS place, *
    FROM pgbench_run
    WHERE file_id NOT IN (
        SELECT f.file_id
        FROM raw_file f
        JOIN raw_file e USING (run_id)
        JOIN pgbench_run a ON a.file_id = e.file_id
        WHERE a.aborted AND a.connections IS NULL)
    UNION ALL BY NAME
    SELECT 'sysbench' AS tool, 2 AS place, * FROM sysbench_run
    UNION ALL BY NAME
    SELECT
        'locust' AS tool, 2 AS place, file_id, 0 AS run_no, 'complete' AS status,
        requests AS responses, failures AS bad_responses, 0 AS no_response,
        requests / nullif(requests_per_s, 0) AS duration_s, requests_per_s, mean_ms, min_ms, max_ms,
        p50_ms, p90_ms, p95_ms, p99_ms, line
    FROM locust_total
    WHERE is_total AND requests > 0
        AND file_id NOT IN (SELECT f.file_id FROM raw_file f JOIN locust_added a USING (run_id))
    UNION ALL BY NAME
    SELECT 'vegeta' AS tool, if(time_utc IS NULL, 2, 1) AS place, *
    FROM vegeta_run
    WHERE file_id NOT IN (
        SELECT f.file_id FROM raw_file f JOIN vegeta_ended e USING (run_id))
),
ranked AS (
    SELECT
        *, row_number() OVER own AS up_to, count(*) OVER (PARTITION BY file_id, run_no) AS of_all
    FROM hey_sample
    WHERE file_id NOT IN (SELECT file_id FROM hey_ended)
    WINDOW own AS (PARTITION BY file_id, run_no ORDER BY response_ms)
),
summed AS (
    SELECT
        'hey' AS tool, 2 AS place, file_id, run_no, 'complete' AS status,
        count(*) AS responses, count(*) FILTER (ranked.status >= 400) AS bad_responses,
        -- Those without a response have no row, and nobody knows how many there were.
        0 AS no_response, max(offset_s + response_ms / 1000) AS duration_s,
        count(*) / nullif(max(offset_s + response_ms / 1000), 0) AS requests_per_s,
        avg(response_ms) AS mean_ms, min(response_ms) AS min_ms, max(response_ms) AS max_ms,
        rank_at(response_ms, up_to, of_all, 0.50) AS p50_ms,
        rank_at(response_ms, up_to, of_all, 0.90) AS p90_ms,
        rank_at(response_ms, up_to, of_all, 0.95) AS p95_ms,
        rank_at(response_ms, up_to, of_all, 0.99) AS p99_ms, min(line) AS line
    FROM ranked
    GROUP BY file_id, run_no
),
percentile AS (
    SELECT
        tool, file_id, run_no,
        any_value(response_ms) FILTER (percent = 50) AS printed_p50_ms,
        any_value(response_ms) FILTER (percent = 90) AS printed_p90_ms,
        any_value(response_ms) FILTER (percent = 95) AS printed_p95_ms,
        any_value(response_ms) FILTER (percent = 99) AS printed_p99_ms,
        any_value(response_ms) FILTER (percent = 100) AS printed_max_ms
    FROM (
        SELECT 'wrk' AS tool, * FROM wrk_percentile
        UNION ALL BY NAME
        SELECT 'ab' AS tool, * FROM ab_percentile
        UNION ALL BY NAME
        SELECT 'hey' AS tool, * FROM hey_percentile
        UNION ALL BY NAME
        SELECT 'oha' AS tool, * FROM oha_percentile
        UNION ALL BY NAME
        SELECT 'vegeta' AS tool, * FROM vegeta_percentile
        UNION ALL BY NAME
        SELECT 'sysbench' AS tool, * FROM sysbench_percentile
    )
    WHERE measure = 'response time'
    GROUP BY tool, file_id, run_no
),
one AS (
    SELECT
        f.run_id, f.name AS file, f.host, e.* EXCLUDE (place),
        -- wrk leaves out of its latencies what took longer than its timeout.
        if(tool = 'wrk' AND version = 'wrk' AND timeouts > 0, timeouts / responses, 0) AS left_out,
        coalesce(p50_ms, printed_p50_ms) AS of_50, coalesce(p90_ms, printed_p90_ms) AS of_90,
        coalesce(p95_ms, printed_p95_ms) AS of_95, coalesce(p99_ms, printed_p99_ms) AS of_99,
        coalesce(max_ms, printed_max_ms) AS of_100
    FROM (
        FROM printed
        UNION ALL BY NAME
        FROM summed
    ) e
    JOIN raw_file f USING (file_id)
    LEFT JOIN percentile p USING (tool, file_id, run_no)
    WHERE status IN ('complete', 'percentiles')
    QUALIFY if(status = 'percentiles', 3, place)
        = min(if(status = 'percentiles', 3, place)) OVER (PARTITION BY f.run_id, tool)
)
SELECT
    run_id, file_id, file, run_no, tool, host, url AS label, connections, duration_s,
    responses AS completed,
    least(bad_responses + coalesce(timeouts, 0), responses) + no_response AS failed,
    responses + no_response AS attempts, requests_per_s, min_ms,
    -- Each request that is left out took longer than all others: it alone may move a mean.
    if(left_out = 0, mean_ms, NULL) AS mean_ms, if(left_out = 0, sd_ms, NULL) AS sd_ms,
    -- A percentile of the others is taken for that of all where what is left out is less than a tenth
    -- of those above it.
    if(left_out = 0, of_100, NULL) AS max_ms,
    if(left_out <= 0.05, of_50, NULL) AS p50_ms, if(left_out <= 0.01, of_90, NULL) AS p90_ms,
    if(left_out <= 0.005, of_95, NULL) AS p95_ms, if(left_out <= 0.001, of_99, NULL) AS p99_ms,
    100 * left_out AS left_out_percent, count(*) OVER (PARTITION BY run_id) AS executions, line
FROM one
