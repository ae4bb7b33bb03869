"""The values that goals are judged by: of a metric in each setup of a data set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from studybook.claims.goals import Goal
from studybook.dataset.manifest import REPETITION, factor_text
from studybook.errors import did_you_mean
from studybook.statistics.batches import Values, batch_sample
from studybook.statistics.intervals import Sample, pooled
from studybook.study.batches import Key, read_batches
from studybook.study.origin import run_name
from studybook.study.starts import starts
from studybook.study.study import Study
from studybook.text import counted
from studybook.units import metric

#: The factors by which exports tell requests apart.
LABELS = ("label", "page", "operation")

#: The label of all requests together.
ALL = "all"

#: Kinds of request that a load driver counts: without another word, the first that there is counts.
KINDS = ("page", "sample", "transaction")

#: Of so many runs before the newest the scatter is taken, where nothing is said of them: a level of
#: long ago is none of theirs.
_BEFORE = 10


@dataclass(frozen=True)
class Value:
    """A metric in one setup: over its repetitions, or over the batches of its only run.

    ``runs`` has the means of its runs, ``before`` those of some before the newest.
    """

    factors: Mapping[str, str]
    sample: Sample
    text: str
    origin: str
    exact: bool
    behind: str
    runs: tuple[float, ...]
    fault: str = ""
    before: tuple[float, ...] = ()
    which: str = ""


class Source:
    """The values of a study in one data set."""

    def __init__(self, study: Study, name: str) -> None:
        self.study, self.name = study, name
        self._by_metric: dict[str, dict[Key, Values]] = {}

    @property
    def excluded(self) -> dict[str, str]:
        """The runs that a person has excluded, and why; of another data set with its name."""
        of = f"{self.name}: " if self.name else ""
        return {f"{of}{run}": why for run, why in self.study.excluded.items()}

    def values(
        self, goal: Goal, factors: Mapping[str, Any], newest: slice | None = None
    ) -> list[Value]:
        """The metric of a goal in each setup with these factors; none where there is no run.

        Without a label it is that of all requests together, where the export has it. Where requests
        are counted as samples and as transactions, too, it is that of samples.

        Parameters
        ----------
        goal : Goal
            Says which label, role and host.
        factors : mapping
            Values that the factors of the runs must have.
        newest : slice, optional
            Which runs of each setup count, in their order from the newest on; all without it.
        """
        rows = [each for each in self._rows(goal.metric) if _fits(each["factors"], goal, factors)]
        rows = _of_main_kind(rows)
        if not goal.of_label and any(_label(each["factors"]) is None for each in rows):
            rows = [each for each in rows if _label(each["factors"]) is None]
        setups: dict[tuple[tuple[str, str], ...], list[dict[str, Any]]] = {}
        for row in rows:
            known = {k: v for k, v in row["factors"].items() if k != REPETITION}
            setups.setdefault(tuple(sorted(known.items())), []).append(row)
        if newest is None:
            return [self._value(goal.metric, dict(key), same) for key, same in setups.items()]
        found = []
        for key, same in setups.items():
            some, undated = self._newest(same, newest)
            if some:
                value = self._value(goal.metric, dict(key), some)
                which = " before them" if newest.start else ", the newest"
                asked = newest.stop - newest.start
                if newest.start and len(value.runs) < asked:
                    which += f" ({asked} are asked for)"
                before: tuple[float, ...] = ()
                fault = value.fault
                if undated:
                    fault = f"nothing says when {undated} began: which runs are newest?"
                elif not newest.start:
                    last = max((row["run_id"] for row in some), key=self._starts.__getitem__)
                    later = self._began_later(last, {row["run_id"] for row in rows})
                    if len(later) >= asked:
                        fault = _none_of_newest(asked, later[-1], last)
                    elif later:
                        which += f" that have it: {counted(len(later), 'run')} began later"
                    older, _ = self._newest(same, slice(newest.stop, newest.stop + _BEFORE))
                    before = _of_runs(older)
                found.append(replace(value, which=which, fault=fault, before=before))
        return found

    @cached_property
    def _starts(self) -> dict[str, Any]:
        """When each run began, in the order of their names."""
        known = starts(self.study)
        return dict(zip(known["run_id"], known["start_utc"], strict=True))

    @cached_property
    def _setups(self) -> dict[str, list[tuple[str, str]]]:
        """The factors of each run that has any, without the number of its repetition."""
        told = self.study.query("SELECT run_id, name, value FROM factor ORDER BY ALL")
        setups: dict[str, list[tuple[str, str]]] = {}
        for run, name, value in told.itertuples(index=False):
            if name != REPETITION:
                setups.setdefault(run, []).append((name, value))
        return setups

    def _newest(
        self, rows: Sequence[dict[str, Any]], newest: slice
    ) -> tuple[list[dict[str, Any]], str]:
        """The rows of some of the runs, and a run of which nothing says when it began."""
        began = {row["run_id"]: self._starts[row["run_id"]] for row in rows}
        if undated := [run for run, start in began.items() if pd.isna(start)]:
            return list(rows), undated[0]
        order = sorted(began, key=lambda run: (began[run], run), reverse=True)
        return [row for row in rows if row["run_id"] in order[newest]], ""

    def _began_later(self, last: str, having: set[str]) -> list[str]:
        """The runs without such a value that began after that run, in their order.

        They may be of its setup: where the load failed, no file tells how many users there were.
        """
        setup = dict(self._setups.get(last, ()))
        later = [
            run
            for run, start in self._starts.items()
            if start > self._starts[last]
            and run not in having
            and all(setup.get(name) == value for name, value in self._setups.get(run, ()))
        ]
        return sorted(later, key=lambda run: (self._starts[run], run))

    def _rows(self, name: str) -> list[dict[str, Any]]:
        found = self.study.query(
            "SELECT r.run, m.run_id, m.origin, map_keys(m.factors) AS keys,"
            " map_values(m.factors) AS texts, m.n, m.mean, m.sd, m.text, m.test, m.exact"
            f" FROM {metric(name).name} m JOIN run r USING (run_id) ORDER BY ALL"
        ).to_dict("records")
        return [
            {str(key): value for key, value in row.items()}
            | {"factors": _mapping(row["keys"], row["texts"])}
            for row in found
        ]

    def _value(self, name: str, factors: dict[str, str], rows: Sequence[dict[str, Any]]) -> Value:
        texts = sorted({row["text"] for row in rows if isinstance(row["text"], str)})
        tests = sorted({row["test"] for row in rows if isinstance(row["test"], str)})
        origins = sorted({row["origin"] for row in rows})
        fault = next(
            (f"the runs that match have different {what}: {'; '.join(values)}"
             for what, values in (("texts", texts), ("origins", origins), ("tests", tests))
             if len(values) > 1), "",
        )  # fmt: skip
        if fault and len(tests) > 1:
            fault += "; repetitions in files of their own are called …-rep1, …-rep2"
        exact, runs = all(row["exact"] for row in rows), _of_runs(rows)
        sample, behind = pooled([_sample(row) for row in rows]), ""
        if exact:
            behind = f"exact, {counted(len(rows), 'run')}"
        elif len(runs) > 1:  # what a run repeats within itself tells nothing of run to run
            sample, behind = pooled([Sample(1, each, 0.0) for each in runs]), f"{len(runs)} runs"
        elif sample.n > 1:
            behind = f"{sample.n} repetitions in the run {rows[0]['run']}"
        elif batches := self._batches(name, rows[0]):
            sample = batches
            behind = f"{batches.n} batches of the run {rows[0]['run']}"
        return Value(factors, sample, "".join(texts), origins[0], exact, behind, runs, fault)

    def _batches(self, name: str, row: dict[str, Any]) -> Sample | None:
        """The batches of the stable phase of one run, where the metric has a course over time."""
        if name not in self._by_metric:
            self._by_metric[name] = read_batches(self.study, name)
        key = row["run_id"], name, frozenset(row["factors"].items())
        found = self._by_metric[name].get(key)
        return None if found is None else batch_sample(found, float(row["mean"]))

    def without(self, goal: Goal) -> dict[str, list[str]]:
        """The runs without factors that a goal names, and these; rows may tell them as well."""
        names = [name for name in goal.at if name != REPETITION]
        if not names:
            return {}
        has: dict[str, set[str]] = {run: set() for run in self._measured}
        for row in self._rows(goal.metric):
            has.setdefault(row["run"], set()).update(row["factors"])
        for run_id, setup in self._setups.items():
            has.setdefault(run_name(run_id), set()).update(name for name, _ in setup)
        lacks = {run: [each for each in names if each not in has[run]] for run in self._measured}
        return {run: lacking for run, lacking in lacks.items() if lacking}

    @cached_property
    def _measured(self) -> list[str]:
        """The runs that are measured and count."""
        found = self.study.query("SELECT run FROM run WHERE kind = 'measurement' ORDER BY run")
        return [str(run) for run in found["run"]]

    def why_none(self, goal: Goal, factors: Mapping[str, Any]) -> str:
        """Why there is no value, with what there is in its place."""
        rows = self._rows(goal.metric)
        where = f"of {self.name}" if self.name else "at hand"
        if not rows:
            return f"no run {where} gives “{metric(goal.metric).label}”"
        if goal.of_label and not any(_label(row["factors"]) == goal.of_label for row in rows):
            return _missing("label", goal.of_label, (_label(row["factors"]) for row in rows))
        wanted = dict(factors) | {k: v for k, v in goal.of.items() if k in ("role", "host")}
        for name, value in wanted.items():
            there = {row["factors"].get(name) for row in rows} - {None}
            if not there:
                keys = {key for row in rows for key in row["factors"]}
                near = did_you_mean(name, keys) or f"known: {', '.join(sorted(keys)) or 'none'}"
                return f"no run {where} has the factor {name}; {near}"
            if factor_text(value) not in there:
                return _missing(name, factor_text(value), there)
        said = ", ".join(f"{name} = {value}" for name, value in goal.of.items())
        return f"no run {where} has all of {said}"


def _none_of_newest(asked: int, newest: str, last: str) -> str:
    """What to say where none of the newest runs has a value, and which was the last that has."""
    none = f"the newest run, {run_name(newest)}, has none"
    if asked > 1:
        none = f"none of the newest {asked} runs has it, up to {run_name(newest)}"
    return f"{none}; {run_name(last)} was the last that has it"


def _of_runs(rows: Sequence[Mapping[str, Any]]) -> tuple[float, ...]:
    """The means of runs, one each, of rows that may be repetitions within one."""
    of_run: dict[str, list[Sample]] = {}
    for row in rows:
        of_run.setdefault(row["run_id"], []).append(_sample(row))
    return tuple(pooled(each).mean for each in of_run.values())


def _sample(row: Mapping[str, Any]) -> Sample:
    return Sample(int(row["n"]), float(row["mean"]), float(row["sd"]))


def _missing(name: str, wanted: str, there: Iterable[str | None]) -> str:
    known = sorted({each for each in there if each is not None}, key=lambda x: (len(x), x))
    near = did_you_mean(wanted, known)
    said = f"there are {', '.join(known)}" if known else "there are none"
    return f"no run has {name} = {wanted}; {said}" + (f"; {near}" if near else "")


def _mapping(keys: Any, texts: Any) -> dict[str, str]:
    pairs = zip(np.atleast_1d(keys), np.atleast_1d(texts), strict=True)
    return {str(key): str(text) for key, text in pairs if text is not None}


def _label(factors: Mapping[str, str]) -> str | None:
    """The request that a value is of; None of all together."""
    found = next((factors[name] for name in LABELS if name in factors), ALL)
    return None if found == ALL else found


def _of_main_kind(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    there = {row["factors"].get("kind") for row in rows}
    main = next((kind for kind in KINDS if kind in there), None)
    return [row for row in rows if main is None or row["factors"].get("kind") in (main, None)]


def _fits(there: Mapping[str, str], goal: Goal, factors: Mapping[str, Any]) -> bool:
    machine = {"role": goal.role, "host": goal.host}
    wanted = {**factors, **{name: value for name, value in machine.items() if value}}
    if goal.of_label and _label(there) != goal.of_label:
        return False
    return all(there.get(name) == factor_text(value) for name, value in wanted.items())
