-- One row per report of nmon: the host that it names.
SELECT file_id, report_no, any_value(value) FILTER (section = 'AAA' AND name = 'host') AS host
FROM nmon_setting
GROUP BY file_id, report_no
