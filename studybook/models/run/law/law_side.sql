-- The two numbers of each law in each run. Bounds in a row take the place of those of the law.
WITH system AS (
    SELECT
        run_id, host,
        arg_min(reference_value, side) FILTER (of_guests AND side <> reference) AS of_guests_ifl,
        arg_min(value, side) FILTER (of_guests) AS guests_ifl,
        any_value(value) FILTER (side = 'CP itself') AS cp_ifl,
        any_value(value) FILTER (side = reference AND NOT of_guests) AS system_ifl
    FROM (SELECT *, side LIKE '%sum of guests' AS of_guests FROM common_time)
    WHERE quantity = 'system_ifl'
    GROUP BY run_id, host
),
-- Time of guests without sar, where the hypervisor counts it.
unseen AS (
    SELECT run_id, sum(g.used_ifl) AS guests_ifl, bool_and(g.used_ifl IS NOT NULL) AS known
    FROM (
        SELECT run_id, host FROM host WHERE kind NOT IN ('hypervisor', 'load-driver', 'storage')
        UNION
        SELECT run_id, host FROM phase_guest
    )
    ANTI JOIN (FROM phase_cpu WHERE used_ifl IS NOT NULL) c USING (run_id, host)
    LEFT JOIN phase_guest g USING (run_id, host)
    GROUP BY run_id
),
-- Time of guests by their own sar; a load driver may have sar, too, and is no guest.
linux AS (
    SELECT run_id, sum(used_ifl) AS used_ifl
    FROM phase_cpu
    ANTI JOIN (FROM host WHERE kind IN ('load-driver', 'storage')) h USING (run_id, host)
    GROUP BY run_id
),
machine AS (
    SELECT run_id, sum(system_ifl) AS system_ifl, sum(cp_ifl) AS cp_ifl FROM system GROUP BY run_id
),
-- Traffic of all hosts; silent names those that have not told of theirs.
traffic AS (
    SELECT
        h.run_id, sum(n.sent_mib_s) AS sent_mib_s, sum(n.received_mib_s) AS received_mib_s,
        string_agg(h.host, ', ' ORDER BY h.host) FILTER (n.host IS NULL) AS silent
    FROM host h
    LEFT JOIN phase_network n USING (run_id, host)
    WHERE h.kind NOT IN ('hypervisor', 'load-driver', 'storage')
    GROUP BY h.run_id
    HAVING count(n.host) > 0
),
-- Bytes of the nodes of a cluster and of its NSD servers, where the exports of all are there.
cluster_side AS (
    SELECT
        h.run_id, h.kind = 'file-server' AS server,
        if(count(*) = count(n.host), sum(n.sent_mib_s), NULL) AS sent_mib_s,
        if(count(*) = count(n.host), sum(n.received_mib_s), NULL) AS received_mib_s,
        if(count(*) = count(d.host), sum(d.read_mib_s), NULL) AS read_mib_s,
        if(count(*) = count(d.host), sum(d.write_mib_s), NULL) AS write_mib_s
    FROM host h
    LEFT JOIN phase_network n ON n.run_id = h.run_id AND n.host = h.host
    LEFT JOIN phase_disk d ON d.run_id = h.run_id AND d.host = h.host
    WHERE h.kind IN ('file-server', 'file-client')
        AND h.run_id IN (SELECT run_id FROM stable_phase)
    GROUP BY h.run_id, h.kind = 'file-server'
),
nsd AS (
    SELECT s.*, c.sent_mib_s AS client_sent_mib_s, c.received_mib_s AS client_received_mib_s
    FROM cluster_side s
    JOIN cluster_side c USING (run_id)
    WHERE s.server AND NOT c.server
),
packet AS (
    SELECT
        i.run_id, i.host, i.interface, unnest(['received', 'sent']) AS direction,
        unnest([
            received_mib_s * 1048576 / nullif(received_packets_per_s, 0),
            sent_mib_s * 1048576 / nullif(sent_packets_per_s, 0)
        ]) AS bytes,
        unnest([received_packets_per_s, sent_packets_per_s]) AS packets_per_s,
        -- Of the interface, where it was captured; else that of the whole run, if it is a factor.
        coalesce(c.mtu_bytes, try_cast(s.factors['mtu_bytes'] AS INTEGER)) AS mtu_bytes
    FROM phase_interface i
    LEFT JOIN (
        SELECT run_id, host, interface, max(mtu_bytes) AS mtu_bytes
        FROM network_interface GROUP BY ALL
    ) c USING (run_id, host, interface)
    LEFT JOIN run_factors s USING (run_id)
),
-- Where the blocks of the file system go to disk: at the servers, where there are some.
file_system AS (
    SELECT
        f.run_id, f.write_mib_s, arg_max(d.write_mib_s, d.server) AS disk_write_mib_s,
        arg_max(d.write_mib_s IS NOT NULL, d.server) AS known
    FROM (SELECT run_id, sum(write_mib_s) AS write_mib_s FROM phase_file_system GROUP BY run_id) f
    LEFT JOIN cluster_side d USING (run_id)
    GROUP BY f.run_id, f.write_mib_s
)
SELECT
    run_id, host, 'Guests and CP make up the system' AS law, NULL AS what,
    guests_ifl + cp_ifl AS left_value, of_guests_ifl AS right_value, NULL::DOUBLE AS lowest,
    NULL::DOUBLE AS highest, NULL AS missing
