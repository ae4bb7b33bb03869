"""Claims: published values and statements as data, and their evaluation on a data set.

``data/published/<study>.yml`` holds, for each claim, a citation, what is compared with what,
and what it accepts. Evaluating one gives a verdict (:class:`~studybook.claims.verdict.Verdict`),
with the published and the measured value side by side.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from studybook.claims import verdict_text
from studybook.claims.published_values import COMPARING, Claim, Published, place, read_published
from studybook.claims.verdict import Judgement, Verdict
from studybook.dataset import definition
from studybook.dataset.definition import Factors
from studybook.dataset.manifest import REPETITION, factor_text
from studybook.dataset.paths import project_root
from studybook.errors import StudyBookError
from studybook.formats.raw import sha256
from studybook.statistics.intervals import (
    Interval,
    Sample,
    difference_interval,
    mean_interval,
    ratio_interval,
)
from studybook.study import provenance
from studybook.study.study import Study
from studybook.units import metric


def published(study: str) -> Published:
    """Read what was published of a study, and note that the notebook used it.

    Raises
    ------
    StudyBookError
        If the file is missing or wrong.
    """
    root = project_root()
    found = read_published(root, study)
    for path in (place(root, study), definition.place(root, study)):
        if path.is_file():
            name = path.relative_to(root).as_posix()
            provenance.note_published(name, sha256(path), found.document.title)
    return found


class CannotJudge(StudyBookError):
    """Why the data say nothing on a claim."""


@dataclass(frozen=True)
class Evidence:
    """A metric over all repetitions and runs that match, or its text; and its origin.

    It is ``exact`` where it is a count or a setting, which has no scatter.
    """

    sample: Sample
    text: str
    origin: str
    exact: bool


#: Rows of a metric that have the factors that are wanted, or say nothing of the others.
_MATCHES = """coalesce(list_bool_and(list_transform($keys::VARCHAR[], lambda k, i:
                coalesce(factors[k] = ($wanted::VARCHAR[])[i], i > $exact))), true)"""

#: Levels that a message names.
_FEW = 3


def _told_apart(study: Study, name: str, wanted: Mapping[str, Any]) -> str:
    """What a claim has to say of the values that match, so that they are of one kind, in words."""
    query = f"SELECT factors FROM {metric(name).name} WHERE {_MATCHES}"
    rows = [factors for (factors,) in study.execute(query, wanted).fetchall()]
    said = [
        f"{key}: {' or '.join(sorted({each[key] for each in rows if key in each})[:_FEW])}"
        for key in sorted({key for each in rows for key in each} - {REPETITION})
        if len({each.get(key) for each in rows}) > 1
    ]
    return f"; say under of which is meant, such as {', or '.join(said)}" if said else ""


def evidence(
    study: Study, name: str, factors: Factors, baseline: Factors | None = None
) -> Evidence:
    """A metric where the factors have the given values.

    Parameters
    ----------
    study : Study
        The opened study.
    name : str
        Metric, as in the registry.
    factors : dict
        Values that the run's factors must have.
    baseline : dict, optional
        Values of other factors, for runs that have those factors.

    Raises
    ------
    CannotJudge
        If no run matches, or if runs match that must not be taken together: of different
        origins, of different tests, with different texts.
    """
    others = {key: value for key, value in (baseline or {}).items() if key not in factors}
    wanted: dict[str, Any] = {
        "keys": [*factors, *others],
        "wanted": [factor_text(value) for value in (*factors.values(), *others.values())],
        "exact": len(factors),
    }
    row = study.query(
        f"""
        SELECT sum(n)::INTEGER AS n, pooled_mean(n, mean) AS mean, pooled_sd(n, mean, sd) AS sd,
               list(DISTINCT text ORDER BY text) FILTER (text IS NOT NULL) AS texts,
               list(DISTINCT origin ORDER BY origin) AS origins,
               list(DISTINCT test ORDER BY test) FILTER (test IS NOT NULL) AS tests,
               bool_and(exact) AS exact,
               count(DISTINCT list_sort(list_filter(map_entries(factors),
                   lambda f: f.key <> 'repetition' AND NOT list_contains($keys::VARCHAR[], f.key)))
               ) AS setups
        FROM {metric(name).name} WHERE {_MATCHES}
        HAVING count(*) > 0
        """,
        **wanted,
    ).to_dict("records")
    if not row:
        given = ", ".join(f"{factor} = {value}" for factor, value in factors.items())
        usual = ", ".join(f"{factor} = {value}" for factor, value in others.items())
        raise CannotJudge(
            f"no run at hand gives “{metric(name).label}”"
            + (f" for {given}" if given else "")
            + (f" (and {usual}, where that varies)" if usual else "")
        )
    found = row[0]
    lists = {
        key: list(found[key]) if isinstance(found[key], np.ndarray) else []
        for key in ("texts", "origins", "tests")
    }
    for what, values in lists.items():
        if len(values) > 1:
            raise CannotJudge(
                f"the runs that match have different {what}: {'; '.join(values)}"
                + (_told_apart(study, name, wanted) if what == "tests" else "")
            )
    if found["setups"] > 1 and not found["exact"]:
        raise CannotJudge(
            f"the runs that match are of {found['setups']} setups"
            + _told_apart(study, name, wanted)
        )
    sample = Sample(int(found["n"]), float(found["mean"]), float(found["sd"]))
    return Evidence(sample, "".join(lists["texts"]), lists["origins"][0], bool(found["exact"]))


def evaluate(
    study: Study,
    claim: Claim,
    baseline: Factors | None = None,
) -> Judgement:
    """Judge one claim on what a study's data say, by the interval: one rule for all of them.

    A claim *holds* if the whole 95 % interval lies in what it accepts, it *does not hold* if the
    whole interval lies outside, and is *open* if the interval lies across a bound or there is none.
    Where both ends are bounded (a value within its tolerance), that is the test of equivalence by
    two one-sided tests, each at 2.5 %: D. J. Schuirmann, "A comparison of the two one-sided tests
    procedure and the power approach for assessing the equivalence of average bioavailability",
    J. Pharmacokin. Biopharm. 15 (1987), 657-680.

    Counts and settings have no scatter: their interval is the value. One run of anything else has
    no interval.
    """
    try:
        if claim.kind == "statement" and claim.value is None:
            raise CannotJudge(claim.cannot_be_judged)
        of = evidence(study, claim.metric, claim.of, baseline)
        over = None
        if claim.kind in COMPARING and claim.over is not None:
            over = evidence(study, claim.metric, claim.over, baseline)
        if over and over.origin != of.origin:
            raise CannotJudge(f"it would set {of.origin} against {over.origin} data")
        if over and over.sample.mean == 0 and claim.kind != "difference":
            raise CannotJudge("what it would be compared with is 0")
    except CannotJudge as reason:
        # The document gives no raw export, but the data set at hand might have.
        why = claim.cannot_be_judged or str(reason)
        return Judgement(claim, None, "", 0, Verdict.UNJUDGED, why)
    role = claim.role or "" if of.origin == "simulated" else ""
    if claim.kind == "statement":
        verdict = Verdict.HOLDS if of.text == str(claim.value) else Verdict.FAILS
        why = f"reads {of.text}"
        return Judgement(claim, None, of.text, of.sample.n, verdict, why, of.origin, role, True)
    repetitions = min(of.sample.n, over.sample.n) if over else of.sample.n
    measured = _measured(claim, of, over)
    verdict, why = judge(claim, measured, repetitions)
    exact = of.exact and (over is None or over.exact)
    return Judgement(claim, measured, "", repetitions, verdict, why, of.origin, role, exact)


def _measured(claim: Claim, of: Evidence, over: Evidence | None) -> Interval:
    """The estimate for a claim, and its interval."""
    if over is None:
        found = mean_interval(of.sample)
    elif claim.kind == "difference":
        found = difference_interval(of.sample, over.sample)
    else:
        found = ratio_interval(of.sample, over.sample)
    if of.exact and (over is None or over.exact):
        return Interval(found.estimate, found.estimate, found.estimate)
    return found


def judge(
    claim: Claim, measured: Interval, repetitions: int = 1, *, name: str = "claim"
) -> tuple[Verdict, str]:
    """The verdict on a claim by the interval of what was measured, and the reason in words.

    The ``name`` is what those who read the reason call it: a claim, or a goal.
    """
    if math.isnan(measured.low):
        if repetitions > 1:
            return Verdict.OPEN, "what it is compared with cannot be told from zero"
        return Verdict.OPEN, "there are no repetitions, hence no interval"
    accepted = claim.accepted
    holds = accepted.holds(measured.low, measured.high)
    what = "the value lies" if measured.low == measured.high else "the 95 % interval lies"
    among = f"what {'we read into the words' if claim.words else f'the {name} accepts'}"
    among += f", {verdict_text.accepted(claim)}"
    if holds is None:
        return Verdict.OPEN, f"{what} across a bound of {among}"
    if holds:
        return Verdict.HOLDS, f"{what} within {among}"
    return Verdict.FAILS, f"{what} outside of {among}"


def evaluate_all(
    study: Study, values: Published, figure: str | None = None
) -> tuple[Judgement, ...]:
    """Judge the claims of a study, or those that belong to one figure.

    Raises
    ------
    StudyBookError
        If the figure has no claim: a spelling mistake in the notebook.
    """
    claims = [claim for claim in values.claims if figure in (None, claim.figure)]
    if not claims:
        known = sorted({claim.figure for claim in values.claims})
        raise StudyBookError(
            f"no claim belongs to the figure {figure!r}\n  → known figures: {', '.join(known)}"
        )
    if figure is None:
        # A page of all claims shows published values as much as its own.
        provenance.note_published_marks(values.document.title, ())
    found = tuple(evaluate(study, claim, values.baseline) for claim in claims)
    if figure is None:
        # What the prose of the book quotes.
        provenance.note_answer(verdict_text.counts(found))
        provenance.note_judgements({each.claim.id: verdict_text.texts(each) for each in found})
    return found
