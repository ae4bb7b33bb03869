"""The data of a chart as a table in its page: what a mark is drawn from, in words and numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from html import escape
from typing import Any

import numpy as np

from studybook.charts.renderer import Spec, table, titles
from studybook.frames import document
from studybook.study.origin import NO_RUN
from studybook.text import minus

#: A longer table helps nobody in a page; all rows are in the download of the figure.
TABLE_ROWS = 200

#: Cells of the data table with more characters than these are wrapped, to a wide or narrow column.
LONG, WORDS = 60, 16

#: Columns of the data that say where a mark or its name stands in a drawing.
_DRAWN_AT = {"x", "y", "x2", "y2", "paint", "number"}

#: What says how far a value goes and where it comes from, whether a mark shows it or not.
_ALWAYS = {
    "origin", "run", "claim", "label", "text", "given_as", "low", "high", "n", "lowest", "highest",
}  # fmt: skip

#: What of a specification draws no column: the data, words, and names of marks and types.
_NO_COLUMN = {"datasets", "data", "config", "usermeta", "title", "description", "mark", "type"}

#: Columns of the data table that stand for several of the data: all of these are in its CSV.
_INTERVAL, _SOURCE = "interval", "run, or words of the document"


def data_table(spec: Spec, title: str) -> Iterator[str]:
    """Write the rows of a chart as a table that unfolds; nothing where it has none.

    It has all words, and the numbers that the marks show; what else was computed on the way to
    these is in the download of the figure only.

    Parameters
    ----------
    spec : dict
        The specification, as :func:`studybook.charts.renderer.render` gives it.
    title : str
        What the chart says.

    Yields
    ------
    str
        Lines of HTML.
    """
    rows = table(spec)
    if not rows:
        return
    columns: list[str] = spec.get("usermeta", {}).get("columns") or list(rows[0])
    named: defaultdict[str, set[str]] = defaultdict(set)
    for field, title_of_axis in titles(spec):
        named[field].add(title_of_axis)
    if "name_at" in columns:  # where a line is named by what other columns say
        columns = [each for each in columns if each not in ("name", "name_at")]
    if "panel" in columns:  # which has the quantity as readers know it
        columns = [each for each in columns if each != "quantity"]
    columns = [each for each in columns if named[each] or each not in _DRAWN_AT]
    drawn = _ALWAYS.union(*map(_columns_in, _strings(spec)))
    columns = [
        each
        for each in columns
        if each in drawn or (_is_of_words(each, rows) and not _is_within(each, columns, rows))
    ]
    rows, columns = _joined(rows, columns, spec.get("usermeta", {}).get("metrics", {}))
    # A column that several axes show keeps its name, and so do all but the first of one axis.
    heads: dict[str, str] = {}
    for column in columns:
        titled = min(named[column]) if len(named[column]) == 1 else ""
        again = titled in heads.values()
        heads[column] = column.replace("_", " ") if again or not titled else titled
    columns, same = _without_same(rows, columns)
    shown = rows[:TABLE_ROWS]
    more = f" (the first {TABLE_ROWS} of {len(rows):,} rows)" if len(rows) > TABLE_ROWS else ""
    yield '<details class="study-chart-data">'
    yield "<summary>Data table</summary>"
    if said := "; ".join(f"{heads[column]}: {text}" for column, text in same.items()):
        yield f'<p class="study-chart-same">In all rows: {escape(said)}</p>'
    yield '<div class="study-scroll" role="group" aria-label="Data table" tabindex="0"><table>'
    yield f"<caption>{escape(title)}{more}</caption>"
    yield "<thead><tr>"
    yield "".join(
        f'<th scope="col"{_class_of(column, shown)}>{escape(heads[column])}</th>'
        for column in columns
    )
    yield "</tr></thead><tbody>"
    for row in shown:
        yield "<tr>" + "".join(_cell(row.get(column), column) for column in columns) + "</tr>"
    yield "</tbody></table></div></details>"


def _strings(part: Any) -> Iterator[str]:
    """Yield the strings of a specification that may name columns."""
    if isinstance(part, str):
        yield part
    for inner in part if isinstance(part, list) else ():
        yield from _strings(inner)
    for key, inner in part.items() if isinstance(part, dict) else ():
        if key not in _NO_COLUMN or (key == "mark" and isinstance(inner, dict)):
            yield from _strings(inner)


def _columns_in(text: str) -> list[str]:
    """The columns that a string names: itself, and those that an expression asks for."""
    return [text, *re.findall(r"""datum(?:\.|\[['"])(\w+)""", text)]


def _is_of_words(column: str, rows: list[dict[str, Any]]) -> bool:
    return any(isinstance(row.get(column), str) for row in rows)


def _is_within(column: str, columns: list[str], rows: list[dict[str, Any]]) -> bool:
    """Whether what words of a column say is in each row said by another one, with more."""

    def by(other: str) -> bool:
        pairs = [(row[column], row.get(other)) for row in rows if row.get(column) is not None]
        return all(isinstance(more, str) and said != more and said in more for said, more in pairs)

    return any(by(other) for other in columns if other not in (column, "run", "claim", "text"))


def _joined(
    rows: list[dict[str, Any]], columns: list[str], metrics: dict[str, dict[str, str]]
) -> tuple[list[dict[str, Any]], list[str]]:
    """Join columns that say one thing, so that a page has room for all of them.

    An interval has two ends; a row has either runs or a claim with its words; what is printed at a
    mark of one's own is its value.
    """
    of_document = any(
        row.get("origin") in document.ORIGINS and any(map(row.get, ("claim", "label", "text")))
        for row in rows
    )
    source = _SOURCE if of_document else "run"
    joined = []
    for row in rows:
        told = dict(row)
        told[_INTERVAL] = _interval(row.get("low"), row.get("high"))
        if row.get("part") and row.get("against"):
            share = ", as a share" if row.get("given_as") == "share" else ""
            told["part"] = f"{row['part']} from {row['against']}{share}"
        if known := metrics.get(row.get("metric") or ""):
            unit = f" ({known['unit']})" if known.get("unit") else ""
            told["metric"] = f"{known.get('label', row['metric'])}{unit}"
        claim, label = row.get("claim"), row.get("text") or row.get("label")
        told[source] = row.get("run")
        if row.get("origin") in document.ORIGINS and (claim or label):
            told[source] = f"{label} ({claim})" if claim and label else claim or label
            told["label"] = None
        elif _is_number(row.get("value")):
            told["label"] = None
        joined.append(told)
    gone = {"low", "high", "run", "claim"} | (
        {"given_as", "against"} if "part" in columns else set()
    )
    if of_document:
        gone |= {"text"}
    if not {"low", "high"} <= {*columns}:
        gone -= {"low", "high"}
    kept: list[str] = []
    for column in columns:
        if column == "low" and column in gone:
            kept.append(_INTERVAL)
        if column not in gone:
            kept.append(column)
    # long names, which kept the numbers out of sight, come last
    return joined, [*kept, source]


def _interval(low: Any, high: Any) -> str | None:
    """Write two ends in the digits that count; the data have all of them."""
    ends = [None if end is None else number(float(end)) for end in (low, high)]
    if None not in ends:
        return " to ".join(map(str, ends))
    return f"≥ {ends[0]}" if ends[0] else f"≤ {ends[1]}" if ends[1] else None


def _without_same(
    rows: list[dict[str, Any]], columns: list[str]
) -> tuple[list[str], dict[str, str]]:
    """Part the columns that tell rows apart from those that say the same in all; empty ones go."""
    said = {
        column: {"" if row.get(column) is None else number(row[column]) for row in rows}
        for column in columns
    }
    same = {column: min(said[column]) for column in columns if len(said[column]) == 1}
    kept = [column for column in columns if column not in same]
    if not kept:  # of one row, all is said in the table
        return columns, {}
    return kept, {column: text for column, text in same.items() if text not in ("", NO_RUN)}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _class_of(column: str, rows: list[dict[str, Any]]) -> str:
    """The class of the head of a column of numbers, which stands above them."""
    values = [row[column] for row in rows if row.get(column) is not None]
    if column == _INTERVAL:
        return " class=number"
    return " class=number" if values and all(map(_is_number, values)) else ""


def _cell(value: Any, column: str) -> str:
    text = number(value)
    kind = "long" if len(text) > LONG else "words" if len(text) > WORDS else ""
    if column == _INTERVAL:
        kind = "number ends"
    if _is_number(value):
        kind = "number"
    named = f' class="{kind}"' if " " in kind else f" class={kind}" if kind else ""
    return f"<td{named}>{escape(text)}</td>"


def number(value: Any) -> str:
    """Write a value of the data table for a reader.

    Parameters
    ----------
    value : Any
        A value of a row, as JSON has it.

    Returns
    -------
    str
        Numbers with thousands separated and four significant digits, as tooltips have them.
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return minus(f"{value:,}")
    if not isinstance(value, float):
        return str(value)
    shown = float(f"{value:.4g}") or 0.0  # no zero has a sign
    if abs(shown) >= 1000:
        return minus(f"{value:,.0f}")
    return minus(np.format_float_positional(shown, trim="-"))
