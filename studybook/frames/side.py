"""One side of a comparison: a run, or the runs of a level of a factor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
