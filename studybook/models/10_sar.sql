-- What sysstat measured on each host, whatever printed it (sar, sadf, a binary file). One row per
-- interval, stamped with its end. Several files of one host are one series; a sample that is in
-- more than one of them counts once, that of the shortest interval. A second sample in the same
-- second, as live output may have, has an interval of 0 s and stays a row of its own.

-- One row per report: its host, and how its times become UTC. The host that run.yml names for a
-- file is that of all its reports only if they are of one host.
CREATE OR REPLACE VIEW sar_source AS
WITH named AS (
    SELECT
        c.run_id, c.file_id, r.report_no, c.zone,
        if(count(DISTINCT r.host) OVER (PARTITION BY r.file_id) <= 1,
           coalesce(c.host, r.host), r.host) AS host,
        if(r.clock = 'utc', 'UTC, in the file', c.zone_known) AS clock
    FROM sar_report r
    JOIN file_clock c USING (file_id)
)
SELECT n.*, h.clock_offset_s
FROM named n
LEFT JOIN host h ON h.run_id = n.run_id AND h.host = n.host;

-- Share of each processor's time. busy is what was done here: user, nice and system; what the
-- hypervisor gave to others is steal. -u ALL counts interrupts and guests apart, -u does not; they
-- are brought to the columns of -u, and an interval that both report counts once.
CREATE OR REPLACE VIEW cpu_use AS
WITH printed AS (
    SELECT
        file_id, report_no, time_local, time_utc, set_back, interval_s,
        cpu, user_percent, nice_percent,
        system_percent, iowait_percent, steal_percent, idle_percent, line, 1 AS choice
    FROM sar_cpu
    UNION ALL
    SELECT
        file_id, report_no, time_local, time_utc, set_back, interval_s, cpu,
        usr_percent + coalesce(guest_percent, 0), nice_percent + coalesce(gnice_percent, 0),
        sys_percent + irq_percent + soft_percent, iowait_percent, steal_percent, idle_percent,
        line, 2
    FROM sar_cpu_all
)
SELECT
    s.run_id, p.file_id, s.host,
    utc_of_pass(p.time_utc, p.time_local, p.set_back, s.zone, s.clock_offset_s) AS time_utc,
    p.interval_s, p.cpu,
    p.user_percent, p.nice_percent, p.system_percent, p.iowait_percent, p.steal_percent,
    p.idle_percent, p.user_percent + p.nice_percent + p.system_percent AS busy_percent
FROM printed p
JOIN sar_source s USING (file_id, report_no)
QUALIFY row_number() OVER (
    PARTITION BY s.run_id, s.host, p.cpu,
        utc_of_pass(p.time_utc, p.time_local, p.set_back, s.zone, s.clock_offset_s),
        p.interval_s IS NOT DISTINCT FROM 0
    ORDER BY p.choice, p.interval_s, p.file_id, p.line
) = 1;

-- Interrupts per second, each with its processor; all stands for all of them together.
CREATE OR REPLACE VIEW interrupt_rate AS
WITH single AS (
    SELECT *, unnest(string_split(names, ' ')) AS name, unnest(rates_per_s) AS rate
    FROM sar_interrupt
)
SELECT
    s.run_id, i.file_id, s.host,
    utc_of_pass(i.time_utc, i.time_local, i.set_back, s.zone, s.clock_offset_s) AS time_utc,
    i.interval_s, coalesce(i.interrupt, i.name) AS interrupt,
    if(i.interrupt IS NULL, coalesce(i.cpu, 'all'), i.name) AS cpu, i.rate AS interrupts_per_s
FROM single i
JOIN sar_source s USING (file_id, report_no)
QUALIFY row_number() OVER (
    PARTITION BY s.run_id, s.host, coalesce(i.interrupt, i.name),
        if(i.interrupt IS NULL, coalesce(i.cpu, 'all'), i.name),
        utc_of_pass(i.time_utc, i.time_local, i.set_back, s.zone, s.clock_offset_s),
        i.interval_s IS NOT DISTINCT FROM 0
    ORDER BY i.interval_s, i.file_id, i.line
) = 1;

