"""One side of a comparison: a run, or the runs of a level of a factor."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from studybook.dataset.manifest import REPETITION
from studybook.errors import StudyBookError, did_you_mean
from studybook.frames.evidence import Evidence
from studybook.study.origin import run_name
from studybook.text import few


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
    by_name : bool
        Whether they were chosen by their names, or by when they began, whatever their factors.
    """

    name: str
    evidence: Evidence
    runs: tuple[str, ...]
    chosen: frozenset[str] = frozenset()
    by_name: bool = False

    def factors(self, run: str) -> Mapping[str, str]:
        """The factors of a run, without the number of its repetition."""
        own = self.evidence.factors[run]
        return {name: value for name, value in own.items() if name != REPETITION}

    def levels(self, factor: str) -> Counter[str]:
        """How many of its runs have each level of a factor."""
        own = (self.factors(run).get(factor) for run in self.runs)
        return Counter(level for level in own if level is not None)

    def record(self) -> dict[str, Any]:
        """The side as plain data, for JSON, with the runs of its study that do not count."""
        excluded = dict(self.evidence.excluded)
        return {"name": self.name, "runs": list(self.runs), "excluded": excluded}


def choose(evidence: Evidence, text: str) -> Side | None:
    """The runs that a text names.

    Parameters
    ----------
    evidence : Evidence
        What their study says.
    text : str
        A run by its name; several by a pattern, ``night-*``; all that began from one to another,
        ``night-01..night-08``; the newest, ``newest:3``, or of these some, ``newest:4-13``; or
        levels of factors, ``users=100,cache=on``.

    Returns
    -------
    Side or None
        None if it names none.

    Raises
    ------
    StudyBookError
        If runs are asked for in the order of their beginnings, and that of one is not known.
    """
    ids = _named(evidence.runs["run_id"], text)
    if ids:
        return Side(text, evidence, tuple(ids), by_name=True)
    if several := _several(evidence, text):
        return Side(text, evidence, tuple(several), by_name=True)
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


def _several(evidence: Evidence, text: str) -> list[str]:
    """The measurements that a pattern of names fits, or that began one after another."""
    runs = evidence.runs[evidence.runs["kind"] == "measurement"]
    first, _, last = text.partition("..")
    newest = re.fullmatch(r"newest:(\d+)(?:-(\d+))?", text)
    if not newest and not last:
        return [
            run for run in runs["run_id"] if any(fnmatchcase(each, text) for each in _names(run))
        ]
    ends = [_named(runs["run_id"], name) for name in (first, last)]
    if last and not all(ends):
        return []
    if undated := list(runs.loc[runs["start_utc"].isna(), "run_id"]):
        raise StudyBookError(
            f"{text}: nothing says when {undated[0]} began\n"
            "  → write start into its run.yml, or name runs by a pattern"
        )
    ordered = list(runs.sort_values(["start_utc", "run_id"])["run_id"])
    if newest:
        least, most = (int(newest[1]), int(newest[2])) if newest[2] else (1, int(newest[1]))
        return ordered[::-1][least - 1 : most] if least else []
    places = [ordered.index(run) for end in ends for run in end]
    return ordered[min(places) : max(places) + 1]


def _names(run: str) -> tuple[str, str]:
    """What a person may call a run: with its study, or without."""
    return run, run_name(run)


def _named(runs: Iterable[str], name: str) -> list[str]:
    return [run for run in runs if name in _names(run)]


def names_runs(levels: Mapping[str, int]) -> bool:
    """Whether a factor says which run it is, as a commit does: not by numbers, each of one run.

    Parameters
    ----------
    levels : mapping
        How many runs have each of its levels.
    """
    return max(levels.values()) == 1 and not all(map(is_number, levels))


def is_number(level: str) -> bool:
    """Whether the level of a factor is a number."""
    try:
        return math.isfinite(float(level))
    except ValueError:
        return False


def refuse_excluded(evidence: Evidence, text: str) -> None:
    """Refuse the name of a run that a person has excluded."""
    for run in _named(evidence.excluded, text):
        raise StudyBookError(
            f"{run} is excluded by its run.yml: {evidence.excluded[run]}\n"
            "  → take excluded out there to compare it"
        )


def unknown(evidence: Evidence, text: str) -> StudyBookError:
    """The error of a text that names no run that counts, and no level of a factor."""
    refuse_excluded(evidence, text)
    levels = {
        f"{name}={value}"
        for own in evidence.factors.values()
        for name, value in own.items()
        if name != REPETITION
    }
    known = [*sorted(levels), *map(run_name, evidence.runs["run_id"])]
    do = did_you_mean(text, known, 2) or f"there are: {few(known, 8) or 'none'}"
    return StudyBookError(f"{text!r} is no run, fits none, and is no level of a factor\n  → {do}")
