"""Tables of the book: HTML for its pages, plain text for a terminal."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from numbers import Number
from typing import Any

import pandas as pd

from studybook.text import counted, minus
from studybook.units import unit_of

Show = Callable[[Any], str]

#: The class by which the style sheet knows a verdict.
_VERDICTS = {
    "holds": "holds", "does not hold": "fails", "missed": "fails", "open": "open",
    "cannot be judged": "unjudged",
}  # fmt: skip

#: Cells of no more characters than this are not wrapped, nor are numbers with their unit.
SHORT = 16
#: Tables with more rows than this are folded by :func:`details`.
FEW = 12

_DIGITS = r"[−+±]?(\d[\d,]*)?\.?\d+"
#: A number, with a short unit perhaps, and one with any unit; a dash stands for none.
_NUMBER, _QUANTITY = re.compile(_DIGITS + r"( \S{1,6})?"), re.compile(_DIGITS + r" \S+")
_NONE = "–"


class Table:
    """Rows of text under headings.

    Parameters
    ----------
    columns : sequence of str
        The headings.
    rows : sequence of sequences of str
        The cells, as plain text; what follows a line end is set small, below the first line.
    caption : str, optional
        What the table shows.
    marked : mapping, optional
        Heading to function that turns the text of its cells into HTML; other cells are escaped.
    ids : sequence of str, optional
        A name for each row, by which other pages link to it.
    folded : bool, optional
        Whether a page shows the caption only, until somebody unfolds it: for long ones.
    """

    def __init__(
        self,
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        caption: str = "",
        marked: Mapping[str, Show] | None = None,
        ids: Sequence[str] = (),
        *,
        folded: bool = False,
    ) -> None:
        self.columns, self.rows, self.caption = list(columns), [list(row) for row in rows], caption
        self._marked = dict(marked or {})
        self._ids = list(ids) or [""] * len(self.rows)
        self._folded = folded

    def __repr__(self) -> str:
        rows = [[cell.replace("\n", " · ") for cell in row] for row in self.rows]
        lines = [self.columns, *rows]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        text = "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        )
        return f"{self.caption}\n{text}" if self.caption else text

    def _repr_html_(self) -> str:
        said = html.escape(self.caption)
        caption = f"<caption>{said}</caption>" if said and not self._folded else ""
        right = {
            name
            for place, name in enumerate(self.columns)
            if place and _are_numbers([row[place] for row in self.rows])
        }
        cells = "".join(
            f'<th scope="col"{_class("number" * (name in right))}>{html.escape(name)}</th>'
            for name in self.columns
        )
        head = f"<thead><tr>{cells}</tr></thead>" if any(self.columns) else ""
        body = "".join(
            (f'<tr id="{html.escape(name)}">' if name else "<tr>")
            + "".join(
                self._cell(head, cell, head in right)
                for head, cell in zip(self.columns, row, strict=True)
            )
            + "</tr>"
            for name, row in zip(self._ids, self.rows, strict=True)
        )
        table = (
            f'<div class="study-table" tabindex="0"><table>{caption}{head}'
            f"<tbody>{body}</tbody></table></div>"
        )
        return f"<details><summary>{said}</summary>{table}</details>" if self._folded else table

    def _cell(self, column: str, text: str, right: bool) -> str:
        first, _, rest = text.partition("\n")
        main = self._marked.get(column, html.escape)(first)
        small = f"<small>{html.escape(rest)}</small>" if rest else ""
        # A number and its unit stay together; text may wrap.
        is_short = len(first) <= SHORT or _QUANTITY.fullmatch(first)
        kind = _class("short" if is_short else "", "number" * right)
        return f'<td{kind} data-label="{html.escape(column)}">{main}{small}</td>'


def _class(*names: str) -> str:
    said = " ".join(filter(None, names))
    return f' class="{said}"' if said else ""


def _are_numbers(cells: Sequence[str]) -> bool:
    """Whether a column has numbers, and nothing beside them."""
    said = [cell for cell in cells if cell != _NONE]
    return bool(said) and all(map(_NUMBER.fullmatch, said))


def show(
    frame: pd.DataFrame, caption: str = "", empty: str = "none", *, folded: bool = False
) -> Table:
    """Show the rows of a query.

    Parameters
    ----------
    frame : pandas.DataFrame
        The rows; the unit at the end of a column's name is printed as a unit.
    caption : str, optional
        What the table shows.
    empty : str, optional
        What to say where there are no rows.
    folded : bool, optional
        As of :class:`Table`.
    """
    columns = [_heading(str(name)) for name in frame.columns]
    rows = [[_cell(value) for value in row] for row in frame.itertuples(index=False)]
    if not rows:
        return Table([""], [[empty]], caption)
    return Table(columns, rows, caption, {"origin": badge, "verdict": badge}, folded=folded)


def details(frame: pd.DataFrame, caption: str) -> Table | None:
    """Show rows that few readers ask for: folded where there are many, and nothing for none.

    Parameters
    ----------
    frame : pandas.DataFrame
        The rows, as of :func:`show`.
    caption : str
        What they are; how many is said behind it.
    """
    if frame.empty:
        return None
    many = len(frame) > FEW
    return show(frame, f"{caption}: {counted(len(frame), 'row')}", folded=many)


def _heading(name: str) -> str:
    words, unit = unit_of(name)
    words = words.replace("_", " ")
    return f"{words} ({unit})" if unit else words


def _cell(value: Any) -> str:
    if any(value is each for each in (None, pd.NA, pd.NaT)) or value != value:  # NaN, that is
        return _NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Number):  # of NumPy, too, and decimals
        return minus(f"{value:,}")
    return str(value)


def badge(text: str) -> str:
    """An origin, or a verdict, as the style sheet draws it: sign, word and colour."""
    known = _VERDICTS.get(text)
    kind = f"verdict-{known}" if known else f"origin-{html.escape(text.replace(' ', '-'))}"
    return f'<span class="{kind}">{html.escape(text)}</span>'


def origin_badge(text: str) -> str:
    """The same of an origin, where a dash may stand for none."""
    return text if text == _NONE else badge(text)
