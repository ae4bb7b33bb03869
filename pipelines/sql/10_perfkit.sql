-- Performance Toolkit reports: IFLs in use by every route that the reports allow, use of processors
-- by each guest, traffic of virtual switches, response times of disks. All shares of processors are
-- in IFLs: 100 % of one processor is 1 IFL. Rows of logs are stamped with the end of their interval.

-- One row per report: its host, and its period as UTC instants.
CREATE OR REPLACE VIEW perfkit_period AS
SELECT
    c.run_id, r.file_id, r.report_no, r.report, r.subject, r.interval_s,
    coalesce(c.host, r.system_id) AS host, c.zone, c.zone_known, h.clock_offset_s, r.from_local,
    utc_of(NULL::TIMESTAMP, r.from_local, c.zone, h.clock_offset_s) AS from_utc,
    utc_of(NULL::TIMESTAMP, r.to_local, c.zone, h.clock_offset_s) AS to_utc
FROM perfkit_report r
JOIN file_clock c USING (file_id)
LEFT JOIN host h ON h.run_id = c.run_id AND h.host = coalesce(c.host, r.system_id);

-- One row per row of a report, its named cells as maps. Rows of reports that are no logs are of the
-- whole period. The interval of a log's row begins with the row before, the first one with From.
CREATE OR REPLACE VIEW perfkit_row AS
WITH whole AS (
    SELECT
        file_id, report_no, row_no, any_value(time_local) AS time_local,
        any_value(mean_row) AS mean_row, any_value(row_key) AS row_key,
        map_from_entries(list((metric, value)) FILTER (metric IS NOT NULL)) AS number,
        map_from_entries(list((metric, text)) FILTER (metric IS NOT NULL)) AS name
    FROM perfkit_value
    GROUP BY file_id, report_no, row_no
),
step AS (
    SELECT
        file_id, report_no, time_local,
        lag(time_local) OVER (PARTITION BY file_id, report_no ORDER BY time_local) AS before_local
    FROM (SELECT DISTINCT file_id, report_no, time_local FROM whole WHERE time_local IS NOT NULL)
)
SELECT
    p.run_id, p.file_id, p.report_no, p.report, p.subject, p.host, w.row_no, w.mean_row, w.row_key,
    w.number, w.name,
    CASE WHEN w.time_local IS NULL THEN p.to_utc
        ELSE utc_of(NULL::TIMESTAMP, w.time_local, p.zone, p.clock_offset_s) END AS time_utc,
    CASE WHEN w.time_local IS NULL THEN p.interval_s
        ELSE epoch(w.time_local) - epoch(coalesce(s.before_local, p.from_local)) END AS interval_s,
    w.time_local IS NOT NULL AS in_log
FROM whole w
JOIN perfkit_period p USING (file_id, report_no)
LEFT JOIN step s USING (file_id, report_no, time_local);

-- CPU of each guest. TCPU / seconds has more digits than %CPU, which loses its decimal above 100.
CREATE OR REPLACE VIEW guest_cpu AS
SELECT
    run_id, file_id, report_no, host,
    CASE report WHEN 'FCX162' THEN subject ELSE row_key END AS userid,
    time_utc, interval_s, report,
    coalesce(number['total_cpu_s'] / nullif(interval_s, 0), number['cpu_percent'] / 100) AS used_ifl,
    number['virtual_cpu_s'] / nullif(interval_s, 0) AS virtual_ifl,
    CASE WHEN number['total_cpu_s'] / nullif(interval_s, 0) IS NOT NULL THEN 'TCPU / seconds'
        WHEN number['cpu_percent'] IS NOT NULL THEN '%CPU' END AS basis
FROM perfkit_row
WHERE NOT mean_row AND (report = 'FCX112' OR report = 'FCX162' AND in_log);

