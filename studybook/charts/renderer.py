"""Outputs that can be compared: a chart becomes its specification, and nothing else.

The same chart gives the same bytes, so that a notebook that was run again differs only
where a plotted value differs, and a strict comparison of outputs guards every one.
A chart that cannot be read by everybody, that would carry raw data into the page, or whose marks do
not say where they come from, is refused here, at the desk of its author.

Each row names its origin and its run. Both are in the specification, and so in all that is made of
it: in the drawing, in the tooltip of each mark, in the data table and in the CSV.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from studybook.errors import StudyBookError
from studybook.frames import document
from studybook.study.origin import NO_RUN, with_runs
from studybook.units import known_metrics

#: nbformat takes JSON objects only under types that end in ``+json``, which the type
#: of Altair 6 (``….v6.json``) does not.
MIME_TYPE = "application/vnd.vegalite.v6+json"

#: More rows than this belong in a query that aggregates, not in a page.
MAX_ROWS = 2000

Spec = dict[str, Any]


def render(spec: Spec) -> dict[str, Any]:
    """Turn a Vega-Lite specification into the MIME bundle of the book.

    Parameters
    ----------
    spec : dict
        The specification, as Altair writes it.

    Returns
    -------
    dict
        The specification under :data:`MIME_TYPE`, and one line of plain text.

    Raises
    ------
    StudyBookError
        If the chart has no description or title, holds more than one data set or
        more than :data:`MAX_ROWS` rows, reads from an address, holds a number that is not finite,
        or a row that does not name its origin and its run.
    """
    title, _subtitle = headings(spec)
    description = str(spec.get("description") or "").strip()
    name = f"The chart “{title}”" if title else "A chart"
    if not title:
        raise StudyBookError(f"{name} has no title.\n  → Close it with look.finding(…).")
    if not description:
        raise StudyBookError(
            f"{name} has no description, which is its alternative text.\n"
            "  → Say in a sentence or two what a reader sees in it: "
            "look.finding(…, description=…)."
        )
    try:
        # through text and back: keys sorted at every depth, and no object of Altair left
        ordered: Spec = json.loads(json.dumps(spec, sort_keys=True, allow_nan=False))
    except ValueError as error:
        raise StudyBookError(
            f"{name} holds a number that is not finite.\n  → Filter it in the query."
        ) from error
    tables = [rows for rows in _tables(spec) if rows is not None]
    if any(isinstance(rows, str) for rows in tables):
        raise StudyBookError(
            f"{name} reads its data from an address; a book is read without a network.\n"
            "  → Query the database, and hand the frame to the chart."
        )
    if len(tables) > 1:
        raise StudyBookError(
            f"{name} holds {len(tables)} data sets; the house rule is one query, one frame, "
            "one chart.\n"
            "  → Join them in the query with a column that tells them apart, and let each layer "
            "filter; draw a constant line with alt.datum(…)."
        )
    rows = tables[0] if tables else []
    if len(rows) > MAX_ROWS:
        raise StudyBookError(
            f"{name} holds {len(rows):,} rows; at most {MAX_ROWS:,} go into a page.\n"
            "  → Aggregate in the query."
        )
    if rows:
        written = table(ordered)
        _name_runs(written, name)
        _say_origins(ordered)
        ordered["usermeta"] = {**ordered.get("usermeta", {}), **_columns(written, rows)}
    return {MIME_TYPE: ordered, "text/plain": f"[chart] {description}"}


def finite(data: Any = None, **_: Any) -> Any:
    """Embed the rows of a frame as values, and refuse infinite numbers.

    Altair would write an infinite number as a missing one, and the mark would vanish
    without a word. A missing number (``NaN``, the ``NULL`` of a query) is fine.

    Parameters
    ----------
    data : pandas.DataFrame or other data that Altair takes
        What the chart is given.

    Returns
    -------
    dict
        ``{"values": rows}``.

    Raises
    ------
    StudyBookError
        If a column holds an infinite number.
    """
    if isinstance(data, pd.DataFrame):
        # Altair writes what is missing in a column of objects as NaN, which is not JSON.
        data = with_runs(data).infer_objects()
        for column in data.select_dtypes("number"):
            if bool(np.isinf(data[column].to_numpy(dtype=float, na_value=np.nan)).any()):
                raise StudyBookError(
                    f"The column “{column}” of a chart holds a number that is not finite.\n"
                    "  → Filter it in the query; a division by zero is the usual cause."
                )
    from altair import to_values  # whoever draws has it; who reads a chart need not wait for it

    return to_values(data)


def headings(spec: Spec) -> tuple[str, list[str]]:
    """Read the title and the lines of the subtitle of a specification.

    Parameters
    ----------
    spec : dict
        A Vega-Lite specification.

    Returns
    -------
    tuple of (str, list of str)
        The title in one line, and the lines of the subtitle.
    """
    title = spec.get("title") or ""
    if not isinstance(title, dict):
        title = {"text": title}
    return " ".join(_lines(title.get("text"))), _lines(title.get("subtitle"))


def table(spec: Spec) -> list[dict[str, Any]]:
    """Take the rows that a specification embeds.

    Parameters
    ----------
    spec : dict
        A specification that :func:`render` let pass: with one data set at most.

    Returns
    -------
    list of dict
        The rows; empty where nothing is bound to data.
    """
    return next((rows for rows in _tables(spec) if isinstance(rows, list)), [])


def titles(part: Any) -> Iterator[tuple[str, str]]:
    """Yield (field, title) of every encoding that names its axis or legend.

    Parameters
    ----------
    part : Any
        A specification, or a part of one.
    """
    if isinstance(part, dict):
        field, title = part.get("field"), part.get("title")
        if isinstance(field, str) and isinstance(title, str) and field not in ("low", "high"):
            yield field, title
        for key, inner in part.items():
            if key not in ("datasets", "data"):
                yield from titles(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from titles(inner)


def _name_runs(rows: list[dict[str, Any]], name: str) -> None:
    """Refuse rows without origin or run; those of a document have no run, and say so."""
    for row in rows:
        if not row.get("origin"):
            raise StudyBookError(
                f"{name} has a row without origin: {_said(row)}\n"
                "  → Give each row of its frame an origin: that of the runs that it comes from, as "
                "queries have it, or published."
            )
        if row["origin"] in document.ORIGINS:
            row["run"] = NO_RUN
        if not row.get("run"):
            raise StudyBookError(
                f"{name} has a row without run: {_said(row)}\n"
                "  → Ask for run_id in the query, and name the runs of a value that is of several "
                "with origin.runs_behind(…); where there is none, the run is "
                "origin.NO_RUN."
            )


def _columns(written: list[dict[str, Any]], rows: Any) -> dict[str, Any]:
    """What is said of the columns: their order, and the metrics that stand in them."""
    # Sorting the keys loses the order of the columns, and the data table needs it.
    found: dict[str, Any] = {"columns": list(dict.fromkeys(["origin", "run", *rows[0]]))}
    found["columns"] = [each for each in found["columns"] if each != document.DRAWN]
    known = known_metrics()
    named = dict.fromkeys(str(row.get("metric")) for row in written)
    metrics = {
        name: {"label": known[name].label, "unit": known[name].unit}
        for name in named
        if name in known
    }
    return found | ({"metrics": metrics} if metrics else {})


def _said(row: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in row.items() if value is not None)[:200]


def _say_origins(spec: Any) -> None:
    """Name the origin in the tooltip of each mark that has one: as its own, or by its detail."""
    if isinstance(spec, list):
        for part in spec:
            _say_origins(part)
    if not isinstance(spec, dict):
        return
    mark, encoding = spec.get("mark"), spec.get("encoding", {})
    for key, part in spec.items():
        if key not in ("datasets", "data", "config", "usermeta", "encoding"):
            _say_origins(part)
    fields = {channel for channel, said in encoding.items() if _fields(said)}
    quiet = isinstance(mark, dict) and mark.get("tooltip", True) in (None, False)
    if mark is None or quiet or not fields or "origin" in _fields(list(encoding.values())):
        return
    origin = {"field": "origin", "type": "nominal"}
    if "tooltip" in encoding:
        own = encoding["tooltip"]
        if fields & {"tooltip"}:
            encoding["tooltip"] = [*(own if isinstance(own, list) else [own]), origin]
        return
    if not fields - _PLACES:
        _unstack(encoding, fields)
    own = encoding.get("detail", [])
    encoding["detail"] = [*(own if isinstance(own, list) else [own]), origin]


def _unstack(encoding: Spec, fields: set[str]) -> None:
    """Marks that nothing told apart did not stack; named by their origin, they still do not."""
    for channel in fields & {"x", "y"}:
        if encoding[channel].get("type") == "quantitative":
            encoding[channel].setdefault("stack", None)


#: Channels by which marks that share a place do not stack.
_PLACES = frozenset(("x", "y", "x2", "y2", "xOffset", "yOffset", "row", "column", "facet"))


def _fields(part: Any) -> set[str]:
    """The fields that an encoding takes, by a condition or not."""
    if isinstance(part, list):
        return set().union(*map(_fields, part)) if part else set()
    if not isinstance(part, dict):
        return set()
    own = {part["field"]} if isinstance(part.get("field"), str) else set()
    return own | _fields(part.get("condition"))


def _lines(text: Any) -> list[str]:
    return [str(line) for line in (text if isinstance(text, list) else [text]) if line]


def _tables(spec: Spec) -> Iterator[list[dict[str, Any]] | str | None]:
    """Yield every data set once: its rows, or the address that it would be read from."""
    blocks = [{"values": rows} for rows in spec.get("datasets", {}).values()]
    blocks += _data_blocks({key: spec[key] for key in spec if key != "datasets"})
    for data in blocks:
        # a row without a field is what Altair gives to a mark of alt.datum
        yield data.get("url") or [row for row in data.get("values", []) if row] or None


def _data_blocks(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        for key, inner in part.items():
            if key == "data" and isinstance(inner, dict):
                yield inner
            else:
                yield from _data_blocks(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from _data_blocks(inner)
