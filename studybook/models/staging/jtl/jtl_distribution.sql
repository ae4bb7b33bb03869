-- The run as a whole: how often each response time occurred, as numbers of samples would not fit
-- into memory.
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
WINDOW up_to AS (PARTITION BY run_id, kind, label ORDER BY elapsed_ms, samples)
