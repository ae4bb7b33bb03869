"""The rows of a chart as CSV, and what its columns mean, as metadata beside it.

The metadata are those of W3C's *Metadata Vocabulary for Tabular Data* (CSV on the Web, 2015):
``<name>.csv-metadata.json`` lies beside ``<name>.csv``, which so stays a plain table that any
program reads. Units stand there as ``schema:unitText``, a term of schema.org.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from studybook.frames import document
from studybook.study.origin import BETWEEN, NO_RUN
from studybook.units import unit_of

#: What columns mean that many charts have.
_MEANINGS = {
    "origin": "Where the row comes from: measured or simulated (computed from raw exports of a real"
    " run, or from those that a model wrote, or said by the model), published (printed in a"
    " document), our reading (a range that we read into words of a document), schema (the drawing"
    " of an idea).",
    "run": "Names of the runs that the row is of, folders of raw exports; of a difference, first"
    f" those of its setup, then those that it is set against. {NO_RUN} where there is none: for a"
    " row of a document, and for one that a model was asked for.",
    "part": "What the row is: run (one run), mean (of the runs of a setup), difference (from the"
    " setup that is named under against), or a part of the drawing.",
    "metric": "The quantity of value, low and high; its unit stands under schema:variableMeasured.",
    "value": "The value; empty where a document has a range, a bound or words.",
    "low": "Lower end of the interval, or of a range that a document has.",
    "high": "Upper end of the interval, or of a range that a document has.",
    "n": "Number of runs, or what the axis says.",
    "against": "The setup that a difference is from.",
    "claim": "The claim of the document that has the value.",
    "label": "What is printed at the mark.",
    "unit": "The unit of value, low and high in this row: of a share, 0.295 is 29.5 %. A pure"
    " number has 1.",
    "given_as": "How a difference is given: as a share of what it is compared with, or as a"
    " difference in the unit of the metric.",
    "system": "The part of the tested system that the row is of, as run.yml names its hosts.",
    "host": "The host that the row is of, by its name in run.yml.",
    "quantity": "What the value is of; its name ends in its unit.",
    "operation": "The operation of the load that the row is of.",
    "setup": "The setup that the row is of: runs of one setup differ in nothing but chance.",
    "test": "The test of the tool that wrote the export.",
    "tool": "The tool that wrote the export.",
    "law": "The law between exports that the row was held against.",
    "verdict": "Whether the row agrees with what it was held against.",
    "name": "The name that is printed at the mark.",
    "text": "What the document says, in our words, or what is printed at the mark.",
    "panel": "The panel of the chart that has the row.",
    "guide": "The line that the row is an end of, such as growth in proportion.",
    "bottleneck": "The part of the system that is busiest in this case.",
    "busy": "How busy that part is.",
}

#: Parts of which the value may be in another unit than that of the metric.
_PARTS = ("difference", "knee", "residual")

#: Columns that are in the unit of the value; behind the last that is there stands the unit.
_OF_VALUE = ("value", "low", "high")

#: The column of it, of each row: one metric may stand in its unit and as a share.
UNIT = "unit"

#: What a share is in that column.
_SHARE = "share"

#: Those and where a name stands beside the value: in the unit of the metric, where rows have one.
_OF_METRIC = (*_OF_VALUE, "name_at")

#: Times that charts of the course of a run have.
_MINUTES = ("minute", "until_minute")

#: Units that neither a name nor an axis tells: those of the places in a drawing.
_UNITS = dict.fromkeys(("x", "y", "x2", "y2"), "px") | dict.fromkeys(_MINUTES, "min")

#: The types of columns that may have a unit.
_NUMBERS = ("number", "integer")

_IN_TITLE = re.compile(r"\((?P<unit>[^()]*)\)$")


def write(
    path: Path,
    beside: Path,
    rows: Sequence[Mapping[str, Any]],
    says: Mapping[str, Any],
    titles: Mapping[str, Sequence[str]],
    title: str,
) -> None:
    """Write the rows that a chart draws, and no others, and what their columns mean.

    Parameters
    ----------
    path : pathlib.Path
        The file of the rows.
    beside : pathlib.Path
        The file of what their columns mean.
    rows : sequence of mappings
        The rows.
    says : mapping
        What the chart says of them: ``columns`` in their order, ``metrics`` with label and unit.
    titles : mapping
        Column to the titles of the axes that show it.
    title : str
        What the chart shows.
    """
    columns = [
        *says.get("columns", []),
        *(column for row in rows for column in row),
    ]
    columns = [each for each in dict.fromkeys(columns) if each != document.DRAWN]
    if "value" in columns and UNIT not in columns:
        last = max(columns.index(each) for each in _OF_VALUE if each in columns)
        columns.insert(last + 1, UNIT)
        of_axis = _unit("value", (), titles)
        metrics = says.get("metrics", {})
        rows = [{**row, UNIT: _unit_of_row(row, metrics) or of_axis} for row in rows]
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    described = json.dumps(
        metadata(path.name, rows, {**says, "columns": columns}, titles, title),
        indent=1,
        ensure_ascii=False,
    )
    beside.write_text(f"{described}\n", encoding="utf-8")


def metadata(
    name: str,
    rows: Sequence[Mapping[str, Any]],
    says: Mapping[str, Any],
    titles: Mapping[str, Sequence[str]],
    title: str,
) -> dict[str, Any]:
    """Describe the columns of a table: type, meaning, unit."""
    found: dict[str, Any] = {
        "@context": "http://www.w3.org/ns/csvw",
        "url": name,
        "dc:title": title,
        "dc:description": f"Origins: {', '.join(dict.fromkeys(row['origin'] for row in rows))}",
        "tableSchema": {"columns": [_column(column, rows, titles) for column in says["columns"]]},
    }
    if measured := _measured(rows, says.get("metrics", {})):
        found["schema:variableMeasured"] = measured
    return found


def _column(
    name: str, rows: Sequence[Mapping[str, Any]], titles: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    values = [row[name] for row in rows if row.get(name) is not None]
    found: dict[str, Any] = {"name": name, "titles": name, "datatype": _datatype(values)}
    if name == "run":
        found |= {"separator": BETWEEN, "null": NO_RUN}
    if name == "origin":
        found["required"] = True
    axes = [each for each in dict.fromkeys(titles.get(name, ())) if each]
    meaning = _MEANINGS.get(name, "")
    if axes:
        meaning = " ".join(filter(None, [meaning, f"On the axis: {'; '.join(axes)}."]))
    if meaning:
        found["dc:description"] = meaning
    if found["datatype"] in _NUMBERS and (unit := _unit(name, rows, titles)):
        found["schema:unitText"] = unit
    return found


def _datatype(values: Sequence[Any]) -> str | dict[str, str]:
    if values and all(isinstance(each, bool) for each in values):
        return {"base": "boolean", "format": "True|False"}  # as Python writes them
    if values and all(isinstance(each, int) for each in values):
        return "integer"
    if values and all(isinstance(each, int | float) for each in values):
        return "number"
    return "string"


def _unit(name: str, rows: Sequence[Mapping[str, Any]], titles: Mapping[str, Sequence[str]]) -> str:
    """The unit of a column: by its name, by the metric of its rows, or as its axis has it."""
    if own := unit_of(name)[1] or _UNITS.get(name, ""):
        return own
    if name in _OF_METRIC and any(row.get("metric") or row.get("quantity") for row in rows):
        return ""  # it is that of the metric of each row
    of_value = name in _OF_VALUE
    of_axis = filter(None, titles.get(name, titles.get("value", ()) if of_value else ()))
    units = {hit["unit"] if (hit := _IN_TITLE.search(each)) else "" for each in of_axis}
    # An axis of values has their unit in its title; where it has none, they are pure numbers.
    return (units.pop() or ("1" if of_value else "")) if len(units) == 1 else ""


def _unit_of_row(row: Mapping[str, Any], metrics: Mapping[str, Mapping[str, str]]) -> str:
    """The unit of the value of a row, by its metric or quantity; empty where it has none."""
    if row.get("part") == "residual":
        return _SHARE
    if name := row.get("metric"):
        unit = metrics.get(name, {}).get("unit", "")
        if row.get("part") == "knee":
            return "that of load"
        return _SHARE if _is_share(row, unit) else unit or "1"
    return unit_of(str(row["quantity"]))[1] or "1" if row.get("quantity") else ""


def _is_share(row: Mapping[str, Any], unit: str) -> bool:
    """Whether a row is a difference that is given as a share of what it is compared with."""
    # A label in per cent tells nothing where the metric itself is in per cent.
    in_percent = unit != "%" and str(row.get("label") or "").endswith("%")
    by_label = "share" if in_percent else ""
    return row.get("part") == "difference" and (row.get("given_as") or by_label) == "share"


def _measured(
    rows: Sequence[Mapping[str, Any]], metrics: Mapping[str, Mapping[str, str]]
) -> list[dict[str, str]]:
    """Each metric that rows have, with its unit; differences may be shares."""
    if not any(row.get("metric") for row in rows):
        return _by_name(rows)
    pairs: dict[tuple[str, str], bool] = {}
    for row in rows:
        if name := row.get("metric"):
            part = str(row.get("part")) if row.get("part") in _PARTS else ""
            pairs[name, part] = pairs.get((name, part), False) or _is_share(
                row, metrics.get(name, {}).get("unit", "")
            )
    found = []
    for (name, part), share in pairs.items():
        known = metrics.get(name, {})
        label, unit = known.get("label", name), known.get("unit", "")
        if share:
            unit = "1 (a share of what it is compared with)"
        if part == "knee":
            unit = "that of load"  # it is where the curve of the metric bends
        if part == "residual":
            unit = "1 (a share of what the law says)"
        said = {"@type": "schema:PropertyValue", "schema:name": name}
        said["schema:description"] = f"{label}{f', {part}' if part else ''}"
        found.append(said | {"schema:unitText": unit or "1"})
    return found


def _by_name(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Each quantity that rows have in the place of a metric; its name ends in its unit."""
    found = []
    for name in dict.fromkeys(str(row["quantity"]) for row in rows if row.get("quantity")):
        said, unit = unit_of(name)
        named = {"@type": "schema:PropertyValue", "schema:name": name}
        named["schema:description"] = said.replace("_", " ")
        found.append(named | {"schema:unitText": unit or "1"})
    return found
