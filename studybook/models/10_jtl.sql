-- What JMeter measured: samples, and what follows from them for intervals of 10 seconds.

-- Samples with their beginning and end as UTC instants; parts of samples are left out, for their
-- time is in the sample's. What a sample lasts from first to last is its time and its pauses.
-- Samples without times are in no interval. samples: how many a row stands for; failed: of these.
CREATE OR REPLACE VIEW jtl_ended AS
WITH named AS (
    SELECT
        c.run_id, c.file_id, coalesce(c.host, s.host) AS host, s.host AS engine, c.zone,
        CASE
            WHEN s.time_utc IS NOT NULL THEN 'UTC, in the file'
            WHEN s.time_local IS NOT NULL THEN c.zone_known
            ELSE 'no times in the file'
        END AS clock,
        if(s.is_transaction, 'transaction', 'sample') AS kind,
        greatest(coalesce(s.samples, 1), 1) AS samples,
        coalesce(s.errors, (NOT s.success)::BIGINT, 0) AS failed,
        s.* EXCLUDE (file_id, host, samples, errors)
    FROM jtl_sample s
    JOIN file_clock c USING (file_id)
    WHERE s.depth = 0
)
SELECT
    n.*, utc_of(n.time_utc, n.time_local, n.zone, h.clock_offset_s) AS begin_utc,
    begin_utc + to_milliseconds(n.elapsed_ms + coalesce(n.idle_ms, 0)) AS end_utc
FROM named n
LEFT JOIN host h ON h.run_id = n.run_id AND h.host = n.host;

-- The same with the interval in which each ended, counted from the run's start: that of run.yml,
-- else the beginning of the first sample.
CREATE OR REPLACE VIEW jtl_placed AS
WITH start AS (
    SELECT run_id, coalesce(any_value(r.start_utc), min(e.begin_utc)) AS start_utc
    FROM jtl_ended e
    JOIN run r USING (run_id)
    GROUP BY run_id
)
SELECT
    e.*, s.start_utc, 10 AS interval_s, interval_no_of(e.end_utc, s.start_utc) AS interval_no
FROM jtl_ended e
JOIN start s USING (run_id)
WHERE e.end_utc IS NOT NULL AND e.elapsed_ms IS NOT NULL;

-- One row per run, kind, label and interval; and one with all labels of a kind together, without
-- label. Samples that failed are in it, as in JMeter's own reports. Percentiles are values that
-- occurred; where rows are sums of several samples there are none, nor extremes.
CREATE OR REPLACE VIEW jtl_interval AS
SELECT
    run_id, min(file_id) AS file_id, kind, label, interval_no,
    any_value(start_utc) + to_seconds((interval_no + 1) * any_value(interval_s)) AS time_utc,
    (interval_no + 1) * any_value(interval_s)::DOUBLE AS since_start_s,
    any_value(interval_s)::DOUBLE AS interval_s,
    sum(samples)::BIGINT AS samples, sum(failed)::BIGINT AS failed,
    sum(elapsed_ms) / sum(samples) AS mean_ms,
    if(max(samples) = 1, min(elapsed_ms), NULL) AS min_ms,
    if(max(samples) = 1, max(elapsed_ms), NULL) AS max_ms,
    if(max(samples) = 1, quantile_disc(elapsed_ms, [0.5, 0.9, 0.95, 0.99]), NULL) AS percentiles,
    percentiles[1] AS p50_ms, percentiles[2] AS p90_ms, percentiles[3] AS p95_ms,
    percentiles[4] AS p99_ms,
    sum(bytes_received)::DOUBLE AS bytes_received, sum(bytes_sent)::DOUBLE AS bytes_sent
FROM jtl_placed
GROUP BY GROUPING SETS ((run_id, kind, interval_no, label), (run_id, kind, interval_no))
-- A file without labels has no row for them.
HAVING label IS NOT NULL OR grouping(label) = 1;

-- The run as a whole: how often each response time occurred, as numbers of samples would not fit
-- into memory.
CREATE OR REPLACE VIEW jtl_distribution AS
WITH each AS (
    SELECT
        run_id, kind, label, elapsed_ms, samples, count(*) AS rows, sum(failed) AS failed,
        min(file_id) AS file_id,
        max(epoch_ms(end_utc) - epoch_ms(start_utc)) / 1000 AS since_start_s
    FROM jtl_placed
    GROUP BY ALL
),
together AS (
    SELECT
        run_id, kind, label, elapsed_ms, samples, sum(rows) AS rows, sum(failed) AS failed,
        min(file_id) AS file_id, max(since_start_s) AS since_start_s
    FROM each
    GROUP BY GROUPING SETS (
        (run_id, kind, label, elapsed_ms, samples), (run_id, kind, elapsed_ms, samples))
    HAVING label IS NOT NULL OR grouping(label) = 1
)
SELECT
    *, sum(rows) OVER up_to AS up_to, sum(rows) OVER (PARTITION BY run_id, kind, label) AS of_all
FROM together
WINDOW up_to AS (PARTITION BY run_id, kind, label ORDER BY elapsed_ms, samples);

CREATE OR REPLACE VIEW jtl_coverage AS
SELECT
    file_id, host, min(begin_utc) AS first_utc, max(end_utc) AS last_utc, clock,
    sum(samples)::BIGINT AS samples, NULL::DOUBLE AS interval_s, NULL::BIGINT AS gaps,
    NULL::BIGINT AS restarts, NULL::BIGINT AS resets
FROM jtl_ended
GROUP BY file_id, host, clock;

-- Failures, one row for all of a label with the same code.
CREATE OR REPLACE VIEW jtl_event AS
SELECT
    file_id, host, min(end_utc) AS time_utc, kind || 's failed' AS kind,
    concat_ws(
        ': ', sum(failed)::BIGINT || coalesce(' of ' || label, ''),
        nullif(concat_ws(' ', response_code, arg_min(response_message, line)), ''),
        arg_min(failure_message, line)
    ) || coalesce(
        if(sum(failed) > 1,
           '; the last at ' || strftime(max(end_utc), '%Y-%m-%d %H:%M:%S') || ' UTC', NULL), ''
    ) AS text
FROM jtl_ended
WHERE failed > 0
GROUP BY file_id, host, kind, label, response_code;
