-- Differences of consecutive samples of one series: one file system on one node in one run,
-- whatever files it is spread over. Counters are cumulative; a drop is a reset (remount, restart,
-- mmpmon reset) and gives no rate. No rate is ever negative, and none is set to 0 to hide a reset.
-- Samples that stand in two files count once. Where a node's clock was set back within a file, that
-- file is a series of its own, in the order of its lines. A sample that is cut is not in it; the next
-- interval spans it.
WITH steps AS (
    SELECT file_id, node_ip, time_utc < lag(time_utc) OVER (
        PARTITION BY request, file_id, node_ip ORDER BY line) AS back
    FROM mmpmon_sample
),
stepped AS (
    SELECT file_id, node_ip, true AS stepped FROM steps WHERE back GROUP BY ALL
),
placed AS (
    SELECT s.*, if(p.stepped, s.file_id, NULL) AS apart, if(p.stepped, s.line, NULL) AS place
    FROM mmpmon_sample s
    LEFT JOIN stepped p USING (file_id, node_ip)
),
sample AS (
    FROM placed s
    WHERE s.read_bytes IS NOT NULL AND s.written_bytes IS NOT NULL
        AND s.opens IS NOT NULL AND s.closes IS NOT NULL AND s.reads IS NOT NULL
        AND s.writes IS NOT NULL AND s.readdirs IS NOT NULL AND s.inode_updates IS NOT NULL
),
difference AS (
    SELECT
        *, lag(time_utc) OVER series AS previous_utc,
        (epoch_us(time_utc) - epoch_us(lag(time_utc) OVER series)) / 1e6 AS interval_s,
        -- Differences of unsigned numbers overflow, so in 128 bits.
        read_bytes::HUGEINT - lag(read_bytes) OVER series AS x_read_bytes,
        written_bytes::HUGEINT - lag(written_bytes) OVER series AS x_written_bytes,
        opens::HUGEINT - lag(opens) OVER series AS x_opens,
        closes::HUGEINT - lag(closes) OVER series AS x_closes,
        reads::HUGEINT - lag(reads) OVER series AS x_reads,
        writes::HUGEINT - lag(writes) OVER series AS x_writes,
        readdirs::HUGEINT - lag(readdirs) OVER series AS x_readdirs,
        inode_updates::HUGEINT - lag(inode_updates) OVER series AS x_inode_updates,
        -- A counter that was beyond 32 bits does not wrap at 32 bits.
        greatest(lag(opens) OVER series, lag(closes) OVER series, lag(reads) OVER series,
            lag(writes) OVER series, lag(readdirs) OVER series,
            lag(inode_updates) OVER series) < 4294967296 AS narrow
    FROM sample
    WINDOW series AS (
        PARTITION BY run_id, request, node_ip, cluster, file_system, apart
        ORDER BY place, time_utc, file_id, line)
),
-- All counts are of 32 bits: if each one that fell did so by more than half of that, while no
-- counter of bytes (64 bits) fell, it has wrapped once.
wrapped AS (
    SELECT
        * EXCLUDE (x_opens, x_closes, x_reads, x_writes, x_readdirs, x_inode_updates),
        least(x_opens, x_closes, x_reads, x_writes, x_readdirs, x_inode_updates) AS least_count,
        if(x_opens < 0, x_opens + 4294967296, x_opens) AS x_opens,
        if(x_closes < 0, x_closes + 4294967296, x_closes) AS x_closes,
        if(x_reads < 0, x_reads + 4294967296, x_reads) AS x_reads,
        if(x_writes < 0, x_writes + 4294967296, x_writes) AS x_writes,
        if(x_readdirs < 0, x_readdirs + 4294967296, x_readdirs) AS x_readdirs,
        if(x_inode_updates < 0, x_inode_updates + 4294967296, x_inode_updates) AS x_inode_updates,
        no_wrap(x_opens, interval_s) OR no_wrap(x_closes, interval_s)
        OR no_wrap(x_reads, interval_s) OR no_wrap(x_writes, interval_s)
        OR no_wrap(x_readdirs, interval_s) OR no_wrap(x_inode_updates, interval_s) AS implausible
    FROM difference
    WHERE NOT coalesce(interval_s = 0 AND x_read_bytes = 0 AND x_written_bytes = 0
        AND x_opens = 0 AND x_closes = 0 AND x_reads = 0 AND x_writes = 0 AND x_readdirs = 0
        AND x_inode_updates = 0, false)
),
-- The instants at which a node answered of some file system, or that it has none mounted.
answer AS (
    SELECT
        *, lag(answer_utc) OVER (PARTITION BY run_id, node_ip ORDER BY answer_utc) AS before_utc
    FROM (
        SELECT DISTINCT run_id, node_ip, time_utc AS answer_utc
        FROM placed
        WHERE request = 'fs_io_s' AND apart IS NULL
            AND (rc = 1 OR rc = 0 AND file_system IS NOT NULL))
),
-- Most file systems are in each answer of their node: they were not gone, and need no further look.
gappy AS (
    SELECT f.run_id, f.node_ip, f.cluster, f.file_system
    FROM (
        SELECT
            run_id, node_ip, cluster, file_system, count(DISTINCT time_utc) AS samples,
            min(time_utc) AS first_utc, max(time_utc) AS last_utc
        FROM placed
        WHERE request = 'fs_io_s' AND rc = 0 AND apart IS NULL
        GROUP BY ALL
    ) f
    JOIN answer a
        ON a.run_id = f.run_id AND a.node_ip = f.node_ip
        AND a.answer_utc BETWEEN f.first_utc AND f.last_utc
    GROUP BY ALL
    HAVING count(*) > any_value(f.samples)
),
-- Samples of a file system, whole or cut, with an answer between them and the sample before.
seen AS (
    SELECT
        run_id, node_ip, cluster, file_system, time_utc, lag(time_utc) OVER (
            PARTITION BY run_id, node_ip, cluster, file_system ORDER BY time_utc) AS seen_utc
    FROM placed
    SEMI JOIN gappy USING (run_id, node_ip, cluster, file_system)
    WHERE request = 'fs_io_s' AND rc = 0 AND apart IS NULL
),
spanning AS (
    SELECT s.*, 0.1 * (time_utc - seen_utc) AS margin, time_utc - margin AS late_utc
    FROM seen s
    JOIN answer a
        ON s.run_id = a.run_id AND s.node_ip = a.node_ip AND s.time_utc = a.answer_utc
    WHERE s.seen_utc < a.before_utc
),
-- A file system was gone if its node answered without it well within the interval: those of one
-- request may be microseconds apart. Its counters begin at 0 when it is mounted again.
gone AS (
    SELECT s.run_id, s.node_ip, s.cluster, s.file_system, a.answer_utc AS gone_utc
    FROM spanning s
    ASOF JOIN answer a
        ON s.run_id = a.run_id AND s.node_ip = a.node_ip AND s.late_utc > a.answer_utc
    WHERE a.answer_utc > s.seen_utc + s.margin
),
-- mmpmon's own resets. An answer in words has no time: then that of the sample before it.
reset AS (
    SELECT m.run_id, m.node_ip, coalesce(m.time_utc, max(s.time_utc)) AS reset_utc
    FROM mmpmon_happening m
    LEFT JOIN mmpmon_sample s
        ON m.time_utc IS NULL AND s.file_id = m.file_id AND s.node_ip = m.node_ip
        AND s.line < m.line
    WHERE m.kind = 'reset' AND m.rc = 0
    GROUP BY m.run_id, m.node_ip, m.file_id, m.line, m.time_utc
),
-- Intervals with a reset, and with a mount, in them. Few are: they are looked for without counters,
-- and not at all on nodes that have none.
reset_in AS (
    SELECT DISTINCT w.run_id, w.node_ip, w.time_utc, w.previous_utc
    FROM (FROM wrapped SEMI JOIN reset USING (run_id, node_ip)) w
    ASOF JOIN reset r
        ON w.run_id = r.run_id AND w.node_ip = r.node_ip AND r.reset_utc < w.time_utc
    WHERE r.reset_utc >= w.previous_utc
),
gone_in AS (
    SELECT DISTINCT w.run_id, w.node_ip, w.cluster, w.file_system, w.time_utc, w.previous_utc
    FROM (FROM wrapped SEMI JOIN gone USING (run_id, node_ip, cluster, file_system)) w
    ASOF JOIN gone g
        ON w.run_id = g.run_id AND w.node_ip = g.node_ip AND w.cluster = g.cluster
        AND w.file_system = g.file_system AND g.gone_utc < w.time_utc
    WHERE g.gone_utc > w.previous_utc
),
judged AS (
    SELECT
        w.*,
        CASE
            WHEN interval_s IS NULL THEN 'first'
            WHEN interval_s <= 0 THEN 'time went back'
            WHEN x_read_bytes < 0 OR x_written_bytes < 0 OR r.run_id IS NOT NULL
                OR g.run_id IS NOT NULL OR implausible OR least_count < 0 AND NOT narrow
                THEN 'reset'
            ELSE 'ok'
        END AS state
    FROM wrapped w
    LEFT JOIN reset_in r USING (run_id, node_ip, time_utc, previous_utc)
    LEFT JOIN gone_in g USING (run_id, node_ip, cluster, file_system, time_utc, previous_utc)
)
SELECT
    run_id, file_id, line, host, node_ip, request, cluster, file_system, time_utc, interval_s, state,
    if(state = 'ok', x_read_bytes, NULL)::UBIGINT AS read_bytes,
    if(state = 'ok', x_written_bytes, NULL)::UBIGINT AS written_bytes,
    if(state = 'ok', x_opens, NULL)::UBIGINT AS opens,
    if(state = 'ok', x_closes, NULL)::UBIGINT AS closes,
    if(state = 'ok', x_reads, NULL)::UBIGINT AS reads,
    if(state = 'ok', x_writes, NULL)::UBIGINT AS writes,
    if(state = 'ok', x_readdirs, NULL)::UBIGINT AS readdirs,
    if(state = 'ok', x_inode_updates, NULL)::UBIGINT AS inode_updates
FROM judged
