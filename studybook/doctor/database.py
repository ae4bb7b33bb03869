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
)
