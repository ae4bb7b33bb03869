"""Checks on captures: the advice of documents, held against what the commands printed.

A check is an entry in the ``CHECKS`` of the module of its topic (:mod:`~studybook.doctor.disks`
and its neighbours): the advice, where it stands, and a SELECT that says what was found, what is
wanted and whether the one is the other. The command ``studybook doctor`` and the pages of the book
know it then. What speaks of the roles and factors of one study stands with that study: see
:mod:`~studybook.doctor.advice`.
"""

from __future__ import annotations

from studybook.doctor.advice import CHECKS, checks
from studybook.doctor.check import SOURCES, Check, Finding, Verdict
from studybook.doctor.examine import examine

__all__ = ["CHECKS", "SOURCES", "Check", "Finding", "Verdict", "checks", "examine"]
