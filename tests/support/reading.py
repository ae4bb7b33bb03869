"""Files that are read into rows, as no test should have to say twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from studybook.formats import Format, Hints, RawFile, Reading, read

#: The rows of each table.
Rows = dict[str, list[dict[str, Any]]]


def read_rows(
    path: Path, hints: Hints | None = None, known: Format | None = None
) -> tuple[Format, Reading, Rows]:
    """Read a file; return its format, the account of its lines and the rows."""
    rows: Rows = {}
    found, reading = read(
        path,
        lambda table, batch: rows.setdefault(table, []).extend(batch.to_pylist()),
        hints,
        known,
    )
    return found, reading, rows


def lines_of(path: Path) -> list[str]:
    """Lines of a file that must be accounted for: those that are not handed out, too."""
    raw = RawFile(path)
    lines = [line for _, line in raw.lines()]
    if raw.cut_line:
        lines.append(raw.cut_line[1])
    return lines + [""] * len(raw.repeated)


def read_text(
    folder: Path, text: str | bytes, name: str = "capture.txt"
) -> tuple[str, Reading, Rows]:
    """Read a text as a file of this name; return the format's name, the account and the rows."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    found, reading, rows = read_rows(path)
    return found.name, reading, rows
