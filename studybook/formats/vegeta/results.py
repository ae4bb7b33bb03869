"""Results of vegeta one by one: ``vegeta encode`` as CSV (its default elsewhere is gob) or JSON.

Files of release 12 were recorded. CSV has no header: time of sending (ns since 1970), status,
latency (ns), bytes out and in, error, body, name of the attack, number, and of newer releases
method, address and headers. Bodies and headers are not kept. The status 0 stands for no response.
"""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from typing import Any

from studybook.formats.contract import Reading, never_negative, tables
from studybook.formats.json_documents import count, text
from studybook.formats.quoted_rows import END_S, EPOCH, FIRST_S, cells_of
from studybook.formats.raw import LONGEST_LINE, Head, RawFile
from studybook.formats.vegeta.document import instant

(RESULT,) = never_negative(
    tables("""
vegeta_result: one request and what came of it
    -- When it was sent.
    time_utc TIMESTAMP, attack VARCHAR, method VARCHAR, url VARCHAR, latency_ms DOUBLE,
    -- 0 for no response.
    status BIGINT, error VARCHAR, sent_bytes BIGINT, received_bytes BIGINT, line BIGINT
""")
)

_ROW = re.compile(r"\d{18,19},\d{1,3},\d{1,18},\d{1,18},\d{1,18},")
_KEYS = ('"attack":', '"seq":', '"code":', '"timestamp":', '"latency":')


def recognise(head: Head) -> bool:
    """Whether the first line is a result."""
    first = head.first
    return bool(_ROW.match(first)) or (first.startswith("{") and all(key in first for key in _KEYS))


def read(raw: RawFile, out: Reading) -> None:
    """Read the results, a line each."""
    for line, plain in raw.lines():
        if not plain.strip():
            out.heading()
        elif len(plain) < LONGEST_LINE // 4 and (row := _row(plain)):
            out.record(RESULT.name, line=line, **row)
            out.used()
        else:
            out.unknown(line, plain)


def _row(plain: str) -> dict[str, Any] | None:
    """A result; None if the line is none."""
    row = _of_json(plain) if plain.startswith("{") else _of_cells(plain)
    if row is None or row["time_utc"] is None or None in (row["latency_ms"], row["status"]):
        return None
    return row if 0 <= row["status"] < 1000 and row["latency_ms"] >= 0 else None


def _of_cells(plain: str) -> dict[str, Any] | None:
    """A row of CSV."""
    if not _ROW.match(plain) or (cells := cells_of(plain)) is None or len(cells) < 9:
        return None
    return {
        "time_utc": _instant(int(cells[0])), "status": int(cells[1]),
        "latency_ms": int(cells[2]) / 1e6, "sent_bytes": int(cells[3]),
        "received_bytes": int(cells[4]), "error": cells[5][:400] or None,
        "attack": cells[7][:400] or None,
        "method": (cells[9][:40] or None) if len(cells) > 9 else None,
        "url": (cells[10][:400] or None) if len(cells) > 10 else None,
    }  # fmt: skip


def _of_json(plain: str) -> dict[str, Any] | None:
    """An object of JSON."""
    try:
        found = json.loads(plain)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    latency = count(found.get("latency"))
    return {
        "time_utc": instant(found.get("timestamp")), "status": count(found.get("code")),
        "latency_ms": None if latency is None else latency / 1e6,
        "sent_bytes": count(found.get("bytes_out")), "received_bytes": count(found.get("bytes_in")),
        "error": text(found.get("error")) or None, "attack": text(found.get("attack")) or None,
        "method": text(found.get("method")) or None, "url": text(found.get("url")) or None,
    }  # fmt: skip


def _instant(nanos: int) -> datetime | None:
    """Nanoseconds since 1970 as a UTC instant."""
    if not FIRST_S <= nanos // 10**9 < END_S:
        return None
    return EPOCH + timedelta(microseconds=nanos // 1000)
