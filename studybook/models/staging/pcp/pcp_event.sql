-- Where the clock of a host was set back in a file of PCP.
SELECT
    file_id, host, min(time_utc) AS time_utc, 'clock set back' AS kind,
    'the times from here on had been printed before' AS text
FROM pcp_measured
WHERE is_set_back
GROUP BY file_id, host