-- IFLs in use, by route. processors says what was counted: processors of type IFL, or all where
-- the report names no type; mixed where another report of the host names other types. A sum is
-- NULL if a part of it is not known, or if parts are fewer than elsewhere in a report that has
-- lines which were not understood. PHYSLOG counts the whole machine, not one partition. A sum of
-- USERLOG reports has no file_id, for each guest may have a file of its own.
CREATE OR REPLACE VIEW ifl_use AS
WITH typed AS (
    SELECT
        *, name['cpu_type'] AS cpu_type,
        -- z/VM's own partition is the one whose load it measures itself.
        CASE report
            WHEN 'FCX202' THEN number['vm_load_percent'] IS NOT NULL
            WHEN 'FCX126' THEN number['vm_load_percent'] IS NOT NULL
            ELSE true
        END AS own
    FROM perfkit_row
    WHERE NOT mean_row
),
mixed AS (
    SELECT run_id, host FROM typed
    WHERE report IN ('FCX100', 'FCX144', 'FCX304', 'FCX126', 'FCX202') AND own
        AND cpu_type SIMILAR TO '[A-Z]+' AND cpu_type <> 'IFL'
    GROUP BY run_id, host
),
part AS (
    SELECT
        run_id, file_id, report_no, host, time_utc, interval_s,
        CASE report
            WHEN 'FCX225' THEN 'SYSSUMLG: busy × online'
            WHEN 'FCX202' THEN 'LPARLOG: busy × processors'
            WHEN 'FCX302' THEN 'PHYSLOG'
            WHEN 'FCX126' THEN 'LPAR: sum of processors'
            WHEN 'FCX100' THEN 'CPU: sum of processors'
            ELSE 'PROCLOG/PRCLOG: sum of processors'
        END AS route,
        CASE report
            WHEN 'FCX225' THEN number['busy_percent'] * number['online_processors']
            WHEN 'FCX202' THEN number['busy_percent'] * number['processors']
            WHEN 'FCX126' THEN number['busy_percent']
            WHEN 'FCX100' THEN number['cpu_percent']
            ELSE number['total_percent']
        END / 100 AS used_ifl,
        CASE WHEN cpu_type = 'IFL' THEN 'IFL' ELSE 'all' END AS processors
    FROM typed
    WHERE own AND (cpu_type IS NULL OR cpu_type = 'IFL' OR NOT cpu_type SIMILAR TO '[A-Z]+')
        AND (report IN ('FCX100', 'FCX126')
            OR report IN ('FCX225', 'FCX202', 'FCX302', 'FCX144', 'FCX304') AND in_log)
    UNION ALL
    SELECT
        -- Guests have a log each, so theirs are added up over files; USER lists all of them.
        run_id, CASE report WHEN 'FCX112' THEN file_id END,
        CASE report WHEN 'FCX112' THEN report_no END, host, time_utc, interval_s,
        CASE report WHEN 'FCX112' THEN 'USER: sum of guests' ELSE 'USERLOG: sum of guests' END,
        used_ifl, 'all'
    FROM guest_cpu
),
summed AS (
    SELECT
        run_id, file_id, report_no, host, time_utc, interval_s, route,
        CASE WHEN count(*) = count(used_ifl) THEN sum(used_ifl) END AS used_ifl,
        CASE WHEN bool_and(processors = 'IFL') THEN 'IFL' ELSE 'all' END AS processors,
        count(*) AS parts,
        max(count(*)) OVER (PARTITION BY run_id, host, file_id, report_no, route) AS most_parts
    FROM part
    GROUP BY run_id, file_id, report_no, host, time_utc, interval_s, route
)
SELECT
    s.run_id, s.file_id, s.host, s.time_utc, s.interval_s, s.route,
    CASE WHEN s.parts = s.most_parts OR f.lines_not_understood = 0 THEN s.used_ifl END AS used_ifl,
    CASE WHEN s.processors = 'all' AND m.host IS NOT NULL THEN 'mixed' ELSE s.processors END
        AS processors,
    s.parts
