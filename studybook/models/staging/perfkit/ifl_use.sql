-- IFLs in use, by every route that the reports allow; 100 % of one processor is 1 IFL. processors says
-- what was counted: processors of type IFL, or all where the report names no type; mixed where another
-- report of the host names other types. A sum is NULL if a part of it is not known, if parts are fewer
-- than elsewhere and a file has lines which were not understood, or if the log of a guest covers the
-- interval and has no row that ends with it. PHYSLOG counts the whole machine, not one partition. A sum
-- over files has no file_id. An hour that the clock goes through twice gives two rows for a time.
WITH cell AS (
    -- The few numbers that count, without the maps of all: there are a million cells.
    SELECT
        file_id, report_no, row_no,
        any_value(text) FILTER (metric = 'cpu') AS cpu,
        any_value(text) FILTER (metric = 'cpu_type') AS cpu_type,
        any_value(text) FILTER (metric = 'partition') AS partition,
        any_value(value) FILTER (metric = 'vm_load_percent') AS vm_load_percent,
        any_value(value) FILTER (metric = 'busy_percent') AS busy_percent,
        any_value(value) FILTER (metric = 'cpu_percent') AS cpu_percent,
        any_value(value) FILTER (metric = 'total_percent') AS total_percent,
        any_value(value) FILTER (metric = 'processors') AS processors,
        any_value(value) FILTER (metric = 'online_processors') AS online_processors
    FROM perfkit_value
    GROUP BY file_id, report_no, row_no
),
typed AS (
    SELECT
        r.run_id, r.file_id, r.report_no, r.host, r.report, r.in_log, r.time_utc, r.end_local,
        r.from_local, r.occurrence, r.interval_s, c.* EXCLUDE (file_id, report_no, row_no),
        -- z/VM's own partition is the one whose load it measures itself.
        r.report NOT IN ('FCX202', 'FCX126') OR c.vm_load_percent IS NOT NULL AS own,
        -- Without its key a row may be another one of the same processor, or of another one.
        CASE
            WHEN r.report IN ('FCX100', 'FCX144', 'FCX304') THEN c.cpu IS NOT NULL
            -- The partition is printed once for its processors.
            WHEN r.report = 'FCX126' THEN c.cpu IS NOT NULL AND contains(r.row_key, ' ')
            WHEN r.report = 'FCX202' THEN c.partition IS NOT NULL
            WHEN r.report = 'FCX302' THEN c.cpu_type IS NOT NULL
            ELSE true
        END AS keyed
    FROM perfkit_row r
    JOIN cell c USING (file_id, report_no, row_no)
    WHERE NOT r.mean_row
),
mixed AS (
    SELECT run_id, host FROM typed
    WHERE report IN ('FCX100', 'FCX144', 'FCX304', 'FCX126', 'FCX202') AND own
        AND cpu_type SIMILAR TO '[A-Z]+' AND cpu_type <> 'IFL'
    GROUP BY run_id, host
),
part AS (
    SELECT
        run_id, file_id, host, time_utc, end_local, from_local, occurrence, interval_s,
        if(end_local IS NULL, (file_id, report_no), NULL) AS undated,
        CASE report
            WHEN 'FCX225' THEN 'SYSSUMLG: busy × online'
            WHEN 'FCX202' THEN 'LPARLOG: busy × processors'
            WHEN 'FCX302' THEN 'PHYSLOG'
            WHEN 'FCX126' THEN 'LPAR: sum of processors'
            WHEN 'FCX100' THEN 'CPU: sum of processors'
            ELSE 'PROCLOG/PRCLOG: sum of processors'
        END AS route,
        CASE WHEN NOT keyed THEN NULL ELSE CASE report
            WHEN 'FCX225' THEN busy_percent * online_processors
            WHEN 'FCX202' THEN busy_percent * processors
            WHEN 'FCX126' THEN busy_percent
            WHEN 'FCX100' THEN cpu_percent
            ELSE total_percent
        END END / 100 AS used_ifl,
        CASE WHEN cpu_type = 'IFL' THEN 'IFL' ELSE 'all' END AS processors
    FROM typed
    WHERE own AND (cpu_type IS NULL OR cpu_type = 'IFL' OR NOT cpu_type SIMILAR TO '[A-Z]+')
        AND (report IN ('FCX100', 'FCX126')
            OR report IN ('FCX225', 'FCX202', 'FCX302', 'FCX144', 'FCX304') AND in_log)
    UNION ALL
    SELECT
        run_id, file_id, host, time_utc, end_local, from_local, occurrence, interval_s,
        if(end_local IS NULL, (file_id, report_no), NULL),
        CASE report WHEN 'FCX112' THEN 'USER: sum of guests' ELSE 'USERLOG: sum of guests' END,
        used_ifl, 'all'
    FROM guest_cpu
),
summed AS (
    SELECT
        run_id, host, route, end_local, from_local, occurrence, undated,
        any_value(time_utc) AS time_utc,
        if(min(file_id) = max(file_id), min(file_id), NULL) AS file_id,
        if(min(interval_s) = max(interval_s), min(interval_s), NULL) AS interval_s,
        CASE WHEN count(*) = count(used_ifl) THEN sum(used_ifl) END AS used_ifl,
        CASE WHEN bool_and(processors = 'IFL') THEN 'IFL' ELSE 'all' END AS processors,
        count(*) AS parts, coalesce(bool_and(f.lines_not_understood = 0), false) AS understood,
        max(count(*)) OVER (PARTITION BY run_id, host, route) AS most_parts
    FROM part
    LEFT JOIN (SELECT file_id, lines_not_understood FROM raw_file) f USING (file_id)
    GROUP BY run_id, host, route, end_local, from_local, occurrence, undated
),
-- The time that the log of each guest covers, and how many of them cover a part of an interval.
guest AS (
    SELECT
        run_id, host, userid, max(end_local) AS last_local,
        min(end_local - to_microseconds((usual_s * 1000000)::BIGINT)) AS first_local
    FROM guest_cpu WHERE report = 'FCX162'
    GROUP BY run_id, host, userid
),
expected AS (
    SELECT s.run_id, s.host, s.end_local, count(DISTINCT g.userid) AS guests
    FROM (
        SELECT
            run_id, host, end_local,
            min(end_local - to_microseconds((usual_s * 1000000)::BIGINT)) AS begin_local
        FROM guest_cpu WHERE report = 'FCX162'
        GROUP BY run_id, host, end_local
    ) s
    JOIN guest g ON g.run_id = s.run_id AND g.host IS NOT DISTINCT FROM s.host
        AND (s.begin_local < g.last_local OR s.begin_local IS NULL)
        AND (s.end_local > g.first_local OR g.first_local IS NULL)
    GROUP BY s.run_id, s.host, s.end_local
)
SELECT
    s.run_id, s.file_id, s.host, s.time_utc, s.interval_s, s.route,
    CASE WHEN s.route = 'USERLOG: sum of guests' AND s.parts <> e.guests THEN NULL
        WHEN s.parts = s.most_parts OR s.understood THEN s.used_ifl END AS used_ifl,
    CASE WHEN s.processors = 'all' AND m.host IS NOT NULL THEN 'mixed' ELSE s.processors END
        AS processors,
    s.parts
FROM summed s
LEFT JOIN mixed m ON m.run_id = s.run_id AND m.host IS NOT DISTINCT FROM s.host
LEFT JOIN expected e ON e.run_id = s.run_id AND e.host IS NOT DISTINCT FROM s.host
    AND e.end_local = s.end_local
