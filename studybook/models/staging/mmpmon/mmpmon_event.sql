-- Resets, clocks set back, file systems that went, and answers that failed: a row each.
WITH seen AS (
    SELECT
        file_id, host, node_ip, cluster, file_system, time_utc,
        lead(time_utc) OVER (PARTITION BY file_id, node_ip, cluster, file_system ORDER BY line)
            AS again_utc
    FROM mmpmon_sample
    WHERE request = 'fs_io_s' AND rc = 0
),
-- The instants at which a node answered at all, and the next of each.
answered AS (
    SELECT file_id, node_ip, time_utc, lead(time_utc) OVER (
        PARTITION BY file_id, node_ip ORDER BY line) AS next_utc
    FROM (
        SELECT file_id, node_ip, time_utc, min(line) AS line
        FROM mmpmon_sample WHERE request = 'fs_io_s' GROUP BY file_id, node_ip, time_utc)
)
SELECT
    file_id, host, time_utc, if(state = 'reset', 'counters reset', 'clock set back') AS kind,
    coalesce('file system ' || file_system, 'node total')
    || if(state = 'reset', ': counters began anew', ': sample not after the one before it') AS text
FROM mmpmon_rate
WHERE state IN ('reset', 'time went back')
UNION ALL
SELECT s.file_id, s.host, a.next_utc, 'file system gone',
    'file system ' || s.file_system || ' is not in the answer'
    || coalesce('; back at ' || strftime(s.again_utc, '%Y-%m-%d %H:%M:%S') || ' UTC', '')
FROM seen s
JOIN answered a USING (file_id, node_ip, time_utc)
WHERE a.next_utc IS NOT NULL AND s.again_utc IS DISTINCT FROM a.next_utc
UNION ALL
SELECT file_id, host, time_utc, request || ' failed', mmpmon_rc(rc)
FROM mmpmon_sample
WHERE rc <> 0
UNION ALL
SELECT
    file_id, host, time_utc,
    CASE WHEN kind = 'reset' THEN 'mmpmon reset' WHEN kind = 'failed' THEN 'node failed'
        WHEN kind = 'message' THEN 'message' ELSE 'rhist ' || request END,
    concat_ws('; ', if(kind <> 'message', mmpmon_rc(rc), NULL), text)
FROM mmpmon_happening
WHERE kind <> 'rhist' OR rc <> 0 OR request IN ('on', 'off', 'reset', 'nr')
UNION ALL
SELECT file_id, host, time_utc, 'nlist ' || request || ' failed',
    concat_ws(': ', name_given, mmpmon_rc(rc))
FROM mmpmon_node_list
WHERE rc <> 0
