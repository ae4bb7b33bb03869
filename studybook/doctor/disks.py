"""Advice on network shared disks and who serves them."""

from __future__ import annotations

from studybook.doctor.check import Check

CHECKS = (
    Check(
        id="server-list",
        title="Each NSD server comes first for as many disks as the others",
        advice=(
            "The first server in the list of a disk does all its input and output while it is up."
            " Begin the lists with different servers, so that all of them work; with one order for"
            " all disks, one server carries everything and the others wait for it to fail."
        ),
        place="“Exploring some tuning options”, chapter 5; Figure 9",
        source="scale",
        table="scale_nsd",
        capture="mmlsnsd",
        sql="""
            SELECT
                run_id, coalesce(file_system, 'disks without a file system') AS subject,
                'first for ' || if(
                    count(*) > 8, min(first_disks) || ' to ' || max(first_disks) || ' disks each',
                    string_agg(first_disks || ' (' || server || ')', ', ' ORDER BY server)
                ) AS found,
                'numbers of disks that differ by one at most' AS wanted,
                max(first_disks) - min(first_disks) <= 1 AS ok
            FROM nsd_server
            GROUP BY run_id, file_system
            HAVING count(*) > 1
        """,
    ),
    Check(
        id="mounted",
        title="The file system is mounted on all nodes that work with it",
        advice=(
            "Every node that runs the application needs the file system mounted. NSD servers serve"
            " the disks without mounting what is on them."
        ),
        place="“Shared Disk (SD)” and “Exploring some tuning options”, chapter 5 (mmlsmount)",
        source="scale",
        table="scale_mount",
        capture="mmlsmount",
        sql="""
            WITH mounted AS (
                SELECT
                    f.run_id, m.file_system, max(m.node_count) AS node_count,
                    list(DISTINCT short_name(m.node)) FILTER (m.node IS NOT NULL) AS nodes
                FROM scale_mount m
                JOIN raw_file f USING (file_id)
                GROUP BY f.run_id, m.file_system
            ),
            counted AS (
                SELECT
                    m.run_id, m.file_system, m.nodes IS NOT NULL AS listed,
                    coalesce(len(m.nodes), m.node_count, 0) AS mounts, count(n.node) AS nodes,
                    count(n.node) FILTER (n.role = 'client') AS clients,
                    string_agg(n.node, ', ' ORDER BY n.node) FILTER (
                        n.role = 'client' AND NOT list_contains(m.nodes, short_name(n.node))
                    ) AS without
                FROM mounted m
                LEFT JOIN cluster_node n USING (run_id)
                GROUP BY ALL
            )
            SELECT
                run_id, file_system AS subject,
                'mounted on ' || mounts || if(nodes > 0, ' of ' || nodes, '') || ' nodes'
                    || coalesce('; not on ' || without, '') AS found,
                'on every node that is no NSD server' AS wanted,
                CASE
                    WHEN nodes = 0 THEN NULL
                    WHEN listed THEN without IS NULL
                    -- Without -L there is a number only: it may be that of the servers.
                    WHEN mounts < clients THEN false
                    WHEN mounts >= nodes THEN true
                END AS ok
            FROM counted
        """,
    ),
)
