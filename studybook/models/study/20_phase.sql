-- What the exports say of the stable phase of each run: one row per run, and host where there are
-- several. Means are weighted by the length of the intervals; an interval counts if it lies within
-- the phase as a whole, give or take the second to which most exports print their clock.
CREATE OR REPLACE MACRO within_phase(time_utc, interval_s, from_utc, to_utc) AS
    time_utc <= to_utc + INTERVAL 1 SECOND
    AND time_utc - to_microseconds((coalesce(interval_s, 0) * 1000000)::BIGINT)
        >= from_utc - INTERVAL 1 SECOND;

-- The mean over intervals of different length; NULLs count neither as value nor as time.
CREATE OR REPLACE MACRO mean_over_time(value, interval_s) AS
    sum(value * interval_s) / sum(interval_s) FILTER (value IS NOT NULL);

-- Pages (samples, transactions) per second, their response time, and the users meanwhile.
CREATE OR REPLACE VIEW phase_driver AS
SELECT
    d.run_id, d.kind, mean_over_time(d.completed_per_s, d.interval_s) AS completed_per_s,
    sum(d.response_ms * d.completed_per_s * d.interval_s)
        / sum(d.completed_per_s * d.interval_s) FILTER (d.response_ms IS NOT NULL) AS response_ms,
    mean_over_time(d.users, d.interval_s) AS users, count(*) AS intervals
FROM driver_interval d
JOIN stable_phase p USING (run_id)
WHERE within_phase(d.time_utc, d.interval_s, p.from_utc, p.to_utc)
GROUP BY d.run_id, d.kind;

-- What the load driver sent and received, where it counts bytes.
CREATE OR REPLACE VIEW phase_driver_bytes AS
SELECT
    t.run_id, mean_over_time(t.sent_mib_s, t.interval_s) AS sent_mib_s,
    mean_over_time(t.received_mib_s, t.interval_s) AS received_mib_s
FROM throughput t
JOIN stable_phase p USING (run_id)
WHERE t.kind = 'run' AND t.interval_s > 0
    AND within_phase(t.time_utc, t.interval_s, p.from_utc, p.to_utc)
GROUP BY t.run_id
-- A sampler that measures no bytes says 0.
HAVING sum(t.received_mib_s) > 0;

-- The order in which ifl_route_comparison takes its reference among the routes.
CREATE OR REPLACE MACRO ifl_route_place(route) AS list_position([
    'SYSSUMLG: busy × online', 'PROCLOG/PRCLOG: sum of processors', 'CPU: sum of processors',
    'LPARLOG: busy × processors', 'LPAR: sum of processors', 'PHYSLOG',
    'USERLOG: sum of guests', 'USER: sum of guests'], route);

-- IFLs of the whole system, by each route of the Performance Toolkit; chosen is the first of them.
CREATE OR REPLACE VIEW phase_ifl AS
WITH known AS (
    SELECT
        i.run_id, i.host, i.route, mean_over_time(i.used_ifl, i.interval_s) AS used_ifl,
        ifl_route_place(i.route) AS place
    FROM ifl_use i
    JOIN stable_phase p USING (run_id)
    WHERE i.used_ifl IS NOT NULL AND i.interval_s > 0
        AND within_phase(i.time_utc, i.interval_s, p.from_utc, p.to_utc)
    GROUP BY i.run_id, i.host, i.route
)
SELECT run_id, host, route, used_ifl,
    place = min(place) OVER (PARTITION BY run_id, host) AS chosen
FROM known;

-- Hosts by the name of their guest, which has eight letters at most; none where two would have one.
CREATE OR REPLACE VIEW guest_host AS
SELECT run_id, left(upper(host), 8) AS userid, any_value(host) AS host, any_value(role) AS role
FROM host
GROUP BY ALL
HAVING count(*) = 1;

-- IFLs of each guest, as the hypervisor counts them. host: the guest by the name of the manifest.
CREATE OR REPLACE VIEW phase_guest AS
SELECT
    g.run_id, coalesce(h.host, g.userid) AS host, any_value(h.role) AS role, g.report,
    mean_over_time(g.used_ifl, g.interval_s) AS used_ifl
FROM guest_cpu g
JOIN stable_phase p USING (run_id)
LEFT JOIN guest_host h USING (run_id, userid)
WHERE g.used_ifl IS NOT NULL AND g.interval_s > 0
    AND within_phase(g.time_utc, g.interval_s, p.from_utc, p.to_utc)
GROUP BY g.run_id, coalesce(h.host, g.userid), g.report
QUALIFY g.report = min(g.report) OVER (PARTITION BY g.run_id);

