"""The fit as tables: the parameters, and each published value beside that of the model."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from studybook.claims.verdict import Verdict
from studybook.frames.figure_data import rounded
from studybook.study.origin import NO_RUN
from studybook.table import Table, badge
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
_SIGNS = {"equal": "", "above": "> ", "below": "< "}
#: Where a model agrees with a published value, in tolerances.
_HOLDS = {"equal": (-1.0, 1.0), "above": (0.0, FURTHEST), "below": (-FURTHEST, 0.0)}


def parameters(model: Model) -> pd.DataFrame:
    """Return the parameters: value, unit, meaning, and why they have that value."""
    return pd.DataFrame(
        {
            "parameter": f"{name}\n{each.meaning}",
            "value": f"{each.value:g}",
            "unit": each.unit,
            "from": f"fit\nbetween {each.bounds[0]:g} and {each.bounds[1]:g}"
            if each.bounds
            else f"fixed\n{each.fixed}",
        }
        for name, each in model.parameters.items()
    )


def deviations(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """Return the rows of a chart: for each published value its own mark, and that of the model.

    From ``low`` to ``high`` the model agrees; a bound may be passed however far.
    """
    rows = []
    for each in comparisons:
        target = each.target
        panel = PANELS[target.role]
        place = {"panel": panel, "id": target.id, "text": target.text}
        away = rounded(each.difference / target.tolerance)
        drawn = min(max(away, -FURTHEST), FURTHEST)
        low, high = _HOLDS[target.sense]
        instead = f"{_SIGNS[target.sense]}{number(target.value)}"
        label = "" if each.holds else f"{shown(target, each.model)}, not {instead}"
        rows += [
            {"origin": "published", **place, "value": 0.0, "is": shown(target, target.value)}
            | {"low": low, "high": high},
            {
                "origin": "simulated",
                "run": NO_RUN,
                **place,
                "value": drawn,
                "is": shown(target, each.model),
            }
            | {"label": label, "label_at": max(drawn, 1.0)}
            | {"tolerances": away, "verdict": verdict(each)},
        ]
    order = list(PANELS.values())
    frame = pd.DataFrame(rows)
    return frame.sort_values(
        "panel", key=lambda panels: panels.map(order.index), kind="stable"
    ).reset_index(drop=True)


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
            f"{each.difference:+.3g}",
            verdict(each),
        ]
        for each in comparisons
    ]
    columns = ["Published", "Value", "Model", "Difference", "Verdict"]
    return Table(columns, rows, caption, {"Verdict": badge})


def published(target: Target) -> str:
    """Write a published value, with its tolerance where it is met and not only passed."""
    text = f"{_SIGNS[target.sense]}{shown(target, target.value)}"
    return f"{text}\n± {number(target.tolerance)}" if target.sense == "equal" else text


def sentence(comparisons: Sequence[Comparison]) -> str:
    """Say how many published values of each role the model agrees with, and with which not."""
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


def count(comparisons: Sequence[Comparison], role: str) -> tuple[int, int]:
    """Return how many published values of a role hold, and how many there are."""
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
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