FROM summed s
LEFT JOIN raw_file f USING (file_id)
LEFT JOIN mixed m ON m.run_id = s.run_id AND m.host IS NOT DISTINCT FROM s.host;

-- Each route against the best one that the run has, both over the time that both cover; means are
-- weighted by the length of the intervals. PR/SM should count at least what z/VM counts, and z/VM at least
-- the sum of its guests; out_of_order says where that is not so by more than 2 %.
CREATE OR REPLACE VIEW ifl_route_comparison AS
WITH known AS (
    SELECT
        *, time_utc - to_microseconds((interval_s * 1000000)::BIGINT) AS begin_utc,
        CASE
            WHEN route IN ('PHYSLOG', 'LPARLOG: busy × processors', 'LPAR: sum of processors') THEN 3
            WHEN route LIKE '%sum of guests' THEN 1
            ELSE 2
        END AS level,
        list_position([
            'SYSSUMLG: busy × online', 'PROCLOG/PRCLOG: sum of processors', 'CPU: sum of processors',
            'LPARLOG: busy × processors', 'LPAR: sum of processors', 'PHYSLOG',
            'USERLOG: sum of guests', 'USER: sum of guests'], route) AS place
    FROM ifl_use
    WHERE used_ifl IS NOT NULL AND time_utc IS NOT NULL AND interval_s > 0
),
span AS (
    SELECT
        run_id, host, route, any_value(level) AS level, any_value(place) AS place,
        min(begin_utc) AS from_utc, max(time_utc) AS to_utc,
        CASE WHEN bool_or(processors = 'mixed') THEN 'mixed'
            WHEN bool_and(processors = 'IFL') THEN 'IFL' ELSE 'all' END AS processors
    FROM known
    GROUP BY run_id, host, route
),
pair AS (
    SELECT
        a.run_id, a.host, a.route, a.level, a.processors, b.route AS reference, b.level AS level_b,
        greatest(a.from_utc, b.from_utc) AS from_utc, least(a.to_utc, b.to_utc) AS to_utc
    FROM span a
    JOIN (
        SELECT * FROM span
        QUALIFY row_number() OVER (PARTITION BY run_id, host ORDER BY place) = 1
    ) b ON b.run_id = a.run_id AND b.host IS NOT DISTINCT FROM a.host
),
mean AS (
    SELECT
        p.run_id, p.host, p.route, p.reference, p.processors, p.level, p.level_b,
        p.from_utc, p.to_utc,
        sum(k.used_ifl * k.interval_s) FILTER (k.route = p.route)
            / sum(k.interval_s) FILTER (k.route = p.route) AS used_ifl,
        sum(k.used_ifl * k.interval_s) FILTER (k.route = p.reference)
            / sum(k.interval_s) FILTER (k.route = p.reference) AS reference_ifl
    FROM pair p
    LEFT JOIN known k
        ON k.run_id = p.run_id AND k.host IS NOT DISTINCT FROM p.host
        AND k.route IN (p.route, p.reference)
        AND k.begin_utc >= p.from_utc - INTERVAL 1 SECOND
        AND k.time_utc <= p.to_utc + INTERVAL 1 SECOND
    GROUP BY ALL
)
SELECT
    run_id, host, route, reference, processors,
    CASE WHEN from_utc < to_utc THEN from_utc END AS from_utc,
    CASE WHEN from_utc < to_utc THEN to_utc END AS to_utc, used_ifl, reference_ifl,
    used_ifl - reference_ifl AS difference_ifl,
    100 * (used_ifl / nullif(reference_ifl, 0) - 1) AS difference_percent,
    CASE WHEN level > level_b THEN used_ifl < 0.98 * reference_ifl
        WHEN level < level_b THEN used_ifl > 1.02 * reference_ifl END AS out_of_order
FROM mean;

