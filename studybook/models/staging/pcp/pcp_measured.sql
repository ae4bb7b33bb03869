-- Each number of PCP as a UTC instant: what counters count per second, whether it was printed so or
-- not. An output of raw values is told by counters that have a value in its first row, where a rate has
-- none yet, and never fall. Bytes are in KiB, times of processors as they are printed.
WITH placed AS (
    SELECT
        s.run_id, v.file_id, v.report_no, v.sample_no, s.host,
        utc_of_pass(v.time_utc, v.time_local, v.set_back, s.zone, s.clock_offset_s) AS time_utc,
        if(v.time_utc IS NOT NULL, 'UTC, in the file', s.clock) AS clock,
        coalesce(v.set_back, false) AS is_set_back, v.metric, v.instance,
        CASE
            WHEN v.unit LIKE '%byte%' THEN
                v.value * CASE left(v.unit, 1)
                    WHEN 'K' THEN 1 WHEN 'M' THEN 1024 WHEN 'G' THEN 1048576 ELSE 1 / 1024 END
            WHEN v.metric LIKE 'network.interface.%.bytes' THEN v.value / 1024
            ELSE v.value
        END AS value,
        regexp_matches(v.metric, '^(kernel\.(all|percpu)\.cpu\.|kernel\.all\.(pswitch|sysfork|intr)$'
            || '|disk\.|network\.interface\.|swap\.pages|mem\.vmstat\.pg)') AS is_counter,
        v.line
    FROM pcp_value v
    JOIN pcp_source s USING (file_id, report_no)
    WHERE v.value IS NOT NULL
),
single AS (
    SELECT *
    FROM placed
    WHERE time_utc IS NOT NULL
    QUALIFY row_number() OVER (
        PARTITION BY run_id, host, metric, instance, time_utc ORDER BY file_id, line) = 1
),
instant AS (
    SELECT
        run_id, host, time_utc,
        date_diff('microsecond', lag(time_utc) OVER of_host, time_utc) / 1e6 AS interval_s
    FROM (SELECT DISTINCT run_id, host, time_utc FROM single)
    WINDOW of_host AS (PARTITION BY run_id, host ORDER BY time_utc)
),
followed AS (
    SELECT
        *, lag(value) OVER series AS value_before,
        date_diff('microsecond', lag(time_utc) OVER series, time_utc) / 1e6 AS since_s
    FROM single
    WINDOW series AS (PARTITION BY file_id, report_no, host, metric, instance ORDER BY time_utc)
),
of_report AS (
    SELECT
        file_id, report_no,
        bool_or(sample_no = 0) AND max(sample_no) > 0
            AND bool_and(coalesce(value >= value_before, true)) AS is_raw
    FROM followed
    WHERE is_counter
    GROUP BY file_id, report_no
)
SELECT
    f.run_id, f.file_id, f.host, f.time_utc, f.clock, i.interval_s, f.is_set_back, f.metric,
    f.instance, f.is_counter,
    CASE
        WHEN NOT f.is_counter OR NOT coalesce(r.is_raw, false) THEN f.value
        ELSE (f.value - f.value_before) / f.since_s
    END AS value,
    f.line
FROM followed f
LEFT JOIN of_report r USING (file_id, report_no)
LEFT JOIN instant i
    ON i.run_id = f.run_id AND i.host IS NOT DISTINCT FROM f.host AND i.time_utc = f.time_utc
