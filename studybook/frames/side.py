"""One side of a comparison: a run, or the runs of a level of a factor."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from studybook.dataset.manifest import REPETITION
from studybook.errors import StudyBookError, did_you_mean
from studybook.frames.evidence import Evidence


@dataclass(frozen=True)
class Side:
    """Runs that are compared with others.

    Attributes
    ----------
    name : str
        As a person calls them.
    evidence : Evidence
        What their study says; of other runs, too.
    runs : tuple of str
        Their ids.
    chosen : frozenset of str
        The factors by which they were chosen.
    """

    name: str
    evidence: Evidence
    runs: tuple[str, ...]
    chosen: frozenset[str] = frozenset()

    def factors(self, run: str) -> Mapping[str, str]:
        """The factors of a run, without the number of its repetition."""
        own = self.evidence.factors[run]
        return {name: value for name, value in own.items() if name != REPETITION}


def choose(evidence: Evidence, text: str) -> Side | None:
    """The runs that a text names: a run by its name, or levels ``factor=value[,factor=value]``.

    Returns
    -------
    Side or None
        None if it names none.
    """
    ids = [run for run in evidence.runs["run_id"] if text in (run, run.split("/")[-1])]
    if ids:
        return Side(text, evidence, tuple(ids))
    if "=" not in text:
        return None
    wanted = dict(part.strip().split("=", 1) for part in text.split(",") if "=" in part)
    wanted = {name.strip(): value.strip() for name, value in wanted.items()}
    fits = tuple(
        run
        for run, own in evidence.factors.items()
        if all(own.get(name) == value for name, value in wanted.items())
    )
    return Side(text, evidence, fits, frozenset(wanted)) if fits else None


def unknown(evidence: Evidence, text: str) -> StudyBookError:
    """The error of a text that names no run and no level of a factor."""
    levels = {
        f"{name}={value}"
        for own in evidence.factors.values()
        for name, value in own.items()
        if name != REPETITION
    }
    known = [*sorted(levels), *(run.split("/")[-1] for run in evidence.runs["run_id"])]
    few = ", ".join(known[:8]) + (f" and {len(known) - 8} more" if len(known) > 8 else "")
    do = did_you_mean(text, known, 2) or f"there are: {few or 'none'}"
    return StudyBookError(f"{text!r} is no run, and no level of a factor\n  → {do}")


def extremes(evidence: Evidence) -> tuple[Side, Side] | None:
    """Two sides that a page compares where nobody named any.

    The two outermost levels of the factor that most runs have and that has the fewest levels; else
    the first and the last run. Numbers are in their order, words in that of their first runs.
    """
    starts = dict(zip(evidence.runs["run_id"], evidence.runs["start_utc"], strict=True))

    def began(name: str, level: str) -> tuple[bool, Any, str]:
        its = [run for run in runs if evidence.factors[run].get(name) == level]
        first = min((starts[run] for run in its if not pd.isna(starts[run])), default=None)
        return first is None, first, level

    runs = evidence.runs[evidence.runs["kind"] == "measurement"]["run_id"].tolist()
    levels: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for run in runs:
        for name, value in evidence.factors[run].items():
            if name != REPETITION:
                levels[name][value] = levels[name].get(value, 0) + 1
    able = {name: own for name, own in levels.items() if len(own) > 1}
    if able:
        name = min(able, key=lambda each: (-sum(able[each].values()), len(able[each]), each))
        ordered = sorted(able[name], key=lambda level: (_numeric(level), began(name, level)))
        sides = [choose(evidence, f"{name}={value}") for value in (ordered[0], ordered[-1])]
        if sides[0] and sides[1]:
            return sides[0], sides[1]
    if len(runs) < 2:
        return None
    ends = [Side(run.split("/")[-1], evidence, (run,)) for run in (runs[0], runs[-1])]
    return ends[0], ends[1]


def _numeric(value: str) -> tuple[int, float]:
    try:
        return 0, float(np.float64(value))
    except ValueError:
        return 1, 0.0