CREATE OR REPLACE VIEW run_queue AS
SELECT
    s.run_id, q.file_id, s.host,
    utc_of_pass(q.time_utc, q.time_local, q.set_back, s.zone, s.clock_offset_s) AS time_utc,
    q.interval_s,
    q.run_queue, q.tasks, q.load_1min, q.load_5min, q.load_15min, q.blocked_tasks
FROM sar_queue q
JOIN sar_source s USING (file_id, report_no)
QUALIFY row_number() OVER (
    PARTITION BY s.run_id, s.host,
        utc_of_pass(q.time_utc, q.time_local, q.set_back, s.zone, s.clock_offset_s),
        q.interval_s IS NOT DISTINCT FROM 0
    ORDER BY q.interval_s, q.file_id, q.line
) = 1;

-- Releases to 8.1.2 print the two rates as sections of their own: rows with one of them each.
CREATE OR REPLACE VIEW context_switch AS
SELECT
    s.run_id, min(t.file_id) AS file_id, s.host,
    utc_of_pass(t.time_utc, t.time_local, t.set_back, s.zone, s.clock_offset_s) AS time_utc,
    max(t.interval_s) AS interval_s,
    arg_min(t.context_switches_per_s, t.file_id) AS context_switches_per_s,
    arg_min(t.created_per_s, t.file_id) AS created_per_s
FROM sar_task t
JOIN sar_source s USING (file_id, report_no)
GROUP BY
    s.run_id, s.host,
    utc_of_pass(t.time_utc, t.time_local, t.set_back, s.zone, s.clock_offset_s);

CREATE OR REPLACE VIEW paging AS
SELECT
    s.run_id, p.file_id, s.host,
    utc_of_pass(p.time_utc, p.time_local, p.set_back, s.zone, s.clock_offset_s) AS time_utc,
    p.interval_s,
    p.in_kib_s, p.out_kib_s, p.faults_per_s, p.major_faults_per_s,
    p.scanned_by_kswapd_pages_per_s, p.scanned_directly_pages_per_s, p.reclaimed_pages_per_s
FROM sar_paging p
JOIN sar_source s USING (file_id, report_no)
QUALIFY row_number() OVER (
    PARTITION BY s.run_id, s.host,
        utc_of_pass(p.time_utc, p.time_local, p.set_back, s.zone, s.clock_offset_s),
        p.interval_s IS NOT DISTINCT FROM 0
    ORDER BY p.interval_s, p.file_id, p.line
) = 1;

-- Memory. What sar prints as used has changed: with buffers and page cache until 11.7.3, without
-- since. The total, from the printed share of it, tells which; used_with_cache_kib means one thing.
CREATE OR REPLACE VIEW memory AS
SELECT
    s.run_id, m.file_id, s.host,
    utc_of_pass(m.time_utc, m.time_local, m.set_back, s.zone, s.clock_offset_s) AS time_utc,
    m.interval_s,
    m.used_as_printed_kib * 100 / nullif(m.used_as_printed_percent, 0) AS total_kib,
    m.free_kib, m.available_kib, m.buffers_kib, m.cached_kib, m.committed_kib, m.dirty_kib,
    m.used_as_printed_kib,
    -- The share has two decimals: it fixes the total to half a hundredth of a percent.
    abs(m.used_as_printed_kib + m.free_kib - total_kib)
        <= total_kib * (0.006 / nullif(m.used_as_printed_percent, 0)) AS printed_with_cache,
    if(printed_with_cache, m.used_as_printed_kib, total_kib - m.free_kib) AS used_with_cache_kib
FROM sar_memory m
JOIN sar_source s USING (file_id, report_no)
QUALIFY row_number() OVER (
    PARTITION BY s.run_id, s.host,
        utc_of_pass(m.time_utc, m.time_local, m.set_back, s.zone, s.clock_offset_s),
        m.interval_s IS NOT DISTINCT FROM 0
    ORDER BY m.interval_s, m.file_id, m.line
) = 1;

