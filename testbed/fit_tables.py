"""The fit as tables: the parameters, and each published value beside that of the model."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from studybook.claims.verdict import Verdict
from studybook.frames.figure_data import rounded
from studybook.study import provenance
from studybook.study.origin import NO_RUN
from studybook.table import Table, badge
from studybook.text import minus
from testbed.fit import Comparison
from testbed.model import Model
from testbed.targets import Target

#: Deviations are drawn up to so many tolerances; what is further away stands there, too.
FURTHEST = 6.0

#: Names of the roles of a published value, in sentences and over the panels of a chart.
ROLES = {
    "fitted": "that the fit used",
    "chosen": "that parameters were chosen by",
    "implied": "that follow from those or from how the model is made",
    "predicted": "that it predicts",
}
PANELS = {
    "fitted": "Used by the fit",
    "chosen": "Chosen by",
    "implied": "Implied",
    "predicted": "Predicted",
}
_UNITS = {
    "_ms": "ms",
    "_ifl": "IFLs",
    "_ifl_spread": "IFLs",
    "_mib_s": "MiB/s",
    "_bytes": "bytes",
    "_per_s": "1/s",
}


def parameters(model: Model) -> pd.DataFrame:
    """Return the parameters: value, unit, meaning, and why they have that value."""
    return pd.DataFrame(
        {
            "parameter": f"{name}\n{each.meaning}",
            "value": f"{each.value:g}",
            "unit": each.unit,
            "from": f"fit\nbetween {each.bounds[0]:g} and {each.bounds[1]:g}"
            if each.bounds
            else f"{'set by hand' if each.by_hand else 'fixed'}\n{each.fixed}",
        }
        for name, each in model.parameters.items()
    )


def deviations(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """Return the rows of a chart: what the document has of each value, and that of the model.

    From ``agrees_from`` to ``agrees_to`` the model agrees; a bound may be passed however far.
    """
    rows = []
    for each in comparisons:
        target = each.target
        place = {"panel": PANELS[target.role], "id": target.id, "text": target.text}
        away = rounded(target.distance(each.model))
        drawn = _drawn(away)
        first, last = (_drawn(target.distance(end)) for end in target.accepted)
        instead = f"{shown(target, each.model)}, not {accepted(target)}"
        rows += [
            place
            | target.said(lambda number, target=target: rounded(target.distance(number)))  # type: ignore[misc]
            | {"label": accepted(target), "agrees_from": first, "agrees_to": last},
            {
                "origin": "simulated",
                "run": NO_RUN,
                **place,
                "value": drawn,
                "is": shown(target, each.model),
            }
            | {"label": "" if each.holds else instead}
            | {"tolerances": away, "verdict": verdict(each)},
        ]
    order = list(PANELS.values())
    frame = pd.DataFrame(rows)
    return frame.sort_values(
        "panel", key=lambda panels: panels.map(order.index), kind="stable"
    ).reset_index(drop=True)


def _drawn(distance: float) -> float:
    return min(max(rounded(distance), -FURTHEST), FURTHEST)


def verdict(comparison: Comparison) -> str:
    """Say whether the model agrees with a published value."""
    return str(Verdict.HOLDS if comparison.holds else Verdict.FAILS)


def table(comparisons: Sequence[Comparison], caption: str = "") -> Table:
    """Show published values and those of the model side by side.

    Parameters
    ----------
    comparisons : sequence of Comparison
        As :meth:`testbed.model.Model.comparisons` gives them.
    caption : str, optional
        What the table shows.
    """
    rows = [
        [
            f"{each.target.text}\n{each.target.source} · {each.target.id} · {each.target.role}",
            published(each.target),
            shown(each.target, each.model),
            minus(f"{each.difference:+.3g}"),
            verdict(each),
        ]
        for each in comparisons
    ]
    columns = ["Published", "Value", "Model", "Difference", "Verdict"]
    return Table(columns, rows, caption, {"Verdict": badge})


def published(target: Target) -> str:
    """Write what is published: a number with its tolerance, or a range, and whose range it is."""
    if target.number is not None:
        return f"{accepted(target)}\n± {number(target.tolerance or 0.0)}"
    return f"{accepted(target)}\n{'our reading' if target.reads else 'printed'}"


def accepted(target: Target) -> str:
    """Write the number that is printed, or the range or bound within which a value holds."""
    if target.number is not None:
        return shown(target, target.number)
    low, high = target.accepted
    if math.isinf(low):
        return f"≤ {shown(target, high)}" if target.reads else f"< {shown(target, high)}"
    if math.isinf(high):
        return f"≥ {shown(target, low)}" if target.reads else f"> {shown(target, low)}"
    return f"{number(low)} to {shown(target, high)}"


def note(comparisons: Sequence[Comparison]) -> None:
    """Note what the model has of each statement: what the chapters of the book say of it."""
    provenance.note_judgements(
        {
            each.target.id: {
                "verdict": verdict(each),
                "data": shown(each.target, each.model),
                "accepted": _range(each.target),
            }
            for each in comparisons
        }
    )


def _range(target: Target) -> str:
    """The values that agree with what is published: a printed number with its tolerance."""
    within = f" ± {number(target.tolerance or 0.0)}" if target.number is not None else ""
    return f"{accepted(target)}{within}"


def sentence(comparisons: Sequence[Comparison]) -> str:
    """Say how many statements of each role the model agrees with, and with which not."""
    parts = []
    for role, words in ROLES.items():
        of_role = [each for each in comparisons if each.target.role == role]
        if not of_role:
            continue
        missed = [each.target.id for each in of_role if not each.holds]
        holds = len(of_role) - len(missed)
        names = f" (not: {', '.join(missed)})" if missed else ""
        parts.append(f"{holds} of {len(of_role)} {words}{names}")
    *first, last = parts
    return f"The model agrees with {' and '.join([', '.join(first), last] if first else [last])}."


def printed(comparisons: Sequence[Comparison]) -> int:
    """The number of statements with a printed number, range or bound; others have words."""
    return sum(each.target.reads is None for each in comparisons)


def count(comparisons: Sequence[Comparison], role: str) -> tuple[int, int]:
    """Return how many statements of a role hold, and how many there are."""
    of_role = [each.holds for each in comparisons if each.target.role == role]
    return sum(of_role), len(of_role)


def shown(target: Target, value: float) -> str:
    """Write a value with the unit of what is published."""
    if target.against is not None and target.as_ == "ratio":
        return f"{number(value)} ×"
    unit = next((u for end, u in _UNITS.items() if target.quantity.endswith(end)), "")
    return f"{number(value)} {unit}".strip()


def number(value: float) -> str:
    """Write a number with four digits that count, and thousands apart."""
    return minus(f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}")
