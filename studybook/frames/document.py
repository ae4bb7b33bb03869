"""What a document says, as rows of a chart: its numbers, and what we read into its words.

A number that is printed has a ``value``; a range that is printed has ``low`` and ``high``, and a
bound one of the two. These are ``published``. Where the document has words, what we read into them
is a range or a bound of the origin ``our reading``: it has no value, for the document has none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from studybook.claims import verdict_text
from studybook.claims.published_values import Claim

#: The origins of rows that are of a document, and not of data.
PUBLISHED, OUR_READING = "published", "our reading"
ORIGINS = (PUBLISHED, OUR_READING)

#: The column of what a drawing prints at a mark, where that is not the row's own label: marks of
#: one place share their words. Tables and CSV leave it out.
DRAWN = "shown"

#: The types of the numbers of such rows, whatever is missing.
NUMBERS = dict.fromkeys(("value", "low", "high"), float)


def own(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows that are of data, and not of a document."""
    return frame[~frame["origin"].isin(ORIGINS)]


def rows(found: Sequence[Mapping[str, Any]], columns: list[str] | None = None) -> pd.DataFrame:
    """Make a frame of rows of a document; what it has no number for is missing, and no object.

    Parameters
    ----------
    found : sequence of mapping
        As of :func:`said`, with their places.
    columns : list of str, optional
        The columns; those of the rows, where they are left out.
    """
    frame = pd.DataFrame(list(found), columns=columns)
    return frame.astype(NUMBERS)


def said(
    claim: Claim,
    shown: Callable[[float], str],
    change: Callable[[float], float] = lambda number: number,
) -> dict[str, Any] | None:
    """What a claim has of its document, as the columns that a chart draws.

    Parameters
    ----------
    claim : Claim
        The claim.
    shown : callable
        What makes a label of a number, with its unit.
    change : callable, optional
        What makes the number that is drawn of one that is printed.

    Returns
    -------
    dict or None
        ``origin``, ``value``, ``low``, ``high``, ``label`` and ``claim``; None where the document
        has neither a number nor words that we read one into.
    """
    if claim.kind == "statement" or (claim.value is None and claim.reads is None):
        return None
    row: dict[str, Any] = {"origin": OUR_READING if claim.words else PUBLISHED, "claim": claim.id}
    if claim.words:
        ends = (claim.accepted.low, claim.accepted.high)
        low, high = (change(end) if math.isfinite(end) else None for end in ends)
        return row | {"value": None, "low": low, "high": high, "label": f"“{claim.words}”"}
    # Where our number is converted, or the document says “around”, its own words are the label.
    quoted = f"“{claim.printed}”" if claim.printed else ""
    if isinstance(claim.value, tuple):
        low, high = map(change, claim.value)
        label = quoted or f"{shown(low).split(' ')[0]} to {shown(high)}"
        return row | {"value": None, "low": low, "high": high, "label": label}
    number = change(float(str(claim.value)))
    label = quoted or verdict_text.sign(claim) + shown(number)
    bounds = {"value": None, "low": None, "high": None}
    end = {"=": "value", "<": "high", "<=": "high", ">": "low", ">=": "low"}[claim.operator]
    return row | bounds | {end: number, "label": label}
