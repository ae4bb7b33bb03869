"""Hold two builds of a data set against each other: figure data, and verdicts of claims.

``python -m tests.support.same_numbers BUILD OTHER`` names each figure and claim of which the two
builds say different things, and ends with 1 where there is one: a large move of code is proven so.
"""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from studybook.engine.outputs import METADATA


def differences(one: Path, other: Path) -> Iterator[str]:
    """Say in what two builds differ: a line for each figure or claim.

    Parameters
    ----------
    one, other : pathlib.Path
        Folders ``build/<data set>``.
    """
    names = [
        {p.relative_to(b / "figures") for p in b.glob("figures/*/*.json")} for b in (one, other)
    ]
    for name in sorted(names[0] | names[1]):
        if name.name.endswith((".vl.json", METADATA)):
            continue
        if not all(name in there for there in names):
            yield f"{name.with_suffix('')}: only in {one if name in names[0] else other}"
            continue
        records = [
            json.loads((b / "figures" / name).read_text(encoding="utf-8")) for b in (one, other)
        ]
        for key in ("state", "finding", "origins"):
            if records[0][key] != records[1][key]:
                yield f"{name.with_suffix('')}: {key} {records[0][key]!r} → {records[1][key]!r}"
        yield from _claims(name.with_suffix(""), *(each["judgements"] for each in records))
        yield from _rows(name.with_suffix(""), *(_data(b / "figures" / name) for b in (one, other)))


def _claims(name: Path, one: dict[str, Any], other: dict[str, Any]) -> Iterator[str]:
    for claim in sorted({*one, *other}):
        if one.get(claim) != other.get(claim):
            yield f"{name}: claim {claim}: {one.get(claim)} → {other.get(claim)}"


def _data(record: Path) -> list[dict[str, str]]:
    path = record.with_suffix(".csv")
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def _rows(name: Path, one: list[dict[str, str]], other: list[dict[str, str]]) -> Iterator[str]:
    if len(one) != len(other):
        yield f"{name}: {len(one)} rows → {len(other)}"
        return
    for number, (row, row_then) in enumerate(zip(_sorted(one), _sorted(other), strict=True)):
        for column in sorted({*row, *row_then}):
            if not _same(row.get(column), row_then.get(column)):
                yield f"{name}: row {number}: {column} {row.get(column)} → {row_then.get(column)}"
                return  # one line per figure will do


def _sorted(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Rows in an order of their own; numbers in the last digits of which the order may rest."""
    return sorted(rows, key=lambda row: sorted((k, _rounded(v)) for k, v in row.items()))


def _rounded(value: str) -> str:
    try:
        return f"{float(value):.6g}"
    except ValueError:
        return value


def _same(one: str | None, other: str | None) -> bool:
    if one == other:
        return True
    try:
        return math.isclose(float(one or ""), float(other or ""), rel_tol=1e-8)
    except ValueError:
        return False


if __name__ == "__main__":
    found = list(differences(Path(sys.argv[1]), Path(sys.argv[2])))
    print("\n".join(found) or "the two builds say the same")
    sys.exit(bool(found))
