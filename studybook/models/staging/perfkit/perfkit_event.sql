-- Hours that are printed twice, copies that say something else, and values that cannot be: APAR
-- VM65686 tells of processors that seem busier than 100 %.
SELECT
    file_id, host, time_utc, 'doubtful value' AS kind,
    report || ', processor ' || row_key || ': '
    || coalesce(number['total_percent'], number['cpu_percent']) || ' % busy' AS text
FROM perfkit_printed_row
WHERE report IN ('FCX100', 'FCX144', 'FCX304')
    AND coalesce(number['total_percent'], number['cpu_percent']) > 100.5
UNION ALL
SELECT
    file_id, host, min(time_utc), 'clock put back',
    report || ': after ' || strftime(min(before_local), '%H:%M:%S') || ' comes '
    || strftime(min(end_local), '%H:%M:%S')
    || ': the hour is printed twice (end of summer time?); its rows are kept apart'
FROM perfkit_row
WHERE in_log AND end_local <= before_local
GROUP BY file_id, host, report, report_no
UNION ALL
SELECT
    file_id, host, min(time_utc), 'contradiction',
    report || ': rows that another copy of the report has with other values, left out: ' || count(*)
FROM perfkit_printed_row
WHERE differs
GROUP BY file_id, host, report, report_no
