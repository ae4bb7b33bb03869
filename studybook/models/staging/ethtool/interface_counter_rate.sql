-- By how much each counter of a network interface has grown per second between two outputs of
-- ethtool -S. Names are those of the driver. A counter that fell began anew.
WITH told AS (
    SELECT
        s.run_id, s.file_id, s.host, s.interface, s.time_utc, e.name, e.value,
        lag(e.value) OVER series AS value_before,
        date_diff('microsecond', lag(s.time_utc) OVER series, s.time_utc) / 1e6 AS interval_s
    FROM ethtool_counter e
    JOIN ethtool_source s USING (file_id, capture_no)
    WHERE s.time_utc IS NOT NULL AND s.interface IS NOT NULL AND e.value IS NOT NULL
    WINDOW series AS (PARTITION BY s.run_id, s.host, s.interface, e.name ORDER BY s.time_utc)
)
SELECT
    run_id, file_id, host, interface, name, time_utc, interval_s, value - value_before AS increase,
    increase / interval_s AS increase_per_s
FROM told
WHERE value >= value_before AND interval_s > 0
