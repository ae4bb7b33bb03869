"""The two sides that a page compares where nobody named any."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd

from studybook.frames.evidence import Evidence
from studybook.frames.side import Side, choose, is_number, names_runs
from studybook.frames.two_sides import comparable
from studybook.study.origin import run_name

#: Of so many runs the newest few are set against those before.
MANY, NEWEST = 8, 3


def extremes(evidence: Evidence) -> tuple[Side, Side] | None:
    """Two sides that a page compares where nobody named any.

    The two outermost levels of the factor that most runs have and that has the fewest levels; else,
    of many runs, those before the newest and these, as of nights, each of which may have a commit
    of its own; else the first and the last run. Numbers are in their order, words in that of their
    first runs. What has nothing to compare gives way to what has: the level of a factor may be a
    tool whose runs have other factors than those of the next.
    """
    able = list(_pairs(evidence))
    return next((pair for pair in able if comparable(*pair)), able[0] if able else None)


def _pairs(evidence: Evidence) -> Iterator[tuple[Side, Side]]:
    """What could be compared, the most wanted first."""
    starts = dict(zip(evidence.runs["run_id"], evidence.runs["start_utc"], strict=True))

    def began(name: str, level: str) -> tuple[bool, Any, str]:
        its = [run for run in runs if evidence.factors[run].get(name) == level]
        first = min((starts[run] for run in its if not pd.isna(starts[run])), default=None)
        return first is None, first, level

    runs = evidence.runs[evidence.runs["kind"] == "measurement"]["run_id"].tolist()
    side = Side("", evidence, tuple(runs))
    able = {
        name: own
        for name in {name for run in runs for name in side.factors(run)}
        if len(own := side.levels(name)) > 1 and not (len(own) >= MANY and names_runs(own))
    }
    for name in sorted(able, key=lambda each: (-sum(able[each].values()), len(able[each]), each)):
        ordered = sorted(able[name], key=lambda level: (_numeric(level), began(name, level)))
        first, last = (choose(evidence, f"{name}={value}") for value in (ordered[0], ordered[-1]))
        if first and last:
            yield first, last
    if len(runs) >= MANY and not any(pd.isna(starts[run]) for run in runs):
        before, new = (
            choose(evidence, f"newest:{n}") for n in (f"{NEWEST + 1}-{len(runs)}", NEWEST)
        )
        if before and new:
            yield (
                replace(before, name=f"the {len(before.runs)} runs before"),
                replace(new, name=f"the newest {NEWEST}"),
            )
    if len(runs) > 1:
        first, last = (Side(run_name(run), evidence, (run,)) for run in (runs[0], runs[-1]))
        yield first, last


def _numeric(value: str) -> tuple[int, float]:
    return (0, float(value)) if is_number(value) else (1, 0.0)
