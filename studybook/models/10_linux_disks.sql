-- Disks and volumes of the hosts, by what lsdasd, multipath and the commands of LVM printed. Of
-- several outputs the last counts. machine: the host, or the file where no host is known.

-- One row per DASD of a host, aliases too. control_unit: the logical control unit (subsystem), from
-- the UID if lsdasd -u was captured; else the first two digits of the device number, which is how
-- control units of up to 256 devices are numbered as a rule. aliases_asked: whether lsdasd would
-- have shown aliases; NULL if its command line was not captured.
CREATE OR REPLACE VIEW dasd AS
WITH last_seen AS (
    SELECT
        c.run_id, coalesce(c.host, d.host, 'file ' || c.file) AS machine, d.bus_id,
        last(d.status ORDER BY d.file_id, d.line) FILTER (d.status IS NOT NULL) AS status,
        last(d.device ORDER BY d.file_id, d.line) FILTER (d.device IS NOT NULL) AS device,
        last(d.size_mib ORDER BY d.file_id, d.line) FILTER (d.size_mib IS NOT NULL) AS size_mib,
        last(d.uid ORDER BY d.file_id, d.line) FILTER (d.uid IS NOT NULL) AS uid,
        bool_or(NOT d.base_only) AS aliases_asked
    FROM linux_dasd d
    JOIN file_clock c USING (file_id)
    GROUP BY ALL
)
SELECT
    run_id, machine, bus_id, status, device, size_mib,
    nullif(regexp_extract(uid, '^[^.]+\.[^.]+\.([^.]+)\.', 1), '') AS subsystem,
    -- A device without UID is in the control unit of its neighbours by number.
    coalesce(
        subsystem, any_value(subsystem) OVER (PARTITION BY run_id, machine, bus_id[5:6]),
        bus_id[5:6]
    ) AS control_unit,
    aliases_asked
FROM last_seen;

-- One row per physical volume of a volume group, with the DASD that it is on, if it is on one.
CREATE OR REPLACE VIEW volume_group_disk AS
WITH volume AS (
    SELECT
        c.run_id, coalesce(c.host, v.host, 'file ' || c.file) AS machine, v.volume_group, v.device
    FROM linux_physical_volume v
    JOIN file_clock c USING (file_id)
    QUALIFY row_number() OVER (
        PARTITION BY c.run_id, machine, v.device ORDER BY v.file_id DESC, v.line DESC
    ) = 1
),
stripe AS (
    SELECT DISTINCT
        c.run_id, coalesce(c.host, s.host, 'file ' || c.file) AS machine, s.volume_group, s.device
    FROM linux_logical_volume_stripe s
    JOIN file_clock c USING (file_id)
),
known AS (
    FROM volume WHERE volume_group IS NOT NULL
    UNION ALL
    -- Where neither pvscan nor pvs was captured, the volumes say on which disks they are.
    SELECT s.*
    FROM stripe s
    ANTI JOIN volume v ON v.run_id = s.run_id AND v.machine = s.machine
    WHERE s.volume_group IS NOT NULL
)
SELECT
    k.run_id, k.machine, k.volume_group, k.device, d.bus_id, d.control_unit,
    k.device SIMILAR TO '.*(dasd[a-z]+[0-9]*|ccw-[0-9a-f.]+(-part[0-9]+)?)' AS is_dasd
FROM known k
LEFT JOIN dasd d
    ON d.run_id = k.run_id AND d.machine = k.machine
    AND (
        d.device = regexp_extract(k.device, '/(dasd[a-z]+)[0-9]*$', 1)
        OR d.bus_id = regexp_extract(k.device, 'ccw-([0-9a-f]+\.[0-9a-f]\.[0-9a-f]{4})', 1)
    );

-- One row per logical volume whose segments were captured: the smallest number of stripes of its
-- segments, NULL where they are of a kind that has none (mirrors, pools).
CREATE OR REPLACE VIEW logical_volume_stripes AS
SELECT
    c.run_id, coalesce(c.host, s.host, 'file ' || c.file) AS machine, s.volume_group, s.volume,
    if(bool_and(s.stripes IS NOT NULL OR s.kind = 'linear'), min(coalesce(s.stripes, 1)), NULL)
        AS stripes
FROM linux_logical_volume_segment s
JOIN file_clock c USING (file_id)
GROUP BY ALL;

