-- Performance Toolkit reports: use of processors by each guest, traffic of virtual switches, response
-- times of disks. All shares of processors are in IFLs: 100 % of one processor is 1 IFL. Rows of logs
-- are stamped with the end of their interval.

-- The host that run.yml names for a file, if the file holds reports of one system at most: with
-- several, each report goes by the system that it names.
CREATE OR REPLACE VIEW perfkit_single_host AS
SELECT f.file_id, if(count(DISTINCT r.system_id) <= 1, f.host, NULL) AS host
FROM perfkit_report r
JOIN file_clock f USING (file_id)
GROUP BY f.file_id, f.host;

-- One row per report: its host, and its period as UTC instants.
CREATE OR REPLACE VIEW perfkit_period AS
SELECT
    c.run_id, r.file_id, r.report_no, r.report, r.subject, r.interval_s,
    coalesce(s.host, r.system_id) AS host, c.zone, c.zone_known, h.clock_offset_s,
    r.from_local, r.to_local,
    utc_of(NULL::TIMESTAMP, r.from_local, c.zone, h.clock_offset_s) AS from_utc,
    utc_of(NULL::TIMESTAMP, r.to_local, c.zone, h.clock_offset_s) AS to_utc
FROM perfkit_report r
JOIN file_clock c USING (file_id)
JOIN perfkit_single_host s USING (file_id)
LEFT JOIN host h ON h.run_id = c.run_id AND h.host = coalesce(s.host, r.system_id);

-- One row per row of a report, its named cells as maps. Rows of reports that are no logs are of the
-- whole period. The interval of a log's row begins with the row before of the same thing, the first
-- one with From; after a gap (a late logon, a row not understood) or a step back its length is not
-- known. occurrence: which row of the report it is with this key and time; an hour that the clock
-- goes through twice has two. copy_no: a report may stand in several files, or twice in one.
CREATE OR REPLACE VIEW perfkit_printed_row AS
WITH whole AS (
    SELECT
        file_id, report_no, row_no, any_value(time_local) AS time_local,
        any_value(mean_row) AS mean_row, any_value(row_key) AS row_key,
        map_from_entries(list((metric, value)) FILTER (metric IS NOT NULL)) AS number,
        map_from_entries(list((metric, text)) FILTER (metric IS NOT NULL)) AS name
    FROM perfkit_value
    GROUP BY file_id, report_no, row_no
),
placed AS (
    SELECT
        *,
        -- Rows of a log that have no other key have their time as their key.
        lag(time_local) OVER (
            PARTITION BY file_id, report_no, mean_row,
                if(regexp_full_match(row_key, '\d\d:\d\d:\d\d'), '', row_key)
            ORDER BY row_no) AS before_local,
        row_number() OVER (
            PARTITION BY file_id, report_no, mean_row, row_key, time_local ORDER BY row_no
        ) AS occurrence
    FROM whole
),
usual AS (
    SELECT file_id, report_no, quantile_disc(epoch(time_local) - epoch(before_local), 0.5) AS usual_s
    FROM placed
    WHERE time_local > before_local
    GROUP BY file_id, report_no
),
stepped AS (
    SELECT
        w.*, u.usual_s, p.* EXCLUDE (file_id, report_no),
        epoch(w.time_local) - epoch(coalesce(w.before_local, p.from_local)) AS step_s
    FROM placed w
    JOIN perfkit_period p USING (file_id, report_no)
    LEFT JOIN usual u USING (file_id, report_no)
)
SELECT
    run_id, file_id, report_no, report, subject, host, row_no, mean_row, row_key, number, name,
    CASE WHEN time_local IS NULL THEN to_utc
        ELSE utc_of(NULL::TIMESTAMP, time_local, zone, clock_offset_s) END AS time_utc,
    CASE WHEN time_local IS NULL THEN interval_s
        WHEN step_s > 0 AND step_s <= 1.5 * usual_s THEN step_s END AS interval_s,
    time_local IS NOT NULL AS in_log, coalesce(time_local, to_local) AS end_local,
    if(time_local IS NULL, from_local, NULL) AS from_local, before_local, usual_s,
    coalesce(step_s > 1.5 * usual_s, false) AS after_gap, occurrence,
    row_number() OVER same AS copy_no, number IS DISTINCT FROM first_value(number) OVER same AS differs
FROM stepped
WINDOW same AS (
    PARTITION BY run_id, host, report, subject, row_key, mean_row, time_local, occurrence,
        if(time_local IS NULL, (from_local, to_local), NULL),
        -- Of reports whose time is not known, none is known to be the same as another.
        if(time_local IS NULL AND to_local IS NULL, (file_id, report_no), NULL)
    ORDER BY file_id, report_no);

-- Each row once.
CREATE OR REPLACE VIEW perfkit_row AS
SELECT * FROM perfkit_printed_row WHERE copy_no = 1;

-- How far a printed number may be from what it was before it was rounded.
CREATE OR REPLACE MACRO perfkit_rounding(text) AS
    0.5 * 10.0 ** -length(regexp_extract(text, '\.(\d*)', 1));

-- CPU of each guest. TCPU / seconds has more digits than %CPU, which loses its decimal above 100,
-- but the seconds are those of the interval only where both agree to their rounding; without a
-- %CPU they are trusted in USER, whose period is printed.
CREATE OR REPLACE VIEW guest_cpu AS
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
FROM compared;

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
WITH log AS (
    SELECT
        file_id, host, count(DISTINCT (end_local, occurrence)) AS samples,
        median(usual_s) AS interval_s, count(DISTINCT end_local) FILTER (after_gap) AS gaps
    FROM perfkit_printed_row
    WHERE in_log AND NOT mean_row
    GROUP BY file_id, host
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
    coalesce(l.gaps, 0) AS gaps, 0::BIGINT AS restarts, 0::BIGINT AS resets
FROM period p
LEFT JOIN log l ON l.file_id = p.file_id AND l.host IS NOT DISTINCT FROM p.host;

-- Hours that are printed twice, copies that say something else, and values that cannot be: APAR
-- VM65686 tells of processors that seem busier than 100 %.
CREATE OR REPLACE VIEW perfkit_event AS
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
GROUP BY file_id, host, report, report_no;
