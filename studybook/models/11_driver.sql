-- What a load driver measured, whichever it is: response times, throughput and users of intervals,
-- and the statistics of the run as a whole. tool says which driver; what one does not tell is NULL.
-- JMeter, k6 and Gatling keep single samples, so there are percentiles; their intervals are of 10
-- seconds. kind: of RPT page, page element, transaction, …; of the others sample (a request),
-- transaction (what they group), and of k6 iteration. name is NULL for all of a kind together.
-- What failed is in all of these, and counted as failed.

-- Intervals of the drivers that keep single samples.
CREATE OR REPLACE VIEW driver_sample_interval AS
SELECT 'jtl' AS tool, * FROM jtl_interval
UNION ALL BY NAME
FROM sampled_interval;

-- Mean response times of intervals. hits: how many pages, samples, … were completed in the
-- interval, of which this is the mean; NULL if the export does not say.
CREATE OR REPLACE VIEW response_time AS
FROM rpt_response_time
UNION ALL BY NAME
SELECT
    tool, run_id, file_id, 'all hosts' AS host, time_utc, since_start_s, interval_s,
    kind, label AS name, if(kind = 'sample', 'response time', 'elapsed time') AS measure,
    mean_ms, samples AS hits, failed, min_ms, max_ms, p50_ms, p90_ms, p95_ms, p99_ms
FROM driver_sample_interval
UNION ALL BY NAME
FROM locust_response_time;

-- Starts and completions per second of each interval, so that rates times intervals add up to the
-- count; of the kind run: bytes received and sent, as far as the driver counts them.
CREATE OR REPLACE VIEW throughput AS
WITH extent AS (
    SELECT tool, run_id, min(interval_no) AS first_no, max(interval_no) AS last_no
    FROM driver_sample_interval
    GROUP BY tool, run_id
),
-- Intervals in which nothing ended have a row, too; unless a wrong date makes them too many.
interval_of_run AS (
    SELECT tool, run_id, unnest(range(first_no, last_no + 1)) AS interval_no
    FROM extent
    WHERE last_no - first_no < 100000
    UNION
    SELECT tool, run_id, interval_no FROM driver_sample_interval
),
series AS (
    SELECT
        tool, run_id, kind, label, min(file_id) AS file_id, any_value(interval_s) AS interval_s,
        any_value(time_utc - to_seconds(since_start_s)) AS start_utc
    FROM driver_sample_interval
    GROUP BY tool, run_id, kind, label
),
complete AS (
    SELECT
        s.*, r.interval_no, (r.interval_no + 1) * s.interval_s AS since_start_s,
        coalesce(i.samples, 0) / s.interval_s AS completed_per_s,
        -- NULL where samples ended, but their bytes were not saved.
        CASE
            WHEN s.tool = 'k6' THEN coalesce(b.bytes_received, 0)
            WHEN i.samples IS NULL THEN 0
            ELSE i.bytes_received
        END / 1048576 / s.interval_s AS received_mib_s,
        CASE
            WHEN s.tool = 'k6' THEN coalesce(b.bytes_sent, 0)
            WHEN i.samples IS NULL THEN 0
            ELSE i.bytes_sent
        END / 1048576 / s.interval_s AS sent_mib_s
    FROM series s
    JOIN interval_of_run r USING (tool, run_id)
    LEFT JOIN driver_sample_interval i
        ON i.tool = s.tool AND i.run_id = s.run_id AND i.kind = s.kind AND i.label IS NOT DISTINCT FROM s.label
        AND i.interval_no = r.interval_no
    LEFT JOIN k6_bytes b
        ON b.tool = s.tool AND b.run_id = s.run_id AND b.interval_no = r.interval_no
),
sampled AS (
    SELECT tool, run_id, file_id, start_utc, since_start_s, interval_s, kind, label AS name,
        completed_per_s, NULL::DOUBLE AS received_mib_s, NULL::DOUBLE AS sent_mib_s
    FROM complete
    UNION ALL
    SELECT tool, run_id, file_id, start_utc, since_start_s, interval_s, 'run', NULL, NULL,
        received_mib_s, sent_mib_s
    FROM complete
    -- Gatling counts no bytes.
    WHERE kind = 'sample' AND label IS NULL
        AND (tool = 'jtl' OR tool = 'k6' AND run_id IN (SELECT run_id FROM k6_bytes))
)
FROM rpt_throughput
UNION ALL BY NAME
SELECT
    tool, run_id, file_id, 'all hosts' AS host,
    start_utc + to_seconds(since_start_s) AS time_utc,
    since_start_s, interval_s, kind, name, completed_per_s, received_mib_s, sent_mib_s
