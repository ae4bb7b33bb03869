"""Advice on where data lie: stripes of volumes, control units, HyperPAV aliases, paths."""

from __future__ import annotations

from studybook.doctor.check import SETUP_GUIDE, SLIDES, Check

CHECKS = (
    Check(
        id="stripes",
        title="Logical volumes have as many stripes as their volume group has disks",
        advice=(
            "Stripe a logical volume over all disks of its volume group, so that they work at the"
            " same time; the study took stripes of 64 KiB. Data and log files of a database belong"
            " on volumes with disks of their own."
        ),
        place="“Using the Logical Volume Manager” in “Linux setup”",
        document=SETUP_GUIDE,
        source="linux",
        table="linux_logical_volume_segment",
        capture="lvdisplay -m or lvs -o +stripes,devices",
        sql="""
            WITH disk AS (
                SELECT run_id, machine, volume_group, count(*) AS disks
                FROM volume_group_disk
                GROUP BY ALL
                HAVING count(*) > 1
            )
            SELECT
                run_id, 'volumes of ' || machine AS subject,
                string_agg(
                    v.volume || ' ' || coalesce(v.stripes::VARCHAR, 'without') || ' on ' || d.disks
                        || ' disks', ', ' ORDER BY v.volume) AS found,
                'as many stripes as disks' AS wanted,
                CASE
                    WHEN bool_or(v.stripes <> d.disks) THEN false
                    WHEN count(v.stripes) = count(*) THEN true
                END AS ok
            FROM logical_volume_stripes v
            JOIN disk d USING (run_id, machine, volume_group)
            GROUP BY run_id, machine
        """,
    ),
    Check(
        id="control-units",
        title="The disks of a volume group are of several logical control units, in turn",
        advice=(
            "Consecutive device numbers are one logical control unit, and as a rule disks of one"
            " rank: what is given out by default is close to the worst case. Take the disks of a"
            " volume group from several control units in turn, so that neighbouring stripes are"
            " on different ones."
        ),
        place="slides “Disk I/O”, “Locating disks” and “Sample Setup”",
        document=SLIDES,
        source="linux",
        table="linux_dasd",
        capture="lsdasd",
        sql="""
            WITH disk AS (
                SELECT
                    run_id, machine, volume_group, count(*) AS disks, count(bus_id) AS known,
                    count(DISTINCT control_unit) AS units,
                    string_agg(DISTINCT control_unit, ' and ' ORDER BY control_unit) AS names
                FROM volume_group_disk
                WHERE is_dasd AND run_id IN (SELECT run_id FROM dasd)
                GROUP BY ALL
                HAVING count(*) > 1
            ),
            stripe AS (
                SELECT
                    run_id, machine, volume_group,
                    string_agg(volume || ' ' || control_units, ', ' ORDER BY volume, segment_no)
                        FILTER (NOT in_turn) AS not_in_turn,
                    count(in_turn) = count(*) AS captured
                FROM stripe_order
                GROUP BY ALL
            ),
            volume_group AS (
                SELECT
                    d.*, s.not_in_turn,
                    CASE
                        WHEN units <= 1 THEN if(known = disks, false, NULL)
                        WHEN s.not_in_turn IS NOT NULL THEN false
                        -- With as many control units as disks, any order is in turn.
                        WHEN s.captured OR units = disks THEN true
                    END AS ok
                FROM disk d
                LEFT JOIN stripe s
                    ON s.run_id = d.run_id AND s.machine = d.machine
                    AND s.volume_group = d.volume_group
            )
            SELECT
                run_id, 'volume groups of ' || machine AS subject,
                string_agg(
                    volume_group || ' ' || disks || ' disks in '
                        || coalesce(names, 'control units not captured')
                        || CASE
                            WHEN units > 1 AND not_in_turn IS NOT NULL
                                THEN ' (stripes of ' || not_in_turn || ')'
                            WHEN ok IS NULL AND units > 1 THEN ' (order of stripes not known)'
                            ELSE ''
                        END, ', '
                    ORDER BY volume_group) AS found,
                'several control units for each, in turn' AS wanted,
                CASE WHEN bool_or(NOT ok) THEN false WHEN count(ok) = count(*) THEN true END AS ok
            FROM volume_group
            GROUP BY run_id, machine
        """,
    ),
    Check(
        id="hyperpav",
        title="Volume groups on DASDs have HyperPAV aliases in all their control units",
        advice=(
            "A DASD does one input or output at a time, and one more for each alias that is free in"
            " its logical control unit. Attach HyperPAV aliases to the guests that do much of it:"
            " the study gave 20 each to that of the application and that of the database."
        ),
        place="“Using HyperPAV” in “Linux setup”; Tables 11 and 12",
        document=SETUP_GUIDE,
        source="linux",
        table="linux_dasd",
        capture="lsdasd",
        sql="""
            WITH guest AS (
                SELECT run_id, machine, bool_or(aliases_asked) AS asked
                FROM dasd
                GROUP BY ALL
            ),
            alias AS (
                SELECT run_id, machine, control_unit, count(*) AS aliases
                FROM dasd
                WHERE status = 'alias'
                GROUP BY ALL
            ),
            unit AS (
                SELECT
                    d.run_id, d.machine, d.volume_group, d.control_unit, count(*) AS disks,
                    any_value(a.aliases) AS aliases,
                    -- Without an alias: known only where lsdasd would have shown one.
                    d.control_unit IS NOT NULL AND any_value(a.aliases) IS NULL
                        AND any_value(g.asked) IS DISTINCT FROM false AS without,
                    CASE
                        WHEN d.control_unit IS NULL THEN count(*) || ' of the disks not captured'
                        WHEN without THEN 'none in ' || d.control_unit
                        ELSE coalesce(any_value(a.aliases)::VARCHAR, 'not captured (lsdasd -b)')
                            || ' in ' || d.control_unit
                    END AS said
                FROM volume_group_disk d
                JOIN guest g ON g.run_id = d.run_id AND g.machine = d.machine
                LEFT JOIN alias a
                    ON a.run_id = d.run_id AND a.machine = d.machine
                    AND a.control_unit = d.control_unit
                WHERE d.is_dasd
                GROUP BY d.run_id, d.machine, d.volume_group, d.control_unit
            )
            SELECT
                run_id, 'volume group ' || volume_group || ' of ' || machine AS subject,
                sum(disks)::BIGINT || ' disks; aliases: '
                    || string_agg(said, ', ' ORDER BY control_unit NULLS LAST) AS found,
                'aliases in each control unit of its disks' AS wanted,
                CASE
                    WHEN bool_or(without) THEN false
                    WHEN bool_and(aliases IS NOT NULL) THEN true
                END AS ok
            FROM unit
            GROUP BY run_id, machine, volume_group
            HAVING sum(disks) > 1
        """,
    ),
    Check(
        id="paths",
        title="Each SCSI disk is reached over several adapters and ports of the storage",
        advice=(
            "One host adapter of the storage is what limits first, whatever lies behind it: spread"
            " the paths to the disks over several channels (FCP adapters of the host) and several"
            " ports of the storage."
        ),
        place="slides “Results for sequential file system I/O” and “Sample Setup”",
        document=SLIDES,
        source="linux",
        table="linux_multipath_map",
        capture="multipath -ll",
        sql="""
            WITH alike AS (
                SELECT
                    run_id, machine, adapters, ports,
                    if(count(*) > 3, count(*) || ' disks', string_agg(map, ', ' ORDER BY map))
                        || ' over ' || adapters || if(adapters = 1, ' adapter', ' adapters')
                        || ' and ' || ports || if(ports = 1, ' port', ' ports') AS said
                FROM multipath_disk
                GROUP BY run_id, machine, adapters, ports
            )
            SELECT
                run_id, 'paths of ' || machine AS subject,
                string_agg(said, '; ' ORDER BY adapters, ports, said) AS found,
                'more than one adapter and port for each disk' AS wanted,
                bool_and(adapters > 1 AND ports > 1) AS ok
            FROM alike
            GROUP BY run_id, machine
        """,
    ),
)
