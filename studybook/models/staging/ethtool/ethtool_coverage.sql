-- What the loading report says of each host in each file of ethtool -S.
WITH instant AS (
    SELECT
        file_id, host, time_utc, 'UTC, in the file' AS clock,
        date_diff('microsecond', lag(time_utc) OVER of_interface, time_utc) / 1e6 AS interval_s
    FROM ethtool_source
    WINDOW of_interface AS (PARTITION BY file_id, host, interface ORDER BY time_utc)
)
FROM coverage_of('instant')
