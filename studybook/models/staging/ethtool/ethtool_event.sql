-- Where counters of an interface began anew between two outputs of ethtool -S.
WITH told AS (
    SELECT
        s.file_id, s.host, s.interface, s.time_utc,
        e.value < lag(e.value) OVER (
            PARTITION BY s.run_id, s.host, s.interface, e.name ORDER BY s.time_utc) AS fell
    FROM ethtool_counter e
    JOIN ethtool_source s USING (file_id, capture_no)
    WHERE s.time_utc IS NOT NULL AND s.interface IS NOT NULL
        AND regexp_matches(e.name, '^[rt]x_(packets|bytes)$')
)
SELECT
    file_id, host, time_utc, 'counters began anew' AS kind, 'interface ' || interface AS text
FROM told
WHERE fell
GROUP BY file_id, host, interface, time_utc
