"""Advice on the caches of Spectrum Scale: page pool, file cache, stat cache."""

from __future__ import annotations

from studybook.doctor.check import Check

_PAGE_POOLS = "“NSD configuration study of pagepools in an NSD cluster”, chapter 5"

CHECKS = (
    Check(
        id="pagepool-by-role",
        title="NSD clients have larger page pools than NSD servers",
        advice=(
            "Data are cached where they are worked with: in the page pools of the clients. A server"
            " only buffers what passes through, so the size of its pool hardly matters: give the"
            " memory to the clients."
        ),
        place=f"{_PAGE_POOLS}; Figures 10 and 11, Table 17",
        source="scale",
        table="scale_config",
        capture="mmlsconfig",
        sql="""
            WITH pool AS (
                SELECT
                    run_id, role, min(number) AS least, max(number) AS most,
                    count(number) = count(*) AS known,
                    string_agg(DISTINCT shown, ', ' ORDER BY shown) AS shown
                FROM cache_setting
                WHERE name = 'pagepool'
                GROUP BY run_id, role
            )
            SELECT
                run_id, 'page pools by role' AS subject,
                'clients ' || c.shown || ', servers ' || s.shown AS found,
                'more for a client than for a server' AS wanted,
                if(c.known AND s.known, c.least > s.most, NULL) AS ok
            FROM (FROM pool WHERE role = 'client') c
            JOIN (FROM pool WHERE role = 'server') s USING (run_id)
        """,
    ),
    Check(
        id="pagepool-size",
        title="Nodes that work with the file system have page pools of 2 GiB or more",
        advice=(
            "The larger the page pool of the nodes that run the application, the less was read from"
            " disk, up to the 2 GiB that were tried. The default is 1 GiB."
        ),
        place=f"{_PAGE_POOLS}; Figure 11, Table 17",
        source="scale",
        table="scale_config",
        capture="mmlsconfig",
        sql="""
            SELECT
                run_id, 'page pool of a node' AS subject,
                string_agg(DISTINCT shown, ', ' ORDER BY shown) AS found,
                'at least 2 GiB' AS wanted,
                CASE
                    WHEN bool_or(number < 2147483648) THEN false
                    WHEN count(number) = count(*) THEN true
                END AS ok
            FROM cache_setting
            WHERE name = 'pagepool' AND role = 'client'
            GROUP BY run_id
        """,
    ),
    Check(
        id="files-to-cache",
        title="The cache holds 20,000 files or more (maxFilesToCache)",
        advice=(
            "An application with many documents opens many files. The default of 4,000 that can be"
            " cached at a time is too few for it; 20,000 did well under this workload."
        ),
        place="Table 17, chapter 5",
        source="scale",
        table="scale_config",
        capture="mmlsconfig",
        sql="""
            SELECT
                run_id, 'maxFilesToCache' AS subject,
                string_agg(DISTINCT shown, ', ' ORDER BY shown) AS found,
                'at least 20000' AS wanted,
                CASE
                    WHEN bool_or(number < 20000) THEN false
                    WHEN count(number) = count(*) THEN true
                END AS ok
            FROM cache_setting
            WHERE name = 'maxFilesToCache' AND role = 'client'
            GROUP BY run_id
        """,
    ),
    Check(
        id="stat-cache",
        title="No memory is spent on a stat cache that has no effect (maxStatCache)",
        advice=(
            "In release 4.2, Linux makes no use of the stat cache: set it below its default of"
            " 1,000 entries; the study took 512. Releases from 5.0.2 on do use it, so there the"
            " advice says nothing."
        ),
        place="Table 17, chapter 5",
        source="scale",
        table="scale_config",
        capture="mmlsconfig",
        sql="""
            WITH release AS (
                SELECT
                    run_id, any_value(value) AS value,
                    list_transform(
                        string_split(any_value(value), '.'), lambda x: try_cast(x AS INTEGER)
                    ) >= [5, 0, 2] AS has_stat_cache
                FROM setting_scope
                WHERE name = 'minReleaseLevel'
                GROUP BY run_id
            )
            SELECT
                c.run_id, 'maxStatCache' AS subject,
                string_agg(DISTINCT c.shown, ', ' ORDER BY c.shown)
                    || coalesce(' in release ' || any_value(r.value), '') AS found,
                'at most 512 before release 5.0.2' AS wanted,
                CASE
                    WHEN any_value(r.has_stat_cache) THEN NULL
                    WHEN bool_or(c.number > 512) THEN false
                    WHEN count(c.number) = count(*) THEN true
                END AS ok
            FROM cache_setting c
            LEFT JOIN release r ON r.run_id = c.run_id
            WHERE c.name = 'maxStatCache'
            GROUP BY c.run_id
        """,
    ),
)
