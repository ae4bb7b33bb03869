-- Requests by size and latency between two consecutive reads of a node's histogram (rhist s).
-- Ranges without a count are not printed, so what is missing is 0. If any range fell or is gone,
-- or the histogram was reset or given new ranges, the whole read is a reset.
WITH mark AS (
    SELECT * FROM mmpmon_happening WHERE kind = 'rhist' AND rc = 0
),
one_read AS (
    SELECT *, lag(file_id) OVER series AS previous_file, lag(line) OVER series AS previous_line,
        lag(time_utc) OVER series AS previous_utc
    FROM mark
    WHERE request = 's' AND text IN ('read', 'write') AND time_utc IS NOT NULL
    WINDOW series AS (PARTITION BY run_id, node_ip, text ORDER BY time_utc, file_id, line)
),
cleared AS (
    SELECT run_id, node_ip, time_utc FROM mark
    WHERE request IN ('reset', 'nr') AND time_utc IS NOT NULL
),
total AS (
    SELECT file_id, read_line, sum(requests)::HUGEINT AS requests
    FROM mmpmon_rhist WHERE request = 's' GROUP BY ALL
),
bucket AS (
    SELECT
        r.*, b.size_from_bytes, b.size_to_bytes, b.latency_from_ms, b.latency_to_ms,
        b.requests::HUGEINT - coalesce(p.requests, 0) AS x,
        coalesce(sum(p.requests) OVER each_read, 0) AS found_again
    FROM one_read r
    LEFT JOIN mmpmon_rhist b ON b.file_id = r.file_id AND b.read_line = r.line
        AND b.requests IS NOT NULL
    LEFT JOIN mmpmon_rhist p ON p.file_id = r.previous_file AND p.read_line = r.previous_line
        AND p.size_from_bytes = b.size_from_bytes AND p.latency_from_ms = b.latency_from_ms
        AND p.size_to_bytes IS NOT DISTINCT FROM b.size_to_bytes
        AND p.latency_to_ms IS NOT DISTINCT FROM b.latency_to_ms
    WINDOW each_read AS (PARTITION BY r.file_id, r.line)
),
judged AS (
    SELECT
        b.*, (epoch_us(b.time_utc) - epoch_us(b.previous_utc)) / 1e6 AS interval_s,
        CASE
            WHEN b.previous_utc IS NULL THEN 'first'
            WHEN b.time_utc <= b.previous_utc THEN 'time went back'
            WHEN min(b.x) OVER each_read < 0 OR b.found_again < coalesce(t.requests, 0)
                OR c.time_utc >= b.previous_utc THEN 'reset'
            ELSE 'ok'
        END AS state
    FROM bucket b
    LEFT JOIN total t ON t.file_id = b.previous_file AND t.read_line = b.previous_line
    ASOF LEFT JOIN cleared c
        ON b.run_id = c.run_id AND b.node_ip = c.node_ip AND c.time_utc < b.time_utc
    WINDOW each_read AS (PARTITION BY b.file_id, b.line)
)
SELECT
    run_id, file_id, host, node_ip, text AS operation, time_utc, interval_s, state,
    size_from_bytes, size_to_bytes, latency_from_ms, latency_to_ms,
    if(state = 'ok', x, NULL)::UBIGINT AS requests
FROM judged
WHERE size_from_bytes IS NOT NULL
