-- What vmstat printed of each interval, as a UTC instant. The mean since the host was booted, the
-- first row of an output, is none.
WITH placed AS (
    SELECT
        s.run_id, r.file_id, s.host,
        placed_at(r.time_utc, r.time_local, r.set_back, s.zone, s.clock_offset_s, s.start_utc,
                  r.report_no, r.sample_no + y.after_first, r.interval_s) AS time_utc,
        CASE
            WHEN r.time_utc IS NOT NULL THEN 'UTC, in the file'
            WHEN r.time_local IS NOT NULL THEN s.clock
            ELSE 'no times: from the start of the run on'
        END AS clock,
        s.memory_mib, r.* EXCLUDE (file_id, time_utc, time_local, report_no, sample_no)
    FROM vmstat_sample r
    JOIN vmstat_source s USING (file_id, report_no)
    JOIN (
        -- Where the first row is no mean since boot, it ends one interval after the start.
        SELECT file_id, report_no, bool_and(NOT since_boot)::INTEGER AS after_first
        FROM vmstat_sample
        GROUP BY file_id, report_no
    ) y USING (file_id, report_no)
    WHERE NOT r.since_boot
)
SELECT * FROM one_series('placed', true) WHERE time_utc IS NOT NULL
