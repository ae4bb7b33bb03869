"""What a figure says in words, from the rows that it draws: titles, readings, alternative texts."""

from __future__ import annotations

import html
import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from studybook.frames import document
from studybook.frames.comparison import clear
from studybook.statistics.comparatives import (
    beyond,
    beyond_twice,
    compared,
    in_words,
    is_comparative,
)
from studybook.statistics.digits import borne
from studybook.text import minus, numbered, spaced
from studybook.units import known_metrics, metric

#: The parts of a frame that an alternative text has; the others are guides, or of single runs.
SPOKEN = ("mean", "difference", "place", "at", "peak", "knee")

#: The class of the paragraph below a chart that says what is in it.
READING = "study-reading"

#: Columns that say what a row is, not of which setup.
_OF_ROWS = frozenset(
    (  # noqa: SIM905
        "origin run run_id part metric value low high n label name name_at claim against guide"
        " given_as shown"
    ).split()
)


def value(row: Any, shown: str = "") -> str:
    """A row with its unit and its interval, as the book prints them: “298 ms (282 to 315 ms)”.

    Parameters
    ----------
    row : named tuple
        A row of a chart's frame.
    shown : str
        The metric where the row has none, the format of a number, such as ``"{:.1%}"``, or, for a
        difference, a comparative: “longer than” makes “29.5 % longer (27.0 to 32.1 %) than”.
    """
    share = _field(row, "part") == "difference" and _is_share(row)
    signed = _field(row, "part") == "difference"
    # A knee of a response time is no response time, but the load at which it is.
    name = "" if _field(row, "part") == "knee" else str(_field(row, "metric"))
    quantity = known_metrics().get(name if is_comparative(shown) else shown or name)
    low, high = _field(row, "low"), _field(row, "high")
    if share and is_comparative(shown):
        return compared(row.value, low, high, shown)
    if is_comparative(shown):

        def size(number: float) -> str:
            most = quantity.decimals_of(row.value) if quantity else None
            return borne(row.value, low, high, most, of=abs(number))

        return in_words(row.value, low, high, shown, size, quantity.unit if quantity else "")

    def said(number: float) -> str:
        if "{" in shown and not share:
            return minus(shown.format(number))
        # The ends of an interval end at the same place as its value.
        times = 100 if share else 1
        most = 1 if share else quantity.decimals_of(number) if quantity else None
        least, greatest = (None if end is None else times * end for end in (low, high))
        of = number if _field(row, "value") is None else row.value
        text = borne(times * of, least, greatest, most, signed=signed, of=times * number)
        return f"{text} %" if share else numbered(text, quantity.unit if quantity else "")

    label = _field(row, "label")
    # What was published is printed with its own digits and signs; a hyphen of its words stays one.
    of_document = row.origin in document.ORIGINS
    first = str(label) if label and of_document else said(row.value)
    if row.origin == document.OUR_READING and (low is None) != (high is None):
        end = f"at most {said(high)}" if low is None else f"at least {said(low)}"
        return f"{first} ({end})"
    if low is None or high is None or row.origin == document.PUBLISHED:
        return first
    return f"{first} ({said(low).split(' ')[0]} to {said(high)})"


def amount(row: Any) -> str:
    """How large a difference is, without its sign."""
    return str(row.label).lstrip("+−")


def say(sentence: str, **values: Any) -> str:
    """Fill in a sentence; empty where one of the values that it names is not there.

    Parameters
    ----------
    sentence : str
        With the names of values in braces: ``"Pages take {mean}."``
    **values
        Texts, numbers, or rows of a frame, which are said by :func:`value`; their columns are at
        hand, too, as in ``{mean.label}``, and differences in words, as in ``{change:longer}``.
    """
    fields = (field for _, field, _, _ in string.Formatter().parse(sentence) if field)
    named = [values[re.split(r"[.\[]", field)[0]] for field in fields]
    if any(each is None or (isinstance(each, float) and pd.isna(each)) for each in named):
        return ""
    return sentence.format(**{name: _spoken(each) for name, each in values.items()})


def case(
    difference: Any, *, more: str, less: str, same: str, missing: str = "", **values: Any
) -> str:
    """Say a difference by its case: the title of a chart, or a part of it, in one call.

    Parameters
    ----------
    difference : named tuple or None
        A row of the part ``difference``.
    more, less : str
        What to say where its interval leaves out zero, or there is none; ``{amount}`` is the
        difference without its sign, ``{interval:longer}`` the difference in words with its
        interval, ``{n}`` the number of runs of a setup, ``{runs}`` the same as “3 runs”. Beyond
        half or twice ``{amount} longer than`` is said as a multiple: “3.4 × as long as”.
    same : str
        What to say where zero lies within the interval.
    missing : str
        What to say where nothing is compared.
    **values
        Further values that the cases name in braces, as of :func:`say`.
    """
    if difference is None:
        return say(missing, **values)
    at_hand = {"amount": amount(difference), "interval": _Row(difference)} | values
    if _field(difference, "n"):
        n = int(difference.n)
        at_hand = {"n": n, "runs": numbered(str(n), "runs")} | at_hand
    if not (clear(difference) or pd.isna(difference.low)):
        return say(same, **at_hand)
    said = more if difference.value > 0 else less
    if _is_share(difference) and beyond(difference.value):
        said = beyond_twice(said, difference.value, difference.low, difference.high)
    return say(said, **at_hand)


