-- CPU of each guest. TCPU / seconds has more digits than %CPU, which loses its decimal above 100,
-- but the seconds are those of the interval only where both agree to their rounding; without a
-- %CPU they are trusted in USER, whose period is printed.
WITH compared AS (
    SELECT
        *, number['total_cpu_s'] / nullif(interval_s, 0) AS by_seconds,
        number['cpu_percent'] / 100 AS by_percent,
        coalesce(
            abs(by_seconds - by_percent) <= 1e-9 + perfkit_rounding(name['cpu_percent']) / 100
                + perfkit_rounding(name['total_cpu_s']) / interval_s,
            by_percent IS NULL AND by_seconds IS NOT NULL AND NOT in_log) AS agree
    FROM perfkit_row
    WHERE NOT mean_row AND (report = 'FCX112' OR report = 'FCX162' AND in_log)
)
SELECT
    run_id, file_id, report_no, host,
    CASE report WHEN 'FCX162' THEN subject ELSE row_key END AS userid,
    time_utc, interval_s, report,
    if(agree, by_seconds, by_percent) AS used_ifl,
    if(agree, number['virtual_cpu_s'] / interval_s, NULL) AS virtual_ifl,
    CASE WHEN agree THEN 'TCPU / seconds' WHEN by_percent IS NOT NULL THEN '%CPU' END AS basis,
    end_local, from_local, occurrence, usual_s
FROM compared