FROM sampled
UNION ALL BY NAME
FROM locust_throughput;

-- Virtual users at the end of each interval. Of JMeter: the threads that each driver counted with
-- its last sample in the interval. Of the others: 10_sampled.sql, 10_locust.sql.
CREATE OR REPLACE VIEW virtual_users AS
WITH last_of_driver AS (
    SELECT
        run_id, file_id, engine, interval_no, any_value(start_utc) AS start_utc,
        any_value(interval_s)::DOUBLE AS interval_s,
        arg_max(all_threads, (epoch_ms(end_utc), line)) AS active
    FROM jtl_placed
    WHERE all_threads IS NOT NULL
    GROUP BY run_id, file_id, engine, interval_no
),
jmeter AS (
    SELECT
        run_id, min(file_id) AS file_id, any_value(start_utc) AS start_utc,
        any_value(interval_s) AS interval_s,
        (interval_no + 1) * any_value(interval_s) AS since_start_s, sum(active)::DOUBLE AS active
    FROM last_of_driver
    GROUP BY run_id, interval_no
)
FROM rpt_virtual_users
UNION ALL BY NAME
SELECT
    'jtl' AS tool, run_id, file_id, 'all hosts' AS host,
    start_utc + to_seconds(since_start_s) AS time_utc, since_start_s, interval_s, active
FROM jmeter
UNION ALL BY NAME
SELECT
    tool, run_id, file_id, 'all hosts' AS host, time_utc, since_start_s, interval_s, active
FROM sampled_users
UNION ALL BY NAME
FROM locust_virtual_users;

-- The least response time that so large a part of all samples does not exceed.
CREATE OR REPLACE MACRO rank_at(value, up_to, of_all, part) AS
    (min(value) FILTER (up_to >= part * of_all))::DOUBLE;

-- Statistics of the run as a whole, its ramp-up included. Percentiles are values that occurred.
CREATE OR REPLACE VIEW run_statistic AS
WITH distribution AS (
    SELECT 'jtl' AS tool, * FROM jtl_distribution
    UNION ALL BY NAME
    FROM sampled_distribution
),
wide AS (
    SELECT
        tool, run_id, kind, label, min(file_id) AS file_id, max(since_start_s) AS since_start_s,
        sum(rows * samples)::DOUBLE AS completed, sum(failed)::DOUBLE AS failed,
        sum(rows * elapsed_ms) / sum(rows * samples) AS average,
        max(samples) = 1 AS single,
        if(single, min(elapsed_ms), NULL)::DOUBLE AS minimum,
        if(single, max(elapsed_ms), NULL)::DOUBLE AS maximum,
        if(single, pooled_sd(rows, elapsed_ms::DOUBLE, 0), NULL) AS standard_deviation,
        if(single, rank_at(elapsed_ms, up_to, of_all, 0.50), NULL) AS "percentile 50",
        if(single, rank_at(elapsed_ms, up_to, of_all, 0.90), NULL) AS "percentile 90",
        if(single, rank_at(elapsed_ms, up_to, of_all, 0.95), NULL) AS "percentile 95",
        if(single, rank_at(elapsed_ms, up_to, of_all, 0.99), NULL) AS "percentile 99"
    FROM distribution
    GROUP BY tool, run_id, kind, label
),
long AS (
    UNPIVOT wide
    ON completed, failed, average, minimum, maximum, standard_deviation,
        "percentile 50", "percentile 90", "percentile 95", "percentile 99"
    INTO NAME statistic VALUE value
)
FROM rpt_run_statistic
UNION ALL BY NAME
SELECT
    tool, run_id, file_id, 'all hosts' AS host, 'Default Time Range' AS time_range, kind,
    label AS name,
    CASE
        WHEN statistic IN ('completed', 'failed') THEN statistic
        WHEN kind = 'sample' THEN 'response time'
        ELSE 'elapsed time'
    END AS measure,
    if(statistic IN ('completed', 'failed'), 'count', statistic) AS statistic,
    if(statistic IN ('completed', 'failed'), 'count', 'ms') AS unit,
    value, since_start_s
FROM long
UNION ALL BY NAME
FROM locust_run_statistic;