-- Processors in use by each host, as its own kernel counts them: busy share times processors, of
-- which run.yml says the number where the export lists them only together.
CREATE OR REPLACE VIEW phase_cpu AS
WITH phase AS (
    SELECT c.*
    FROM cpu_use c
    JOIN stable_phase p USING (run_id)
    WHERE c.interval_s > 0 AND within_phase(c.time_utc, c.interval_s, p.from_utc, p.to_utc)
),
processors AS (
    SELECT run_id, host, count(DISTINCT cpu) AS listed FROM phase WHERE cpu <> 'all' GROUP BY ALL
),
mean AS (
    SELECT
        run_id, host, mean_over_time(busy_percent, interval_s) AS busy_percent,
        mean_over_time(steal_percent, interval_s) AS steal_percent
    FROM phase WHERE cpu = 'all' GROUP BY run_id, host
)
SELECT
    run_id, host, busy_percent, steal_percent, coalesce(p.listed, h.cpus) AS cpus,
    busy_percent / 100 * coalesce(p.listed, h.cpus) AS used_ifl, h.role
FROM mean
LEFT JOIN processors p USING (run_id, host)
LEFT JOIN host_size h USING (run_id, host);

-- Processors in use by each host of a role, as the hypervisor counts them, or else as the hosts do.
CREATE OR REPLACE VIEW phase_host_cpu AS
SELECT run_id, host, role, used_ifl, 'the Performance Toolkit' AS counted_by
FROM phase_guest
WHERE role IS NOT NULL
UNION ALL
SELECT c.run_id, c.host, c.role, c.used_ifl, 'sar'
FROM phase_cpu c ANTI JOIN phase_guest g ON g.run_id = c.run_id AND g.role = c.role
WHERE c.used_ifl IS NOT NULL;

CREATE OR REPLACE VIEW phase_node_cpu AS
SELECT * EXCLUDE (role) FROM phase_host_cpu WHERE role = 'ecm-node';

-- Traffic of each network interface, without loopback and without interfaces that pass on what
-- another one carries (VLANs, aliases, bridges, bonds).
CREATE OR REPLACE MACRO carries_traffic_itself(interface) AS
    NOT regexp_matches(interface, '^(lo$|bond|br|virbr)|[.:]');

CREATE OR REPLACE VIEW phase_interface AS
SELECT
    n.run_id, n.host, n.interface,
    mean_over_time(n.received_packets_per_s, n.interval_s) AS received_packets_per_s,
    mean_over_time(n.sent_packets_per_s, n.interval_s) AS sent_packets_per_s,
    mean_over_time(n.received_kib_s, n.interval_s) / 1024 AS received_mib_s,
    mean_over_time(n.sent_kib_s, n.interval_s) / 1024 AS sent_mib_s
FROM network_rate n
JOIN stable_phase p USING (run_id)
WHERE n.interval_s > 0 AND within_phase(n.time_utc, n.interval_s, p.from_utc, p.to_utc)
    AND carries_traffic_itself(n.interface)
GROUP BY n.run_id, n.host, n.interface;

-- The same of each host, all its interfaces together.
CREATE OR REPLACE VIEW phase_network AS
SELECT
    i.run_id, i.host, any_value(h.role) AS role,
    sum(received_packets_per_s) AS received_packets_per_s,
    sum(sent_packets_per_s) AS sent_packets_per_s,
    sum(received_mib_s) AS received_mib_s, sum(sent_mib_s) AS sent_mib_s,
    sum(received_mib_s) * 1048576 / nullif(sum(received_packets_per_s), 0) AS received_packet_bytes,
    sum(sent_mib_s) * 1048576 / nullif(sum(sent_packets_per_s), 0) AS sent_packet_bytes
FROM phase_interface i
LEFT JOIN host h USING (run_id, host)
GROUP BY i.run_id, i.host;

-- Disk traffic of each host, without devices that are made of other disks.
CREATE OR REPLACE VIEW phase_disk AS
WITH disk AS (
    SELECT
        d.run_id, d.host, d.device, mean_over_time(d.read_kib_s, d.interval_s) / 1024 AS read_mib_s,
        mean_over_time(d.write_kib_s, d.interval_s) / 1024 AS write_mib_s
    FROM disk_rate d
    JOIN stable_phase p USING (run_id)
    WHERE d.interval_s > 0 AND within_phase(d.time_utc, d.interval_s, p.from_utc, p.to_utc)
        AND NOT regexp_matches(d.device, '^(dm-|md|loop)')
    GROUP BY d.run_id, d.host, d.device
)
SELECT
    d.run_id, d.host, any_value(h.role) AS role, sum(read_mib_s) AS read_mib_s,
    sum(write_mib_s) AS write_mib_s
FROM disk d
LEFT JOIN host h USING (run_id, host)
GROUP BY d.run_id, d.host;

-- What applications read and write in a file system on each host, as the file system counts it.
CREATE OR REPLACE VIEW phase_file_system AS
SELECT
    f.run_id, f.host, any_value(h.role) AS role,
    mean_over_time(f.read_mib_s, f.interval_s) AS read_mib_s,
    mean_over_time(f.write_mib_s, f.interval_s) AS write_mib_s
FROM file_system_rate f
JOIN stable_phase p USING (run_id)
LEFT JOIN host h USING (run_id, host)
WHERE f.interval_s > 0 AND within_phase(f.time_utc, f.interval_s, p.from_utc, p.to_utc)
GROUP BY f.run_id, f.host, f.file_system;
