"""Advice on the processors of the hypervisor and its guests."""

from __future__ import annotations

from studybook.doctor.check import Check

CHECKS = (
    Check(
        id="overcommitment",
        title="Processors are overcommitted no more than in the study",
        advice=(
            "The study ran well with 1.6 virtual processors per IFL with shared disks, and with 1.8"
            " with three NSD servers more. It says nothing of more than that; look at the steal"
            " time of the guests before you go further."
        ),
        place="chapter 7, before Table 20",
        sql="""
            SELECT
                run_id, 'all guests' AS subject,
                CASE
                    WHEN without_cpus IS NOT NULL THEN 'run.yml gives no cpus of ' || without_cpus
                    WHEN ifls IS NULL THEN 'run.yml gives no cpus of the hypervisor'
                    ELSE vcpus || ' virtual processors on ' || ifls || ' IFLs, 1:'
                        || printf('%.3g', vcpus / ifls)
                END AS found,
                'at most 1:1.8' AS wanted,
                if(without_cpus IS NULL, vcpus * 10 <= ifls * 18, NULL) AS ok
            FROM overcommitment
        """,
    ),
)
