-- Throughput of each run in multiples of the least load, as the document of FileNet P8 gives it: 1 is
-- the mean of the runs with the fewest processors at their lowest load level, among the runs that a
-- figure sees. base_…: which runs these are, and what they do.
WITH known AS (
    SELECT s.run_id, s.origin, s.cpus, s.ce_pe_cpus, s.load_level, m.value AS operations_per_s
    FROM run_metric m
    JOIN setup s USING (run_id)
    WHERE m.metric = 'operations_per_s' AND m.value > 0
),
base AS (
    SELECT origin, cpus, load_level, avg(operations_per_s) AS per_s
    FROM known
    GROUP BY origin, cpus, ce_pe_cpus, load_level
    -- Never one origin over another.
    QUALIFY row_number() OVER (PARTITION BY origin ORDER BY ce_pe_cpus, load_level) = 1
)
SELECT
    k.run_id, k.operations_per_s, k.operations_per_s / b.per_s AS times, b.cpus AS base_cpus,
    b.load_level AS base_level, b.per_s AS base_per_s
FROM known k
JOIN base b USING (origin)
