-- What the loading report says of each node in each file. mmpmon does not tell a restart of the
-- daemon from any other reset, so restarts are not known.
CREATE OR REPLACE VIEW mmpmon_coverage AS
-- A loop that asks for more than one thing has an instant for each: those of one request count.
WITH asked AS (
    SELECT file_id, node_ip, request FROM mmpmon_sample
    WHERE time_utc IS NOT NULL
    GROUP BY file_id, node_ip, request
    QUALIFY row_number() OVER (
        PARTITION BY file_id, node_ip ORDER BY count(DISTINCT time_utc) DESC, request) = 1
),
instant AS (
    SELECT DISTINCT file_id, host, node_ip, time_utc FROM mmpmon_sample
    JOIN asked USING (file_id, node_ip, request)
    WHERE time_utc IS NOT NULL
),
apart AS (
    SELECT *, (epoch_us(time_utc) - epoch_us(lag(time_utc) OVER (
        PARTITION BY file_id, node_ip ORDER BY time_utc))) / 1e6 AS interval_s
    FROM instant
),
typical AS (
    SELECT *, median(interval_s) OVER (PARTITION BY file_id, node_ip) AS typical_s FROM apart
),
reset AS (
    SELECT file_id, node_ip, count(DISTINCT time_utc) AS resets
    FROM mmpmon_rate WHERE state = 'reset' GROUP BY ALL
)
SELECT
    t.file_id, t.host, min(t.time_utc) AS first_utc, max(t.time_utc) AS last_utc,
    'UTC, in the file' AS clock, count(*) AS samples, any_value(t.typical_s) AS interval_s,
    count(*) FILTER (t.interval_s > 1.5 * t.typical_s) AS gaps, NULL::BIGINT AS restarts,
    coalesce(any_value(r.resets), 0) AS resets
FROM typical t
LEFT JOIN reset r USING (file_id, node_ip)
GROUP BY t.file_id, t.host, t.node_ip;

CREATE OR REPLACE MACRO mmpmon_rc(rc) AS CASE rc
    WHEN 0 THEN 'ok'
    WHEN 1 THEN 'no file system mounted, or the histogram not enabled'
    WHEN 2 THEN 'node name not known'
    WHEN 13 THEN 'node of a remote cluster'
    WHEN 16 THEN 'histogram lock is busy'
    WHEN 17 THEN 'node already in the list'
    WHEN 22 THEN 'ranges of the histogram not valid'
    WHEN 233 THEN 'node not joined to the cluster'
    WHEN 668 THEN 'quorum lost'
    ELSE 'return code ' || rc END;

CREATE OR REPLACE VIEW mmpmon_event AS
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
WHERE rc <> 0;
