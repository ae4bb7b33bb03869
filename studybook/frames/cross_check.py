"""Laws that the exports of a run must obey together: what is counted twice must agree.

The laws and their bounds stand in ``sql/study/31_law.sql``, what they compare in
``31_law_side.sql``, the verdicts in ``32_cross_check.sql``. A figure's notebook ends in
:func:`of_runs`: one quiet line while all laws hold, a warning when one is violated.
"""

from __future__ import annotations

import html
import math
from typing import Any

import pandas as pd

from studybook.study.origin import run_name
from studybook.study.study import Study
from studybook.table import Table
from studybook.text import short

HOLDS, VIOLATED, UNJUDGED = "holds", "violated", "cannot be judged"

#: The class by which the style sheet knows each of them.
_BADGES = {HOLDS: "holds", VIOLATED: "fails", UNJUDGED: "unjudged"}

#: Most violations that a figure's page lists; the page of all laws lists every one.
LISTED = 12


def rows(study: Study) -> pd.DataFrame:
    """Judge every law on every run of a study.

    Parameters
    ----------
    study : Study
        The opened study; laws whose exports it does not see cannot be judged.

    Returns
    -------
    pandas.DataFrame
        The view ``cross_check``, violations first: a row per run and law, and host where the
        law is of hosts.
    """
    found = study.query("FROM cross_check ORDER BY place, run_id, host NULLS FIRST, left_name")
    order = [VIOLATED, UNJUDGED, HOLDS]
    return found.sort_values(
        "verdict", key=lambda verdicts: verdicts.map(order.index), kind="stable", ignore_index=True
    )


class Checks:
    """The checks of some runs, as a line or as a warning.

    Parameters
    ----------
    found : pandas.DataFrame
        As :func:`rows` gives them.
    """

    def __init__(self, found: pd.DataFrame) -> None:
        self.found = found
        self.violated = found[found["verdict"] == VIOLATED]

    @property
    def sentence(self) -> str:
        """Of which origin the exports are, how many checks there are, and what came of them.

        One model writes all exports of a simulated run, so that they agree is no evidence.
        """
        if self.found.empty:
            return "No law applies: these runs have no two exports that one sets against each other"
        origins = sorted(self.found["origin"].unique())
        said = f"{' and '.join(origins).capitalize()} exports"
        if "simulated" in origins:
            whose = "one model wrote all" if len(origins) == 1 else "one model wrote the simulated"
            said += f" ({whose}: a test of writers and readers, and not of the system)"
        return f"{said}: {self.counts}"

    @property
    def counts(self) -> str:
        """How many checks there are, and what came of them."""
        counts = self.found["verdict"].value_counts()
        held, broken, left = (int(counts.get(each, 0)) for each in (HOLDS, VIOLATED, UNJUDGED))
        runs = _number(self.found["run_id"].nunique(), "run")
        said = [f"{_number(broken, 'check')} violated"] if broken else []
        if held:
            said.append(f"{_number(held, 'check')} of {runs} {'holds' if held == 1 else 'hold'}")
        if left:
            # Without the sum before it, the number needs its noun.
            what = f"{left:,}" if said else f"{_number(left, 'check')} of {runs}"
            why = sorted(set(self.found.loc[self.found["verdict"] == UNJUDGED, "why"]))
            said.append(f"{what} cannot be judged ({', '.join(why)})")
        return "; ".join(said)

    @property
    def table(self) -> Table:
        """The worst violation of each law in each run, those furthest from their bounds first."""
        worst = _furthest_first(self.violated).drop_duplicates(["run_id", "law"]).head(LISTED)
        more = len(self.violated) - len(worst)
        caption = f"Those furthest from their bounds; there are {more:,} more" if more else ""
        return table(worst, caption)

    def __repr__(self) -> str:
        if self.violated.empty:
            return self.sentence
        return f"WARNING: {self.sentence}\n{self.table!r}"

    def _repr_html_(self) -> str:
        said = html.escape(self.sentence)
        if self.violated.empty:
            mark = "" if self.found.empty else f"{_badge(HOLDS)} "
            return f'<p class="study-checks">{mark}{said}.</p>'
        return (
            '<div class="admonition warning study-checks"><p class="admonition-title">'
            "The exports of these runs contradict each other</p>"
            f"<p>{said}.</p>{self.table._repr_html_()}</div>"
        )


