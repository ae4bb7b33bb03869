-- One row per DASD of a host, aliases too; of several outputs the last counts. machine: the host, or
-- the file where no host is known. control_unit: the logical control unit (subsystem), from
-- the UID if lsdasd -u was captured; else the first two digits of the device number, which is how
-- control units of up to 256 devices are numbered as a rule. aliases_asked: whether lsdasd would
-- have shown aliases; NULL if its command line was not captured.
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
FROM last_seen