-- Swap space, and swapping. Releases before 8.1.5 print the space with the memory.
CREATE OR REPLACE VIEW swap AS
WITH printed AS (
    SELECT
        file_id, report_no, time_local, time_utc, set_back, interval_s,
        free_kib, used_kib, cached_kib,
        NULL AS in_pages_per_s, NULL AS out_pages_per_s
    FROM sar_swap_space
    UNION ALL
    SELECT
        file_id, report_no, time_local, time_utc, set_back, interval_s,
        swap_free_kib, swap_used_kib,
        swap_cached_kib, NULL, NULL
    FROM sar_memory
    WHERE swap_used_kib IS NOT NULL
    UNION ALL
    SELECT
        file_id, report_no, time_local, time_utc, set_back, interval_s,
        NULL, NULL, NULL, in_pages_per_s,
        out_pages_per_s
    FROM sar_swap_rate
)
SELECT
    s.run_id, min(p.file_id) AS file_id, s.host,
    utc_of_pass(p.time_utc, p.time_local, p.set_back, s.zone, s.clock_offset_s) AS time_utc,
    max(p.interval_s) AS interval_s, arg_min(p.used_kib, p.file_id) AS used_kib,
    arg_min(p.free_kib, p.file_id) AS free_kib, arg_min(p.cached_kib, p.file_id) AS cached_kib,
    arg_min(p.in_pages_per_s, p.file_id) AS in_pages_per_s,
    arg_min(p.out_pages_per_s, p.file_id) AS out_pages_per_s
FROM printed p
JOIN sar_source s USING (file_id, report_no)
GROUP BY
    s.run_id, s.host,
    utc_of_pass(p.time_utc, p.time_local, p.set_back, s.zone, s.clock_offset_s);

