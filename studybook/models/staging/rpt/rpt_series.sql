-- The counters of each report; what a report repeats, once.
SELECT
    p.key, p.run_id, p.time_range, p.start_utc, p.from_start, p.place,
    c.file_id, c.report_no, c.counter_no, c.path,
    coalesce(p.host, if(c.host IN ('All_Hosts', 'All Hosts'), 'all hosts', c.host)) AS host,
    c.host AS printed_host, c.scope, c.measure, c.item, c.statistic, c.period, c.unit
FROM rpt_counter c
JOIN rpt_report p USING (file_id, report_no)
QUALIFY row_number() OVER (
    PARTITION BY c.file_id, c.report_no, c.path ORDER BY c.counter_no
) = 1
