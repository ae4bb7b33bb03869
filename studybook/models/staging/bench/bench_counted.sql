-- Ratios of events that perf stat counted side by side, of its whole run: of intervals, or of each
-- processor, those count in which both were counted.
WITH counted AS (
    SELECT
        file_id, run_no, since_start_s, cpu, regexp_replace(event, ':[a-zA-Z]+$', '') AS event,
        regexp_extract(event, ':([a-zA-Z]+)$', 1) AS part, value
    FROM perf_count
    WHERE value IS NOT NULL
),
side_by_side AS (
    SELECT
        file_id, run_no, part,
        any_value(value) FILTER (event = 'instructions') AS instructions,
        coalesce(
            any_value(value) FILTER (event = 'cycles'),
            any_value(value) FILTER (event = 'cpu-cycles')) AS cycles,
        any_value(value) FILTER (event = 'cache-misses') AS cache_misses,
        any_value(value) FILTER (event = 'cache-references') AS cache_references,
        any_value(value) FILTER (event = 'branch-misses') AS branch_misses,
        coalesce(
            any_value(value) FILTER (event = 'branches'),
            any_value(value) FILTER (event = 'branch-instructions')) AS branches
    FROM counted
    GROUP BY file_id, run_no, since_start_s, cpu, part
)
SELECT
    f.run_id, file_id, run_no, if(part = '', 'all', 'events:' || part) AS counted,
    sum(instructions) FILTER (cycles IS NOT NULL)
        / nullif(sum(cycles) FILTER (instructions IS NOT NULL), 0) AS instructions_per_cycle,
    100 * sum(cache_misses) FILTER (cache_references IS NOT NULL)
        / nullif(sum(cache_references) FILTER (cache_misses IS NOT NULL), 0) AS cache_miss_percent,
    100 * sum(branch_misses) FILTER (branches IS NOT NULL)
        / nullif(sum(branches) FILTER (branch_misses IS NOT NULL), 0) AS branch_miss_percent
FROM side_by_side
JOIN raw_file f USING (file_id)
GROUP BY f.run_id, file_id, run_no, part
