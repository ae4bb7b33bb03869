-- Samples of JMeter with their beginning and end as UTC instants; parts of samples are left out, for
-- their time is in the sample's. What a sample lasts from first to last is its time and its pauses.
-- Samples without times are in no interval. samples: how many a row stands for; failed: of these.
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
    n.*, utc_of_pass(n.time_utc, n.time_local, n.set_back, n.zone, h.clock_offset_s) AS begin_utc,
    begin_utc + to_milliseconds(n.elapsed_ms + coalesce(n.idle_ms, 0)) AS end_utc
FROM named n
LEFT JOIN host h ON h.run_id = n.run_id AND h.host = n.host
