-- Resources of hosts, whatever tool measured them.

-- Where tools that tell the same are equally fine: first those that tell more of a host.
CREATE OR REPLACE MACRO tool_rank(tool) AS
    list_position(['sar', 'nmon', 'mpstat', 'iostat', 'vmstat', 'collectl', 'pcp',
        'prometheus'], tool);

-- Programs that nobody asks pidstat for by name: threads of the kernel, and itself. A report without
-- them may have been told which few to look at (-C, -p); one with them tells of all programs.
CREATE OR REPLACE MACRO is_of_system(program) AS program = 'pidstat' OR regexp_matches(program,
    '^(kworker|ksoftirqd|migration|khugepaged|jbd2|xfsaild|irq)\b|^(rcu_|kswapd|kcompactd)');

-- Of several tools that measured a resource of a host in a run, one counts: the first by rank that
-- has at least half as many instants as the one with the most. Parts that are chosen for apart,
-- such as single processors, have different values of part.
CREATE OR REPLACE MACRO of_one_tool(records, part) AS TABLE
WITH measured_by AS (
    SELECT *, part AS part_of FROM query_table(records)
),
told AS (
    SELECT run_id, host, part_of, tool, count(DISTINCT time_utc) AS instants
    FROM measured_by
    GROUP BY run_id, host, part_of, tool
),
most AS (
    SELECT *, max(instants) OVER (PARTITION BY run_id, host, part_of) AS most_instants FROM told
),
chosen AS (
    SELECT run_id, host, part_of, arg_min(tool, tool_rank(tool)) AS tool
    FROM most
    WHERE 2 * instants >= most_instants
    GROUP BY run_id, host, part_of
)
SELECT m.* EXCLUDE (part_of)
FROM measured_by m
JOIN chosen c ON c.run_id = m.run_id AND c.host IS NOT DISTINCT FROM m.host
    AND c.part_of IS NOT DISTINCT FROM m.part_of AND c.tool = m.tool;

-- A sample that is in more than one file counts once: that of the shortest interval.
CREATE OR REPLACE MACRO one_series(records, part) AS TABLE
FROM query_table(records)
QUALIFY row_number() OVER (
    PARTITION BY run_id, host, part, time_utc ORDER BY interval_s, file_id, line) = 1;

-- The end of an interval. Of an output without times the first is placed: its samples follow one
-- another from the start of the run, one interval apart.
CREATE OR REPLACE MACRO placed_at(
    time_utc, time_local, set_back, zone, clock_offset_s, start_utc, report_no, sample_no, interval_s
) AS
    coalesce(
        utc_of_pass(time_utc, time_local, set_back, zone, clock_offset_s),
        if(report_no = 0, start_utc + to_microseconds((sample_no * interval_s * 1e6)::BIGINT), NULL)
    );

-- Of each report of a tool its host, and how its times become UTC. The host that run.yml names for a
-- file is that of all its reports only if they are of one host.
CREATE OR REPLACE MACRO source_of(reports) AS TABLE
WITH named AS (
    SELECT
        c.run_id, c.file_id, r.report_no, c.zone, c.zone_known AS clock,
        coalesce(
            if(count(DISTINCT r.host) OVER (PARTITION BY r.file_id) <= 1, c.host, NULL),
            r.host, n.host
        ) AS host
    FROM query_table(reports) r
    JOIN file_clock c USING (file_id)
    JOIN nameless_host n USING (run_id)
)
SELECT n.*, h.clock_offset_s, u.start_utc
FROM named n
JOIN run u USING (run_id)
LEFT JOIN host h ON h.run_id = n.run_id AND h.host = n.host;

-- What the loading report says of each host in each file, from the instants of its samples.
CREATE OR REPLACE MACRO coverage_of(records) AS TABLE
WITH instant AS (
    SELECT file_id, host, any_value(clock) AS clock, time_utc, max(interval_s) AS interval_s
    FROM query_table(records)
    WHERE time_utc IS NOT NULL
    GROUP BY file_id, host, time_utc
),
typical AS (
    SELECT *, median(interval_s) OVER (PARTITION BY file_id, host) AS typical_s FROM instant
)
SELECT
    file_id, host, min(time_utc) AS first_utc, max(time_utc) AS last_utc,
    any_value(clock) AS clock, count(*) AS samples, any_value(typical_s) AS interval_s,
    count(*) FILTER (interval_s > 1.5 * typical_s) AS gaps,
    0::BIGINT AS restarts, 0::BIGINT AS resets
FROM typical
GROUP BY file_id, host;

-- The disk that a device is a partition of, by the names of Linux; NULL if it is none.
CREATE OR REPLACE MACRO disk_of(device) AS
    CASE
        WHEN regexp_matches(device, '^((sd|hd|vd|xvd|dasd)[a-z]+)\d+$') THEN
            regexp_extract(device, '^(.*?)\d+$', 1)
        WHEN regexp_matches(device, '^(nvme\d+n\d+|mmcblk\d+|md\d+|loop\d+)p\d+$') THEN
            regexp_extract(device, '^(.*)p\d+$', 1)
    END;

-- Traffic of devices without that of partitions whose disk is there as well.
CREATE OR REPLACE MACRO without_partitions(records) AS TABLE
FROM query_table(records) r
WHERE NOT EXISTS (
    FROM query_table(records) d
    WHERE d.file_id = r.file_id AND d.device = disk_of(r.device));
