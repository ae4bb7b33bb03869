-- One row per physical volume of a volume group, with the DASD that it is on, if it is on one.
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
    )
