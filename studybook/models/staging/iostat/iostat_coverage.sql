-- What the loading report says of each host in each file of iostat.
WITH instant AS (
    SELECT file_id, host, clock, time_utc, interval_s FROM iostat_stamped('iostat_cpu')
    UNION ALL
    SELECT file_id, host, clock, time_utc, interval_s FROM iostat_stamped('iostat_disk')
)
FROM coverage_of('instant')
