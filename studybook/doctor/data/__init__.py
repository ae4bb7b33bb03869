"""Checks on data: what in the raw exports of any study would make its figures say what is not so.

A check is an entry in the ``CHECKS`` of the module of its topic: what is wrong where it fires, why
that matters and what to do, and a SELECT (or a function) that gives a row for each thing found. No
row means that there is nothing to say. ``studybook doctor`` knows it then, and
``studybook doctor --checks`` lists it.
"""

from __future__ import annotations

from studybook.doctor.data.check import DataCheck, DataFinding, Weight
from studybook.doctor.data.examine import DATA_CHECKS, examine_data, examine_load

__all__ = ["DATA_CHECKS", "DataCheck", "DataFinding", "Weight", "examine_data", "examine_load"]
