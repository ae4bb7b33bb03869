-- Restarts, marks of people and clocks set back, as the exports of a run tell them, whatever the tool.
SELECT f.run_id, f.source, f.name AS file, e.host, e.time_utc, e.kind, e.text
FROM (
    FROM collectl_event
    UNION ALL
    FROM gatling_event
    UNION ALL
    FROM iostat_event
    UNION ALL
    FROM jtl_event
    UNION ALL
    FROM k6_event
    UNION ALL
    FROM locust_event
    UNION ALL
    FROM mmpmon_event
    UNION ALL
    FROM mpstat_event
    UNION ALL
    FROM nmon_event
    UNION ALL
    FROM pcp_event
    UNION ALL
    FROM perfkit_event
    UNION ALL
    FROM pidstat_event
    UNION ALL
    FROM prometheus_event
    UNION ALL
    FROM rpt_event
    UNION ALL
    FROM sar_event
    UNION ALL
    FROM vegeta_event
    UNION ALL
    FROM vmstat_event
) e
JOIN raw_file f USING (file_id)
