"""The measurement plans of both studies together.

A run is named after what was varied: ``nsd-4-1492-u1000-2`` is the second repetition with four
nodes, NSD servers, an MTU of 1492 and 1000 users.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from testbed.ecm import plan as ecm_plan
from testbed.ecm.plan import FAULTS
from testbed.filenet import plan as filenet_plan
from testbed.parameters import FILE
from testbed.planned import ECM, FILENET, PlannedRun

__all__ = ["ECM", "FAULTS", "FILENET", "PlannedRun", "all_runs"]


def all_runs(seed: int = 1, parameters: Path = FILE) -> Iterator[PlannedRun]:
    """Plan every run of both studies.

    Parameters
    ----------
    seed : int
        Another one gives other noise.
    parameters : pathlib.Path
        File of the model's parameters.
    """
    for planned in (
        *ecm_plan.captures(),
        *filenet_plan.captures(parameters),
        *ecm_plan.runs(),
        *filenet_plan.runs(parameters),
    ):
        yield replace(planned, seed=(seed, *planned.seed), parameters=parameters)
