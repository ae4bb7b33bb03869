-- Where the clock of a host was set back in a file of iostat.
WITH instant AS (
    SELECT file_id, host, time_utc, set_back FROM iostat_stamped('iostat_cpu')
    UNION ALL
    SELECT file_id, host, time_utc, set_back FROM iostat_stamped('iostat_disk')
)
SELECT
    file_id, host, min(time_utc) AS time_utc, 'clock set back' AS kind,
    'the times from here on had been printed before' AS text
FROM instant
WHERE set_back
GROUP BY file_id, host
