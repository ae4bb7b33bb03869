-- Ratios of events that perf stat counted side by side, of its whole run: what it counted in intervals or
-- of each processor is added up.
WITH counted AS (
    SELECT
        file_id, run_no, regexp_replace(event, ':[a-zA-Z]+$', '') AS event,
        regexp_extract(event, ':([a-zA-Z]+)$', 1) AS part, sum(value) AS events
    FROM perf_count
    WHERE value IS NOT NULL
    GROUP BY ALL
)
SELECT
    f.run_id, file_id, run_no, if(part = '', 'all', 'events:' || part) AS counted,
    sum(events) FILTER (event = 'instructions')
        / nullif(sum(events) FILTER (event IN ('cycles', 'cpu-cycles')), 0) AS instructions_per_cycle,
    100 * sum(events) FILTER (event = 'cache-misses')
        / nullif(sum(events) FILTER (event = 'cache-references'), 0) AS cache_miss_percent,
    100 * sum(events) FILTER (event = 'branch-misses')
        / nullif(sum(events) FILTER (event IN ('branches', 'branch-instructions')), 0)
        AS branch_miss_percent
FROM counted
JOIN raw_file f USING (file_id)
GROUP BY f.run_id, file_id, run_no, part