FROM system
UNION ALL BY NAME
SELECT run_id, host, 'Guests fit into the system' AS law, guests_ifl AS left_value,
    of_guests_ifl AS right_value
FROM system WHERE cp_ifl IS NULL
UNION ALL BY NAME
SELECT
    run_id, host,
    if(ifl_route_place(side) <= 3, 'Totals of z/VM agree', 'PR/SM counts what z/VM counts') AS law,
    side AS what, value AS left_value, reference_value AS right_value
FROM common_time
WHERE quantity = 'system_ifl' AND side <> reference AND ifl_route_place(side) <= 5
UNION ALL BY NAME
SELECT run_id, 'All of Linux fits into the system' AS law, l.used_ifl AS left_value,
    if(l.used_ifl IS NULL, m.system_ifl,
        m.system_ifl - coalesce(m.cp_ifl, 0) - coalesce(u.guests_ifl, 0)) AS right_value,
    -- Of a guest that nobody tells of, the sum may be any part short; of CP itself, a large part.
    CASE WHEN NOT u.known THEN 0 WHEN m.cp_ifl IS NULL THEN 0.5 END AS lowest
FROM linux l
FULL JOIN machine m USING (run_id)
LEFT JOIN unseen u USING (run_id)
UNION ALL BY NAME
SELECT
    run_id, host,
    CASE
        WHEN quantity = 'guest_ifl' THEN 'Linux fits into its guest'
        WHEN quantity LIKE '%packets_per_s' THEN 'sar and z/VM count the same packets'
        ELSE 'sar and z/VM count the same bytes'
    END AS law,
    CASE WHEN quantity LIKE 'sent%' THEN 'sent' WHEN quantity LIKE 'received%' THEN 'received' END
        AS what,
    max(value) FILTER (side = 'sar') AS left_value,
    coalesce(
        max(reference_value) FILTER (side = 'sar' AND reference <> side),
        max(value) FILTER (side <> 'sar')) AS right_value
FROM common_time
WHERE quantity <> 'system_ifl'
GROUP BY run_id, host, quantity
-- A hypervisor has guests that are no part of the run.
HAVING bool_or(side = 'sar') OR (run_id, host) IN (SELECT (run_id, host) FROM host)
UNION ALL BY NAME
SELECT run_id, host, 'No packet is larger than the MTU' AS law,
    direction || ' on ' || interface AS what, bytes AS left_value,
    mtu_bytes + 18 AS right_value
FROM packet WHERE bytes IS NOT NULL
UNION ALL BY NAME
SELECT run_id, host, 'No packet is smaller than its headers' AS law,
    direction || ' on ' || interface AS what, bytes AS left_value, 28 AS right_value,
    -- sar prints hundredths of a KiB/s: of few packets, that may be most of their bytes.
    if(packets_per_s < 1, greatest(0, 1 - 5.12 / (28 * packets_per_s)), NULL) AS lowest
FROM packet WHERE bytes IS NOT NULL
UNION ALL BY NAME
SELECT
    run_id, 'What is sent is received' AS law,
    if(t.silent IS NULL, t.sent_mib_s + d.sent_mib_s, NULL) AS left_value,
    if(t.silent IS NULL, t.received_mib_s + d.received_mib_s, NULL) AS right_value,
    coalesce(
        'sar of the network of ' || t.silent,
        if(left_value + right_value IS NULL, 'bytes of the load driver', NULL)) AS missing
FROM traffic t
LEFT JOIN phase_driver_bytes d USING (run_id)
UNION ALL BY NAME
SELECT run_id, 'NSD servers send what they read' AS law, sent_mib_s AS left_value,
    read_mib_s AS right_value FROM nsd
UNION ALL BY NAME
SELECT run_id, 'NSD servers receive what they write' AS law, received_mib_s AS left_value,
    write_mib_s AS right_value FROM nsd
UNION ALL BY NAME
SELECT run_id, 'NSD clients receive what servers send' AS law, client_received_mib_s AS left_value,
    sent_mib_s AS right_value FROM nsd
UNION ALL BY NAME
SELECT run_id, 'NSD clients send what servers receive' AS law, client_sent_mib_s AS left_value,
    received_mib_s AS right_value FROM nsd
UNION ALL BY NAME
SELECT run_id, 'What is written reaches the disks' AS law,
    if(known, disk_write_mib_s, NULL) AS left_value, write_mib_s AS right_value FROM file_system
UNION ALL BY NAME
SELECT run_id, 'Users outnumber the requests in work' AS law, users AS left_value,
    completed_per_s * response_s AS right_value FROM think_time
UNION ALL BY NAME
SELECT
    run_id, 'Users think as in the other runs' AS law,
    if(other_runs >= 2, completed_per_s * (response_s + others_think_s), NULL) AS left_value,
    users AS right_value,
    -- Few requests say little of a mean: four standard errors of their number are added.
    0.98 - 4 / sqrt(requests) AS lowest, 1.02 + 4 / sqrt(requests) AS highest,
    if(other_runs >= 2, NULL, 'two other runs with as many users') AS missing
FROM think_time
