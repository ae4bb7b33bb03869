"""Checks on captures: the advice of the documents, held against what the commands printed.

A check is an entry in the ``CHECKS`` of the module of its topic (:mod:`~studybook.doctor.disks`
and its neighbours): the advice, where it stands, and a SELECT that says what was found, what is
wanted and whether the one is the other. The command ``studybook doctor`` and the pages of the book
know it then.
"""

from __future__ import annotations

from studybook.doctor import caches, cluster, database, disks, network, processors, volumes
from studybook.doctor.check import SOURCES, Check, Finding, Verdict
from studybook.doctor.examine import examine

#: All checks, in the order in which they are shown.
CHECKS: tuple[Check, ...] = tuple(
    check
    for topic in (disks, caches, cluster, network, processors, volumes, database)
    for check in topic.CHECKS
)

__all__ = ["CHECKS", "SOURCES", "Check", "Finding", "Verdict", "examine"]
