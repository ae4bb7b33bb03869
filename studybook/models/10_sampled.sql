-- Load drivers that log single samples, other than JMeter, whose samples may be sums of several
-- and parts of others (10_jtl.sql): what follows from them for intervals of 10 seconds.
CREATE OR REPLACE VIEW sampled_ended AS
FROM k6_ended
UNION ALL BY NAME
FROM gatling_ended;

-- The beginning of each run: that of run.yml, else the beginning of the first sample or user.
CREATE OR REPLACE VIEW sampled_start AS
WITH began AS (
    SELECT run_id, begin_utc FROM sampled_ended
    UNION ALL
    SELECT run_id, at_utc FROM gatling_user_change
)
SELECT run_id, coalesce(any_value(r.start_utc), min(b.begin_utc)) AS start_utc
FROM began b
JOIN run r USING (run_id)
GROUP BY run_id;

CREATE OR REPLACE VIEW sampled_placed AS
SELECT
    e.*, s.start_utc, 10 AS interval_s, interval_no_of(e.end_utc, s.start_utc) AS interval_no
FROM sampled_ended e
JOIN sampled_start s USING (run_id);

-- One row per run, kind, label and interval; and one with all labels of a kind together, without
-- label. Samples that failed are in it, as in those of JMeter, and counted apart. Percentiles are
-- values that occurred.
CREATE OR REPLACE VIEW sampled_interval AS
SELECT
    tool, run_id, min(file_id) AS file_id, kind, label, interval_no,
    any_value(start_utc) + to_seconds((interval_no + 1) * any_value(interval_s)) AS time_utc,
    (interval_no + 1) * any_value(interval_s)::DOUBLE AS since_start_s,
    any_value(interval_s)::DOUBLE AS interval_s,
    count(*) AS samples, count(*) FILTER (has_failed) AS failed,
    avg(elapsed_ms) AS mean_ms, min(elapsed_ms) AS min_ms, max(elapsed_ms) AS max_ms,
    quantile_disc(elapsed_ms, [0.5, 0.9, 0.95, 0.99]) AS percentiles,
    percentiles[1] AS p50_ms, percentiles[2] AS p90_ms, percentiles[3] AS p95_ms,
    percentiles[4] AS p99_ms
FROM sampled_placed
GROUP BY GROUPING SETS ((tool, run_id, kind, interval_no, label), (tool, run_id, kind, interval_no))
-- What has no label has no row for it.
HAVING label IS NOT NULL OR grouping(label) = 1;

-- The run as a whole: how often each response time occurred.
CREATE OR REPLACE VIEW sampled_distribution AS
WITH together AS (
    SELECT
        tool, run_id, kind, label, elapsed_ms, 1 AS samples, count(*) AS rows,
        count(*) FILTER (has_failed) AS failed, min(file_id) AS file_id,
        max(epoch_ms(end_utc) - epoch_ms(start_utc)) / 1000 AS since_start_s
    FROM sampled_placed
    GROUP BY GROUPING SETS (
        (tool, run_id, kind, label, elapsed_ms), (tool, run_id, kind, elapsed_ms))
    HAVING label IS NOT NULL OR grouping(label) = 1
)
SELECT
    *, sum(rows) OVER up_to AS up_to,
    sum(rows) OVER (PARTITION BY tool, run_id, kind, label) AS of_all
FROM together
WINDOW up_to AS (PARTITION BY tool, run_id, kind, label ORDER BY elapsed_ms);

-- Bytes that k6 received and sent in each interval: values of their own, not of a request.
CREATE OR REPLACE VIEW k6_bytes AS
SELECT
    'k6' AS tool, v.run_id, interval_no_of(v.at_utc, s.start_utc) AS interval_no,
    sum(v.value) FILTER (v.metric = 'data_received') AS bytes_received,
    sum(v.value) FILTER (v.metric = 'data_sent') AS bytes_sent
FROM k6_value v
JOIN sampled_start s USING (run_id)
WHERE v.metric IN ('data_received', 'data_sent')
GROUP BY v.run_id, interval_no;

-- Virtual users at the end of each interval. Of k6: what each instance said last in the interval.
-- Of Gatling: all that had started until then, less those that had ended.
CREATE OR REPLACE VIEW sampled_users AS
WITH last_of_instance AS (
    SELECT
        v.run_id, v.file_id, interval_no_of(v.at_utc, s.start_utc) AS interval_no,
        any_value(s.start_utc) AS start_utc, arg_max(v.value, (v.at_utc, v.line)) AS active
    FROM k6_value v
    JOIN sampled_start s USING (run_id)
    WHERE v.metric = 'vus'
    GROUP BY v.run_id, v.file_id, interval_no
),
extent AS (
    SELECT
        run_id, min(file_id) AS file_id, min(interval_no) AS first_no, max(interval_no) AS last_no,
        any_value(time_utc - to_seconds(since_start_s)) AS start_utc
    FROM sampled_interval
    WHERE tool = 'gatling' AND run_id IN (SELECT run_id FROM gatling_user_change)
    GROUP BY run_id
),
-- Intervals without a change have a row, too; unless a wrong date makes them too many.
change AS (
    SELECT
        u.run_id, u.file_id, interval_no_of(u.at_utc, s.start_utc) AS interval_no, s.start_utc,
        u.change
    FROM gatling_user_change u
    JOIN sampled_start s USING (run_id)
    UNION ALL
    SELECT run_id, file_id, unnest(range(first_no, last_no + 1)), start_utc, 0
    FROM extent
    WHERE last_no - first_no < 100000
),
by_interval AS (
    SELECT 'k6' AS tool, run_id, min(file_id) AS file_id, interval_no,
        any_value(start_utc) AS start_utc, sum(active)::DOUBLE AS active
    FROM last_of_instance
    GROUP BY run_id, interval_no
    UNION ALL
    SELECT 'gatling', run_id, min(file_id), interval_no, any_value(start_utc),
        (sum(sum(change)) OVER (PARTITION BY run_id ORDER BY interval_no))::DOUBLE
    FROM change
    GROUP BY run_id, interval_no
)
SELECT
    tool, run_id, file_id, interval_no, 10::DOUBLE AS interval_s,
    (interval_no + 1) * 10::DOUBLE AS since_start_s,
    start_utc + to_seconds((interval_no + 1) * 10) AS time_utc, active
FROM by_interval;
