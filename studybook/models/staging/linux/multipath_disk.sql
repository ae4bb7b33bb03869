-- One row per disk that multipath knows: over how many host adapters, and ports of the storage
-- behind them, there is a path that has not failed.
WITH path AS (
    SELECT
        m.file_id, m.capture_no, m.map, p.adapter, p.channel, p.target,
        p.adapter IS NOT NULL AND coalesce(p.dm_state, '') <> 'failed' AS works
    FROM linux_multipath_map m
    LEFT JOIN linux_multipath_path p
        ON p.file_id = m.file_id AND p.capture_no = m.capture_no AND p.map = m.map
)
SELECT
    c.run_id, coalesce(c.host, m.host, 'file ' || c.file) AS machine, m.map,
    count(DISTINCT p.adapter) FILTER (p.works) AS adapters,
    count(DISTINCT (p.adapter, p.channel, p.target)) FILTER (p.works) AS ports
FROM linux_multipath_map m
JOIN path p ON p.file_id = m.file_id AND p.capture_no = m.capture_no AND p.map = m.map
JOIN file_clock c ON c.file_id = m.file_id
GROUP BY c.run_id, machine, m.map, m.file_id, m.capture_no
QUALIFY row_number() OVER (
    PARTITION BY c.run_id, machine, m.map ORDER BY m.file_id DESC, m.capture_no DESC
) = 1