-- Traffic of virtual switches (the real side) and of the guests' network adapters. What goes from
-- guest to guest on a switch is in the latter only, and there twice: once out, once in.
CREATE OR REPLACE VIEW vswitch_rate AS
SELECT
    run_id, file_id, host, time_utc, interval_s,
    CASE report WHEN 'FCX240' THEN 'switch' ELSE 'adapter' END AS side,
    name['name'] AS vswitch, name['userid'] AS userid, name['address'] AS address,
    number['out_bytes_per_s'] / 1048576 AS out_mib_s,
    number['in_bytes_per_s'] / 1048576 AS in_mib_s,
    number['out_packets_per_s'] AS out_packets_per_s,
    number['in_packets_per_s'] AS in_packets_per_s,
    number['out_discards_per_s'] AS out_discards_per_s,
    number['in_discards_per_s'] AS in_discards_per_s
FROM perfkit_row
WHERE NOT mean_row AND report IN ('FCX240', 'FCX266');

-- Response times of ECKD disks. FCP devices that guests drive themselves are not in these reports.
CREATE OR REPLACE VIEW dasd_response AS
SELECT
    run_id, file_id, host, time_utc, interval_s,
    CASE report WHEN 'FCX168' THEN subject ELSE row_key END AS device, name['label'] AS label,
    number['io_per_s'] AS io_per_s, number['response_ms'] AS response_ms,
    number['service_ms'] AS service_ms, number['pending_ms'] AS pending_ms,
    number['disconnect_ms'] AS disconnect_ms, number['connect_ms'] AS connect_ms,
    number['requests_queued'] AS requests_queued, number['busy_percent'] AS busy_percent,
    number['read_percent'] AS read_percent
FROM perfkit_row
WHERE NOT mean_row AND (report = 'FCX108' OR report = 'FCX168' AND in_log);

CREATE OR REPLACE VIEW perfkit_coverage AS
WITH sample AS (
    SELECT DISTINCT file_id, host, time_utc, interval_s
    FROM perfkit_row WHERE in_log AND NOT mean_row
),
log AS (
    SELECT
        file_id, host, count(DISTINCT time_utc) AS samples, median(interval_s) AS interval_s
    FROM sample GROUP BY file_id, host
),
gap AS (
    SELECT s.file_id, s.host, count(*) AS gaps
    FROM sample s
    JOIN log l ON l.file_id = s.file_id AND l.host IS NOT DISTINCT FROM s.host
    WHERE s.interval_s > 1.5 * l.interval_s
    GROUP BY s.file_id, s.host
),
period AS (
    SELECT
        file_id, host, min(from_utc) AS first_utc, max(to_utc) AS last_utc,
        any_value(zone_known) AS clock, count(*) AS reports, median(interval_s) AS interval_s
    FROM perfkit_period GROUP BY file_id, host
)
SELECT
    p.file_id, p.host, p.first_utc, p.last_utc, p.clock,
    -- A report that is no log is one sample of its period.
    coalesce(l.samples, p.reports) AS samples, coalesce(l.interval_s, p.interval_s) AS interval_s,
    coalesce(g.gaps, 0) AS gaps, 0::BIGINT AS restarts, 0::BIGINT AS resets
FROM period p
LEFT JOIN log l ON l.file_id = p.file_id AND l.host IS NOT DISTINCT FROM p.host
LEFT JOIN gap g ON g.file_id = p.file_id AND g.host IS NOT DISTINCT FROM p.host;

-- Values that cannot be: APAR VM65686 tells of processors that seem busier than 100 %.
CREATE OR REPLACE VIEW perfkit_event AS
SELECT
    file_id, host, time_utc, 'doubtful value' AS kind,
    report || ', processor ' || row_key || ': '
    || coalesce(number['total_percent'], number['cpu_percent']) || ' % busy' AS text
FROM perfkit_row
WHERE report IN ('FCX100', 'FCX144', 'FCX304')
    AND coalesce(number['total_percent'], number['cpu_percent']) > 100.5;
