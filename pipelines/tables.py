"""Tables of the book: HTML for its pages, plain text for a terminal."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from pipelines import verdict_text
from pipelines.claims import CannotJudge, Judgement, Verdict, evidence
from pipelines.metrics import METRICS
from pipelines.published import Published, Side
from pipelines.study import Study

Show = Callable[[Any], str]

#: The class by which the style sheet knows a verdict.
_BADGES = {Verdict.HOLDS: "holds", Verdict.FAILS: "fails", Verdict.UNJUDGED: "unjudged"}

#: Cells of no more characters than this are not wrapped.
SHORT = 16


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
    """

    def __init__(
        self,
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        caption: str = "",
        marked: Mapping[str, Show] | None = None,
        ids: Sequence[str] = (),
    ) -> None:
        self.columns, self.rows, self.caption = list(columns), [list(row) for row in rows], caption
        self._marked = dict(marked or {})
        self._ids = list(ids) or [""] * len(self.rows)

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
        caption = f"<caption>{html.escape(self.caption)}</caption>" if self.caption else ""
        cells = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in self.columns)
        head = f"<thead><tr>{cells}</tr></thead>" if any(self.columns) else ""
        body = "".join(
            (f'<tr id="{html.escape(name)}">' if name else "<tr>")
            + "".join(self._cell(head, cell) for head, cell in zip(self.columns, row, strict=True))
            + "</tr>"
            for name, row in zip(self._ids, self.rows, strict=True)
        )
        return (
            f'<div class="study-table" tabindex="0"><table>{caption}{head}'
            f"<tbody>{body}</tbody></table></div>"
        )

    def _cell(self, column: str, text: str) -> str:
        first, _, rest = text.partition("\n")
        main = self._marked.get(column, html.escape)(first)
        small = f"<small>{html.escape(rest)}</small>" if rest else ""
        # A number and its unit stay together; text may wrap.
        kind = ' class="short"' if len(first) <= SHORT else ""
        return f'<td{kind} data-label="{html.escape(column)}">{main}{small}</td>'


def show(frame: pd.DataFrame, caption: str = "", empty: str = "none") -> Table:
    """Show the rows of a query.

    Parameters
    ----------
    frame : pandas.DataFrame
        The rows; the unit at the end of a column's name is printed as a unit.
    caption : str, optional
        What the table shows.
    empty : str, optional
        What to say where there are no rows.
    """
    columns = [_heading(str(name)) for name in frame.columns]
    rows = [[_cell(value) for value in row] for row in frame.itertuples(index=False)]
    if not rows:
        return Table([""], [[empty]], caption)
    return Table(columns, rows, caption, {"origin": badge, "verdict": badge})


#: Suffixes of column names that are units, and how a heading prints them.
_UNITS = {
    "_gb_s": "GB/s",
    "_mib_s": "MiB/s",
    "_per_s": "1/s",
    "_bytes": "bytes",
    "_ms": "ms",
    "_s": "s",
}


def _heading(name: str) -> str:
    for suffix, unit in _UNITS.items():
        if name.endswith(suffix):
            return f"{name.removesuffix(suffix).replace('_', ' ')} ({unit})"
    return name.replace("_", " ")


def _cell(value: Any) -> str:
    if any(value is each for each in (None, pd.NA, pd.NaT)) or value != value:  # NaN, that is
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    return str(value)


def badge(text: str) -> str:
    """An origin, or a verdict, as the style sheet draws it: sign, word and colour."""
    kind = next((f"verdict-{name}" for verdict, name in _BADGES.items() if verdict == text), None)
    return f'<span class="{kind or f"origin-{html.escape(text)}"}">{html.escape(text)}</span>'


def verdicts(judgements: Sequence[Judgement], caption: str = "") -> Table:
    """Claims with the published and the measured value side by side, and the verdict.

    Parameters
    ----------
    judgements : sequence of Judgement
        As :func:`pipelines.claims.evaluate_all` gives them.
    caption : str, optional
        What the table shows.
    """
    rows = [
        [
            f"{each.claim.statement}\n{_places(each)}",
            verdict_text.published(each),
            _data(each),
            f"{each.verdict}\n{each.why}",
            each.role,
        ]
        for each in judgements
    ]
    columns = ["Claim", "Published", "From the data", "Verdict", "In the model's fit"]
    if not any(each.role for each in judgements):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    ids = [f"claim-{each.claim.id}" for each in judgements]
    return Table(columns, rows, caption, {"Verdict": badge}, ids)


def _places(judgement: Judgement) -> str:
    return "; ".join(filter(None, (judgement.claim.place, judgement.claim.also_in)))


def counts(judgements: Sequence[Judgement], caption: str = "") -> Table:
    """How many claims have which verdict.

    Parameters
    ----------
    judgements : sequence of Judgement
        The evaluated claims.
    caption : str, optional
        What the table shows.
    """
    found = Counter(each.verdict for each in judgements)
    rows = [[str(verdict), str(found[verdict])] for verdict in Verdict]
    return Table(["Verdict", "Claims"], rows, caption, {"Verdict": badge})


def _data(judgement: Judgement) -> str:
    text, n = verdict_text.estimate(judgement), judgement.repetitions
    if bounds := verdict_text.interval(judgement):
        text = f"{text}\n{bounds}"
    return f"{text}, n = {n}" if judgement.measured and n > 1 else text


def disagreements(study: Study, values: Published, caption: str = "") -> Table:
    """Where a document disagrees with itself: both statements, both numbers.

    Parameters
    ----------
    study : Study
        The study, for statements that its raw exports make.
    values : Published
        What was published.
    caption : str, optional
        What the table shows.
    """
    rows = [
        [each.about, _side(study, values, each.first), _side(study, values, each.second),
         each.explanation]
        for each in values.disagreements
    ]  # fmt: skip
    return Table(["About", "One place", "Another place", "How they fit"], rows, caption)


def _side(study: Study, values: Published, side: Side) -> str:
    number = ""
    if side.claim is not None:
        claim = values.claim(side.claim)
        number = f"{claim.value} {claim.unit}"
    elif side.metric is not None:
        try:
            mean = evidence(study, side.metric, side.of, values.baseline).sample.mean
            number = METRICS[side.metric].show(mean)
        except CannotJudge as reason:
            number = str(reason)
    elif side.value is not None:
        number = f"{side.value:g} {side.unit}"
    return f"{number.strip()}\n“{side.text}”, {side.place}"