-- One row per striped segment of a logical volume: the control units of its disks in the order of
-- the stripes, and whether they take turns. They go round, so the first follows the last. Where one
-- control unit has more than half of the disks, some of its disks must be neighbours. NULL where the
-- control unit of a disk is not known, or the disks were not captured.
CREATE OR REPLACE VIEW stripe_order AS
WITH segment AS (
    SELECT
        c.run_id, coalesce(c.host, s.host, 'file ' || c.file) AS machine, s.volume_group, s.volume,
        s.segment_no, s.file_id, s.stripes
    FROM linux_logical_volume_segment s
    JOIN file_clock c USING (file_id)
    WHERE s.stripes > 1 AND coalesce(s.kind, 'striped') = 'striped'
    QUALIFY row_number() OVER (
        PARTITION BY c.run_id, machine, s.volume_group, s.volume, s.segment_no
        ORDER BY s.file_id DESC, s.line DESC
    ) = 1
),
stripe AS (
    SELECT file_id, volume_group, volume, segment_no, stripe_no, last(device ORDER BY line) AS device
    FROM linux_logical_volume_stripe
    GROUP BY ALL
),
placed AS (
    SELECT
        g.run_id, g.machine, g.volume_group, g.volume, g.segment_no, g.stripes, s.stripe_no,
        d.control_unit
    FROM segment g
    LEFT JOIN stripe s USING (file_id, volume_group, volume, segment_no)
    LEFT JOIN volume_group_disk d
        ON d.run_id = g.run_id AND d.machine = g.machine AND d.volume_group = g.volume_group
        AND d.device = s.device
),
beside AS (
    SELECT
        *,
        coalesce(
            lead(control_unit) OVER (around ORDER BY stripe_no),
            first_value(control_unit) OVER (around ORDER BY stripe_no)
        ) AS next_unit,
        count(*) OVER (
            PARTITION BY run_id, machine, volume_group, volume, segment_no, control_unit
        ) AS alike
    FROM placed
    WINDOW around AS (PARTITION BY run_id, machine, volume_group, volume, segment_no)
)
SELECT
    run_id, machine, volume_group, volume, segment_no,
    string_agg(control_unit, ' ' ORDER BY stripe_no) AS control_units,
    if(
        count(control_unit) = count(*) AND count(*) >= any_value(stripes),
        max(alike) < count(*)
            AND count(*) FILTER (control_unit = next_unit) <= greatest(0, 2 * max(alike) - count(*)),
        NULL
    ) AS in_turn
FROM beside
GROUP BY ALL;

-- One row per disk that multipath knows: over how many host adapters, and ports of the storage
-- behind them, there is a path that has not failed.
CREATE OR REPLACE VIEW multipath_disk AS
WITH path AS (
    SELECT
        m.file_id, m.capture_no, m.map, p.adapter, p.channel, p.target,
        p.adapter IS NOT NULL AND coalesce(p.dm_state, '') <> 'failed' AS works
    FROM linux_multipath_map m
    LEFT JOIN linux_multipath_path p
        ON p.file_id = m.file_id AND p.capture_no = m.capture_no AND p.map = m.map
)
SELECT
    c.run_id, coalesce(c.host, m.host, 'file ' || c.file) AS machine, m.map,
    count(DISTINCT p.adapter) FILTER (p.works) AS adapters,
    count(DISTINCT (p.adapter, p.channel, p.target)) FILTER (p.works) AS ports
FROM linux_multipath_map m
JOIN path p ON p.file_id = m.file_id AND p.capture_no = m.capture_no AND p.map = m.map
JOIN file_clock c ON c.file_id = m.file_id
GROUP BY c.run_id, machine, m.map, m.file_id, m.capture_no
QUALIFY row_number() OVER (
    PARTITION BY c.run_id, machine, m.map ORDER BY m.file_id DESC, m.capture_no DESC
) = 1;

-- One row per variable of DB2 on a host: that of the instance before that of the whole host.
CREATE OR REPLACE VIEW db2_setting AS
SELECT
    c.run_id, coalesce(c.host, s.host, 'file ' || c.file) AS machine, s.variable, s.value, s.set_by
FROM linux_db2_setting s
JOIN file_clock c USING (file_id)
QUALIFY row_number() OVER (
    PARTITION BY c.run_id, machine, s.variable
    ORDER BY coalesce(s.level, 'i') = 'g', s.file_id DESC, s.line DESC
) = 1;