def of_runs(study: Study) -> Checks:
    """Check the runs behind a figure: whether what their exports say agrees.

    Parameters
    ----------
    study : Study
        The study as the figure opened it: its runs, its stable phase.

    Returns
    -------
    Checks
        One line with the origin if no law is violated; else a warning with run, law and both
        values.
    """
    return Checks(rows(study))


def laws(study: Study) -> Table:
    """List the laws with their bounds, and why the bounds are not closer."""
    found = study.query("FROM law ORDER BY place")
    listed = [
        [
            f"{row['law']}\n{row['because']}",
            f"{row['left_name']} ({row['unit']})",
            row["right_name"],
            _bounds(row["lowest"], row["highest"]),
        ]
        for row in found.to_dict("records")
    ]
    return Table(["Law", "One side", "Other side", "Their ratio"], listed)


def by_law(found: pd.DataFrame, most: int = 6) -> list[Table]:
    """List the checks of each law, those that are violated first.

    Parameters
    ----------
    found : pandas.DataFrame
        As :func:`rows` gives them.
    most : int
        How many checks of a law to list beside its violations: those closest to a bound.
    """
    own = {
        law: _furthest_first(part)
        for law, part in found.sort_values("place", kind="stable").groupby("law")
    }
    order = sorted(own, key=lambda law: (VIOLATED not in set(own[law]["verdict"]),
                                         own[law]["place"].iloc[0]))  # fmt: skip
    return [_of_law(str(law), own[law], most) for law in order]


def _of_law(law: str, own: pd.DataFrame, most: int) -> Table:
    verdict = own["verdict"]
    parts = [
        own[verdict == VIOLATED],
        own[verdict == HOLDS].head(most),
        # One for each reason.
        own[verdict == UNJUDGED].drop_duplicates("why"),
    ]
    listed = pd.concat(parts)
    closest = " Listed are those closest to a bound." if (verdict == HOLDS).sum() > most else ""
    return table(listed, f"{law}: {Checks(own).counts}.{closest}", law=False)


def table(found: pd.DataFrame, caption: str = "", *, law: bool = True) -> Table:
    """Show checks with both values, their ratio and the verdict.

    Parameters
    ----------
    found : pandas.DataFrame
        As :func:`rows` gives them.
    caption : str
        What the table shows.
    law : bool
        Whether the law has a column.
    """
    columns = [*(["Law"] if law else []), "Run", "One side", "Other side", "Ratio", "Verdict"]
    listed = [
        {
            "Run": _where(row),
            "Law": row["law"],
            "One side": _side(row, "left"),
            "Other side": _side(row, "right"),
            "Ratio": _ratio(row["ratio"]),
            "Verdict": f"{row['verdict']}\n{row['why']}",
        }
        for row in found.to_dict("records")
    ]
    cells = [[row[column] for column in columns] for row in listed]
    return Table(columns, cells, caption, {"Verdict": _badge})


def _badge(verdict: str) -> str:
    return f'<span class="verdict-{_BADGES[verdict]}">{verdict}</span>'


def _furthest_first(found: pd.DataFrame) -> pd.DataFrame:
    far = [_distance(row) for row in found.to_dict("records")]
    return found.assign(far=far).sort_values("far", ascending=False, kind="stable")


def _where(row: dict[Any, Any]) -> str:
    run = run_name(row["run_id"])
    return f"{run}\n{row['host']}" if isinstance(row["host"], str) else run


def _side(row: dict[Any, Any], side: str) -> str:
    value = row[f"{side}_value"]
    # Five digits, but no exponent.
    shown = "–" if math.isnan(value) else f"{float(f'{value:.5g}'):,.10g} {row['unit']}"
    return f"{shown}\n{row[f'{side}_name']}"


def _ratio(value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:.4f}" if value < 2 else short(value, 4)


def _distance(row: dict[Any, Any]) -> float:
    """How far a ratio is beyond its bounds (positive), or from the next of them (negative)."""
    if row["verdict"] == UNJUDGED:
        return -math.inf
    if math.isnan(row["ratio"]):
        # A number set against 0.
        return math.inf if row["verdict"] == VIOLATED else -math.inf
    below = row["allowed_from"] / row["ratio"] if row["ratio"] else math.inf
    beyond = (below, row["ratio"] / row["allowed_to"])
    return max((math.log(each) for each in beyond if each > 0), default=-math.inf)


def _bounds(lowest: float, highest: float) -> str:
    if math.isnan(highest):
        return f"≥ {lowest:g}"
    return f"≤ {highest:g}" if math.isnan(lowest) else f"{lowest:g} to {highest:g}"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
