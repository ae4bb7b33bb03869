"""A course as small as a word: for tables of many."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from studybook.table import Table
from studybook.text import minus
from studybook.units import unit_of

_BLOCKS = "▁▂▃▄▅▆▇█"


def sparkline(places: Sequence[float], values: Sequence[float]) -> str:
    """Write values as blocks of eight heights, the least as the lowest; a gap is a blank.

    Parameters
    ----------
    places : sequence of float
        The place of each, from 0 on.
    values : sequence of float
        The values.
    """
    low = min(values)
    step = (max(values) - low) / (len(_BLOCKS) - 1) or 1
    at = {int(place): value for place, value in zip(places, values, strict=True)}
    return "".join(
        _BLOCKS[round((at[place] - low) / step)] if place in at else "\N{NO-BREAK SPACE}"
        for place in range(max(at) + 1)
    )


def courses(found: pd.DataFrame, caption: str) -> Table:
    """Show quantities in rows, each with a small picture of its course.

    Parameters
    ----------
    found : pandas.DataFrame
        As :func:`studybook.frames.recorded.recorded_by_sar` gives it.
    caption : str
        What the table shows.
    """
    rows = []
    for row in found.to_dict("records"):
        words, unit = unit_of(row["quantity"])
        name = f"{row['activity'].removeprefix('sar_')}: {words}".replace("_", " ")
        rows.append(
            [
                name + (f" ({unit})" if unit else ""),
                " ".join(filter(None, [row["host"], row["item"]])),
                sparkline(row["bins"], row["course"]),
                *(_number(row[each]) for each in ("mean", "least", "most")),
            ]
        )
    if not rows:
        return Table([""], [["nothing that changed"]], caption)
    # The numbers say it to who hears the page.
    silent = {"course": lambda text: f'<span class="sparkline" aria-hidden="true">{text}</span>'}
    heads = ["quantity", "of", "course", "mean", "least", "most"]
    return Table(heads, rows, caption, silent, folded=True)


def _number(value: float) -> str:
    return minus(f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}")