def listed(texts: Sequence[str]) -> str:
    """Texts as a list in a sentence, such as “a, b and c”; empty ones are left out, as by case."""
    texts = [*filter(None, texts)]
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


class Reading:
    """What a chart says, in some sentences below it.

    Parameters
    ----------
    *sentences : str
        Empty ones are left out: they had no data.
    """

    def __init__(self, *sentences: str) -> None:
        self.text = spaced(" ".join(filter(None, sentences)))

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f'<p class="{READING}">{html.escape(self.text, quote=False)}</p>'


def alternative(title: str, frame: pd.DataFrame, *, shown: str = "", **says: str) -> str:
    """Write the alternative text of a chart: its finding, then its values with units and intervals.

    Parameters
    ----------
    title : str
        The finding.
    frame : pandas.DataFrame
        The data of the chart: ``origin``, ``value``, and ``part``, ``metric``, ``against``,
        ``low``, ``high``, ``label`` where there are. All other columns tell setups apart; one
        that has a single value for a metric is left out.
    shown : str
        As of :func:`value`.
    **says
        For a column: how its numbers are said, such as ``times="{:.1f} ×"``; empty to leave it out.
    """
    if "value" not in frame:
        return title
    rows = frame[frame["part"].isin(SPOKEN)] if "part" in frame else frame
    told = [
        str(column)
        for column in rows
        if column not in _OF_ROWS and rows[column].nunique() > 1 and says.get(str(column)) != ""
    ]
    groups = [column for column in ("metric", "part", "against", "origin") if column in rows]
    sentences = [f"{title}."]
    for key, own in rows.groupby(groups, sort=False, dropna=False):
        same = rows[rows["metric"] == own["metric"].iloc[0]] if "metric" in rows else rows
        differ = [column for column in told if same[column].nunique() > 1]
        head = _head(dict(zip(groups, key, strict=True)), shown)
        values = [
            ": ".join(filter(None, [_setup(row, differ, says), value(row, shown)]))
            for row in own.itertuples()
            if _field(row, "label") != "" and (_field(row, "value") is not None or _is_said(row))
        ]
        if values:
            sentences.append(f"{head}: {'; '.join(values)}.")
    return " ".join(sentences)


def _head(group: Mapping[str, Any], shown: str) -> str:
    name = group.get("metric") or shown
    # What the registry does not know is called as it is.
    label = metric(name).label if name in known_metrics() else group.get("metric") or "Values"
    part = group.get("part")
    if part == "difference":
        label = f"{label}, difference from {group['against']}"
    elif part in {"peak", "knee"}:
        label = f"{label}, {part}"
    return f"{label} ({group['origin']})"


def _setup(row: Any, told: Sequence[str], says: Mapping[str, str]) -> str:
    texts = [_said(name, _field(row, name), says.get(name)) for name in told]
    return ", ".join(filter(None, texts))


def _said(column: str, found: Any, how: str | None) -> str:
    """A value of a factor: a number with the factor that it is of, such as “1 node”, “4 nodes”."""
    if found is None:
        return ""
    words = isinstance(found, str) and not found.isdigit()
    if how and not words:
        number, _, things = how.format(found).partition(" ")
        return numbered(number, things)
    if isinstance(found, str):
        return found
    things = column.replace("_", " ")
    return numbered(f"{found:g}", things) if things.endswith("s") else f"{things} {found:g}"


def _field(row: Any, name: str) -> Any:
    """A field of a row; None where it is missing."""
    found = getattr(row, name, None)
    return None if found is None or (found != "" and pd.isna(found)) else found


def _is_said(row: Any) -> bool:
    """Whether a row without a value is of a document, which has a range, a bound, or words."""
    return row.origin in document.ORIGINS and bool(_field(row, "label"))


def _is_share(row: Any) -> bool:
    """Whether a difference is given as a share of what it is taken from."""
    if (given_as := _field(row, "given_as")) is not None:
        return bool(given_as == "share")
    return str(row.label).endswith("%") and metric(row.metric).unit != "%"


def _spoken(found: Any) -> Any:
    return _Row(found) if hasattr(found, "_fields") else found


class _Row:
    """A row that says itself in a sentence."""

    def __init__(self, row: Any) -> None:
        self._row = row

    def __getattr__(self, name: str) -> Any:
        return getattr(self._row, name)

    def __format__(self, how: str) -> str:
        return value(self._row, how)
