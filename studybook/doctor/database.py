"""Advice on the settings of DB2."""

from __future__ import annotations

from studybook.doctor.check import SETUP_GUIDE, Check

CHECKS = (
    Check(
        id="db2-parallel-io",
        title="DB2 reads in parallel from all disks of a volume (DB2_PARALLEL_IO)",
        advice=(
            "DB2 takes the container of a table space for one disk. Where it lies on a striped"
            " volume, say how many disks that has: DB2_PARALLEL_IO=*:4 for four."
        ),
        place="“Enable DB2 parallel I/O”; Table 13",
        document=SETUP_GUIDE,
        source="linux",
        table="linux_db2_setting",
        capture="db2set",
        sql="""
            WITH setting AS (
                SELECT
                    run_id, machine,
                    any_value(value) FILTER (variable = 'DB2_PARALLEL_IO') AS shown
                FROM db2_setting
                GROUP BY run_id, machine
            ),
            server AS (
                SELECT
                    *,
                    -- The entry for all table spaces: '*:4', or '*', by which DB2 assumes six data
                    -- disks (IBM, Sterling B2B Integrator 5.2, "Recommended settings for IBM DB2
                    -- registry variables").
                    regexp_extract(shown, '(?:^|,)(\\*(?::[0-9]{1,6})?)(?:,|$)', 1) AS entry,
                    if(entry = '*', 6, try_cast(nullif(entry[3:], '') AS INTEGER)) AS number
                FROM setting
            ),
            disk AS (
                SELECT run_id, machine, volume_group, count(*) AS disks
                FROM volume_group_disk
                GROUP BY ALL
                HAVING count(*) > 1
            ),
            volume AS (
                SELECT
                    run_id, machine, list(disks) AS disks,
                    string_agg(volume_group || ' ' || disks, ', ' ORDER BY volume_group) AS said
                FROM disk
                GROUP BY ALL
            )
            SELECT
                s.run_id, 'DB2_PARALLEL_IO of ' || s.machine AS subject,
                -- Which of the volumes has the table spaces is not captured: only what holds for
                -- each of them can be said.
                CASE
                    WHEN v.disks IS NULL THEN NULL
                    WHEN s.number IS NULL OR NOT list_contains(v.disks, s.number) THEN false
                    WHEN len(list_distinct(v.disks)) = 1 THEN true
                END AS ok,
                coalesce(s.shown, 'not set')
                    || if(s.entry = '*', ' (which is 6 disks)', '')
                    || coalesce('; disks of ' || v.said, '; striped volumes not captured')
                    || if(ok IS NULL AND v.disks IS NOT NULL,
                          ': which of them has the table spaces is not captured', '') AS found,
                '*: and the disks of the volume with the table spaces' AS wanted
            FROM server s
            LEFT JOIN volume v ON v.run_id = s.run_id AND v.machine = s.machine
        """,
    ),
    Check(
        id="log-apart",
        title="Log and data of a database lie on different disks",
        advice=(
            "Put the log of a database on volumes with disks of their own: what is written there in"
            " one go is then not held up by what is read and written elsewhere. A volume group for"
            " each does it. Which volume has the log, its name says or that of its group."
        ),
        place="“Using the Logical Volume Manager” in “Linux setup”; Table 3.1",
        document=SETUP_GUIDE,
        source="linux",
        table="linux_logical_volume_segment",
        capture="lvdisplay -m or lvs -o +stripes,devices",
        sql="""
            WITH volume AS (
                SELECT
                    run_id, machine, volume_group, volume,
                    lower(volume_group || '/' || volume) AS name,
                    -- Not the catalogue of a database, nor what all machines have in /var/log.
                    contains(name, 'log') AND NOT regexp_matches(name, 'catalog|var') AS is_log
                FROM logical_volume_stripes
                SEMI JOIN db2_setting USING (run_id, machine)
            ),
            disk AS (
                SELECT DISTINCT
                    c.run_id, coalesce(c.host, s.host, 'file ' || c.file) AS machine,
                    s.volume_group, s.volume,
                    -- Partitions of a DASD are on one disk.
                    regexp_replace(s.device, '(dasd[a-z]+)[0-9]+$', '\\1') AS disk
                FROM linux_logical_volume_stripe s
                JOIN file_clock c USING (file_id)
            ),
            placed AS (
                SELECT
                    v.run_id, v.machine, v.volume_group, v.volume, v.is_log,
                    coalesce(list(d.disk) FILTER (d.disk IS NOT NULL), []) AS disks
                FROM volume v
                LEFT JOIN disk d USING (run_id, machine, volume_group, volume)
                GROUP BY ALL
            ),
            pair AS (
                SELECT
                    l.run_id, l.machine, l.volume AS log, o.volume AS other,
                    CASE
                        WHEN list_has_any(l.disks, o.disks) THEN true
                        WHEN (len(l.disks) > 0 AND len(o.disks) > 0)
                            OR l.volume_group <> o.volume_group THEN false
                    END AS shared
                FROM placed l
                JOIN placed o USING (run_id, machine)
                WHERE l.is_log AND NOT o.is_log
            )
            SELECT
                d.run_id, 'log of ' || d.machine AS subject,
                CASE
                    WHEN bool_or(p.shared) THEN false
                    WHEN count(p.log) > 0 AND bool_and(p.shared IS NOT NULL) THEN true
                END AS ok,
                coalesce(
                    string_agg(DISTINCT p.log || ' shares disks with ' || p.other, ', ')
                        FILTER (p.shared),
                    string_agg(DISTINCT 'disks of ' || p.log || ' not captured', ', ')
                        FILTER (p.shared IS NULL),
                    string_agg(DISTINCT p.log, ', ') || ' on disks of its own',
                    'no volume with a log by its name, and others beside it'
                ) AS found,
                'disks that nothing else is on' AS wanted
            FROM (SELECT DISTINCT run_id, machine FROM db2_setting) d
            LEFT JOIN pair p ON p.run_id = d.run_id AND p.machine = d.machine
            GROUP BY d.run_id, d.machine
        """,
    ),
)
