-- Starts and completions per second of each interval, so that rates times intervals add up to the
-- count; of the kind run: bytes received and sent, as far as the driver counts them.
WITH extent AS (
    SELECT
        d.tool, d.run_id, max(d.interval_no) AS last_no,
        -- Nothing ends before the first answer: that is time, too. Of several drivers nobody knows
        -- which one began first.
        if(count(*) OVER (PARTITION BY d.run_id) = 1, any_value(s.first_no), min(d.interval_no))
            AS first_no
    FROM driver_sample_interval d
    JOIN sample_span s USING (run_id)
    GROUP BY d.tool, d.run_id
),
-- Intervals in which nothing ended have a row, too; unless a wrong date makes them too many.
interval_of_run AS (
    SELECT
        n.tool, n.run_id, n.interval_no, s.start_utc,
        interval_end_s(n.interval_no, s.step_s, s.last_no, s.last_s) AS since_start_s,
        interval_length_s(n.interval_no, s.step_s, s.first_no, s.first_s, s.last_no, s.last_s)
            AS interval_s
    FROM (
        SELECT tool, run_id, unnest(range(first_no, last_no + 1)) AS interval_no
        FROM extent
        WHERE last_no - first_no < 100000
        UNION
        SELECT tool, run_id, interval_no FROM driver_sample_interval
    ) n
    JOIN sample_span s USING (run_id)
),
series AS (
    SELECT tool, run_id, kind, label, min(file_id) AS file_id
    FROM driver_sample_interval
    GROUP BY tool, run_id, kind, label
),
complete AS (
    SELECT
        s.*, r.interval_no, r.start_utc, r.since_start_s, r.interval_s,
        coalesce(i.samples, 0) / r.interval_s AS completed_per_s,
        -- NULL where samples ended, but their bytes were not saved.
        CASE
            WHEN s.tool = 'k6' THEN coalesce(b.bytes_received, 0)
            WHEN i.samples IS NULL THEN 0
            ELSE i.bytes_received
        END / 1048576 / r.interval_s AS received_mib_s,
        CASE
            WHEN s.tool = 'k6' THEN coalesce(b.bytes_sent, 0)
            WHEN i.samples IS NULL THEN 0
            ELSE i.bytes_sent
        END / 1048576 / r.interval_s AS sent_mib_s
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
    -- Gatling and vegeta have none.
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
FROM locust_throughput
UNION ALL BY NAME
SELECT
    tool, run_id, file_id, 'all hosts' AS host, time_utc, since_start_s, interval_s,
    'sample' AS kind, completed_per_s
FROM progress_interval
