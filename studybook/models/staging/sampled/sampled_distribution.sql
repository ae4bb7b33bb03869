-- The run as a whole: how often each response time occurred.
WITH together AS (
    SELECT
        tool, run_id, kind, label, elapsed_ms, 1 AS samples, count(*) AS rows,
        sum(has_failed::BIGINT)::BIGINT AS failed, min(file_id) AS file_id,
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
WINDOW up_to AS (PARTITION BY tool, run_id, kind, label ORDER BY elapsed_ms)
