"""Advice on where data lie: stripes of volumes, control units, HyperPAV aliases, paths."""

from __future__ import annotations

from pipelines.doctor.check import FILENET, LINUX_Z900, Check

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
        document=FILENET,
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
        title="The disks of a volume group are spread over logical control units",
        advice=(
            "Consecutive device numbers are one logical control unit, and as a rule disks of one"
            " rank: what is given out by default is close to the worst case. Take the disks of a"
            " volume group from several control units in turn."
        ),
        place="slides “Disk I/O”, “Locating disks” and “Sample Setup”",
        document=LINUX_Z900,
        source="linux",
        table="linux_dasd",
        capture="lsdasd",
        sql="""
            WITH volume_group AS (
                SELECT
                    run_id, machine, volume_group, count(*) AS disks,
                    count(DISTINCT control_unit) AS units,
                    string_agg(DISTINCT control_unit, ' and ' ORDER BY control_unit) AS names,
                    CASE
                        WHEN count(DISTINCT control_unit) > 1 THEN true
                        WHEN count(bus_id) = count(*) THEN false
                    END AS ok
                FROM volume_group_disk
                WHERE is_dasd AND run_id IN (SELECT run_id FROM dasd)
                GROUP BY ALL
                HAVING count(*) > 1
            )
            SELECT
                run_id, 'volume groups of ' || machine AS subject,
                string_agg(
                    volume_group || ' ' || disks || ' disks in '
                        || coalesce(names, 'control units not captured'), ', '
                    ORDER BY volume_group) AS found,
                'more than one control unit for each' AS wanted,
                CASE WHEN bool_or(NOT ok) THEN false WHEN count(ok) = count(*) THEN true END AS ok
            FROM volume_group
            GROUP BY run_id, machine
        """,
    ),
    Check(
        id="hyperpav",
        title="Guests with striped volumes on DASDs have HyperPAV aliases",
        advice=(
            "A DASD does one input or output at a time, and one more for each alias that is free in"
            " its logical control unit. Attach HyperPAV aliases to the guests that do much of it:"
            " the study gave 20 to the CE/PE guest, and 20 to that of the database."
        ),
        place="“Using HyperPAV” in “Linux setup”; Tables 11 and 12",
        document=FILENET,
        source="linux",
        table="linux_dasd",
        capture="lsdasd",
        sql="""
            WITH striped AS (
                SELECT run_id, machine, bus_id, control_unit
                FROM volume_group_disk
                QUALIFY count(*) OVER (PARTITION BY run_id, machine, volume_group) > 1
            ),
            guest AS (
                SELECT run_id, machine, count(*) AS disks, list(DISTINCT control_unit) AS units
                FROM striped
                WHERE bus_id IS NOT NULL
                GROUP BY ALL
            ),
            alias AS (
                SELECT
                    run_id, machine, count(*) FILTER (status = 'alias') AS aliases,
                    list(DISTINCT control_unit) FILTER (status = 'alias') AS units,
                    bool_or(aliases_asked) AS asked
                FROM dasd
                GROUP BY ALL
            )
            SELECT
                run_id, 'DASDs in volume groups of ' || machine AS subject,
                g.disks || ' in control units ' || array_to_string(list_sort(g.units), ', ')
                    || '; ' || CASE
                        WHEN a.aliases > 0 THEN a.aliases || ' aliases in '
                            || array_to_string(list_sort(a.units), ', ')
                        WHEN a.asked IS FALSE THEN 'aliases not captured (lsdasd -b)'
                        ELSE 'no alias'
                    END AS found,
                'aliases in their control units' AS wanted,
                CASE
                    WHEN a.aliases > 0 THEN list_has_any(a.units, g.units)
                    WHEN a.asked IS DISTINCT FROM false THEN false
                END AS ok
            FROM guest g
            JOIN alias a USING (run_id, machine)
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
        document=LINUX_Z900,
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
