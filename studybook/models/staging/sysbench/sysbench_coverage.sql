-- What the loading report says of each file of sysbench that has times.
SELECT
    p.file_id, c.host, min(p.time_utc) AS first_utc, max(p.time_utc) AS last_utc,
    'since the start in run.yml' AS clock,
    count(*) AS samples, median(p.interval_s) AS interval_s, NULL::BIGINT AS gaps,
    NULL::BIGINT AS restarts, NULL::BIGINT AS resets
FROM progress_interval p
JOIN file_clock c USING (file_id)
WHERE p.tool = 'sysbench'
GROUP BY p.file_id, c.host