-- The letters that Linux gives to the disk of that number, from 0: a to z, aa to zz, aaa …
CREATE OR REPLACE MACRO disk_letters(number) AS
    CASE
        WHEN number < 26 THEN chr((97 + number)::INTEGER)
        WHEN number < 702 THEN
            chr((96 + number // 26)::INTEGER) || chr((97 + number % 26)::INTEGER)
        ELSE
            chr((96 + (number // 26 - 1) // 26)::INTEGER)
            || chr((97 + (number // 26 - 1) % 26)::INTEGER) || chr((97 + number % 26)::INTEGER)
    END;

-- The name of a block device that is printed as dev<major>-<minor>, where Linux fixes the major
-- number (admin-guide/devices.txt): 94 is dasd with 4 minors to a disk, 8, 65 to 71 and 128 to 135
-- are sd with 16. Other majors are given out at boot, so their devices keep the printed name.
CREATE OR REPLACE MACRO device_number(device, part) AS
    regexp_extract(device, '^dev(\d{1,4})-(\d{1,7})$', part)::BIGINT;
CREATE OR REPLACE MACRO named_device(prefix, number, minors) AS
    prefix || disk_letters(number // minors) || coalesce(nullif(number % minors, 0)::VARCHAR, '');
CREATE OR REPLACE MACRO device_name(device) AS
    CASE
        WHEN NOT regexp_matches(device, '^dev\d{1,4}-\d{1,7}$') THEN device
        WHEN device_number(device, 1) = 94 THEN named_device('dasd', device_number(device, 2), 4)
        WHEN device_number(device, 1) = 8 THEN named_device('sd', device_number(device, 2), 16)
        WHEN device_number(device, 1) BETWEEN 65 AND 71 THEN
            named_device('sd', 256 * (device_number(device, 1) - 64) + device_number(device, 2), 16)
        WHEN device_number(device, 1) BETWEEN 128 AND 135 THEN
            named_device(
                'sd', 256 * (device_number(device, 1) - 120) + device_number(device, 2), 16
            )
        ELSE device
    END;

CREATE OR REPLACE VIEW disk_rate AS
SELECT
    s.run_id, d.file_id, s.host,
    utc_of_pass(d.time_utc, d.time_local, d.set_back, s.zone, s.clock_offset_s) AS time_utc,
    d.interval_s,
    d.device AS device_printed, device_name(d.device) AS device, d.transfers_per_s,
    -- Releases to 5.1.2 print one sum only; the two directions are then not known.
    d.read_kib_s, d.write_kib_s, d.discard_kib_s, d.request_kib, d.queue, d.await_ms,
    d.service_ms, d.util_percent
FROM sar_disk d
JOIN sar_source s USING (file_id, report_no)
QUALIFY row_number() OVER (
    PARTITION BY s.run_id, s.host, device_name(d.device),
        utc_of_pass(d.time_utc, d.time_local, d.set_back, s.zone, s.clock_offset_s),
        d.interval_s IS NOT DISTINCT FROM 0
    ORDER BY d.interval_s, d.file_id, d.line
) = 1;

CREATE OR REPLACE VIEW network_rate AS
SELECT
    s.run_id, n.file_id, s.host,
    utc_of_pass(n.time_utc, n.time_local, n.set_back, s.zone, s.clock_offset_s) AS time_utc,
    n.interval_s,
    n.interface, n.received_packets_per_s, n.sent_packets_per_s, n.received_kib_s, n.sent_kib_s,
    n.util_percent
FROM sar_network n
JOIN sar_source s USING (file_id, report_no)
QUALIFY row_number() OVER (
    PARTITION BY s.run_id, s.host, n.interface,
        utc_of_pass(n.time_utc, n.time_local, n.set_back, s.zone, s.clock_offset_s),
        n.interval_s IS NOT DISTINCT FROM 0
    ORDER BY n.interval_s, n.file_id, n.line
) = 1;

CREATE OR REPLACE VIEW network_error_rate AS
SELECT
    s.run_id, n.file_id, s.host,
    utc_of_pass(n.time_utc, n.time_local, n.set_back, s.zone, s.clock_offset_s) AS time_utc,
    n.interval_s,
    n.interface, n.receive_errors_per_s, n.send_errors_per_s, n.collisions_per_s,
    n.receive_drops_per_s, n.send_drops_per_s, n.carrier_errors_per_s, n.frame_errors_per_s,
    n.receive_overruns_per_s, n.send_overruns_per_s
FROM sar_network_error n
JOIN sar_source s USING (file_id, report_no)
QUALIFY row_number() OVER (
    PARTITION BY s.run_id, s.host, n.interface,
        utc_of_pass(n.time_utc, n.time_local, n.set_back, s.zone, s.clock_offset_s),
        n.interval_s IS NOT DISTINCT FROM 0
    ORDER BY n.interval_s, n.file_id, n.line
) = 1;

CREATE OR REPLACE VIEW nfs_rate AS
WITH printed AS (
    SELECT
        file_id, report_no, time_local, time_utc, set_back, interval_s,
        'client' AS side, calls_per_s,
        reads_per_s, writes_per_s, accesses_per_s, getattrs_per_s, retransmissions_per_s,
        NULL AS bad_calls_per_s, line
    FROM sar_nfs_client
    UNION ALL
    SELECT
        file_id, report_no, time_local, time_utc, set_back, interval_s, 'server', calls_per_s,
        reads_per_s, writes_per_s, accesses_per_s, getattrs_per_s, NULL, bad_calls_per_s, line
    FROM sar_nfs_server
)
SELECT
    s.run_id, p.file_id, s.host,
    utc_of_pass(p.time_utc, p.time_local, p.set_back, s.zone, s.clock_offset_s) AS time_utc,
    p.interval_s,
    p.side, p.calls_per_s, p.reads_per_s, p.writes_per_s, p.accesses_per_s, p.getattrs_per_s,
    p.retransmissions_per_s, p.bad_calls_per_s
FROM printed p
JOIN sar_source s USING (file_id, report_no)
QUALIFY row_number() OVER (
    PARTITION BY s.run_id, s.host, p.side,
        utc_of_pass(p.time_utc, p.time_local, p.set_back, s.zone, s.clock_offset_s),
        p.interval_s IS NOT DISTINCT FROM 0
    ORDER BY p.interval_s, p.file_id, p.line
) = 1;
