"""Advice on the nodes of a Spectrum Scale cluster and their roles."""

from __future__ import annotations

from studybook.doctor.check import Check

CHECKS = (
    Check(
        id="quorum",
        title="The number of quorum nodes is odd",
        advice=(
            "The cluster works as long as more than half of its quorum nodes reach each other."
            " Designate an odd number of them, three for a handful of nodes: one more would not"
            " let one more fail. Two nodes can do with tiebreaker disks instead."
        ),
        place="“Spectrum Scale node quorum”, chapter 5",
        source="scale",
        table="scale_node",
        capture="mmlscluster",
        sql="""
            WITH tiebreaker AS (
                SELECT DISTINCT run_id
                FROM setting_scope
                WHERE name = 'tiebreakerDisks' AND lower(coalesce(value, 'no')) NOT IN ('no', '')
            )
            SELECT
                run_id, 'quorum nodes' AS subject,
                quorum_nodes || ' of ' || nodes || ' nodes'
                    || if(disks, ', and tiebreaker disks', '') AS found,
                'an odd number, or tiebreaker disks' AS wanted,
                if(quorum_nodes = 0, NULL, quorum_nodes % 2 = 1 OR disks) AS ok
            FROM (
                SELECT
                    run_id, count(*) AS nodes, count(*) FILTER (quorum) AS quorum_nodes,
                    run_id IN (SELECT run_id FROM tiebreaker) AS disks
                FROM cluster_node
                WHERE quorum IS NOT NULL
                GROUP BY run_id
            )
        """,
    ),
    Check(
        id="manager",
        title="At least one node is designated as manager",
        advice=(
            "File systems and tokens are managed by nodes of the manager pool: designate one at"
            " least, as a rule one that is a quorum node, too."
        ),
        place="“Spectrum Scale node designations”, chapter 5; Tables 18 and 19",
        source="scale",
        table="scale_node",
        capture="mmlscluster",
        sql="""
            SELECT
                run_id, 'manager nodes' AS subject,
                coalesce(string_agg(node, ', ' ORDER BY node) FILTER (manager), 'none') AS found,
                'one or more' AS wanted, bool_or(manager) AS ok
            FROM cluster_node
            WHERE manager IS NOT NULL
            GROUP BY run_id
        """,
    ),
)
