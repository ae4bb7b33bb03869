-- Events that perf stat counted, of its whole run: of intervals, or of processors, all together.
SELECT f.run_id, file_id, run_no, event, sum(value) AS events
FROM (
    FROM perf_count
    WHERE value IS NOT NULL AND unit IS NULL
    -- With --summary, the whole stands below the intervals.
    QUALIFY since_start_s IS NULL
        OR count(*) FILTER (since_start_s IS NULL) OVER (PARTITION BY file_id, run_no, event) = 0
)
JOIN raw_file f USING (file_id)
GROUP BY ALL
