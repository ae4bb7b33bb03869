"""The CSV of k6: a header, and one row per value of a metric."""

from __future__ import annotations

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.k6.rows import FIRST, KEPT, Rows, header_of
from studybook.formats.raw import Head, RawFile


def recognise(head: Head) -> bool:
    """Whether the file begins with k6's header."""
    first = next((line for line in head.lines if line.strip()), "")
    return header_of(first) is not None


def read(raw: RawFile, out: Reading) -> None:
    """Read the values of the file.

    Raises
    ------
    Refused
        If there is none.
    """
    rows = Rows(out)
    for line, block in raw.blocks():
        if raw.no_last_line_end:
            # k6 ends each line: what has no end is cut, and its last cell may be, too.
            rows.close()
            out.unknown(line, block.decode().removesuffix("\n"))
            out.remark(line, "the last line has no end: the file is cut off there")
        else:
            rows.take(line, block)
    rows.close()
    if not rows.values:
        raise Refused(
            "has k6's header, but no row could be read"
            if out.lines_not_understood
            else "has k6's header, and nothing else",
            "write it again by: k6 run --out csv=FILE SCRIPT",
            line=out.first_unknown,
        )
    not_kept = [name for name in rows.names if name not in (*KEPT, *FIRST)]
    if not_kept:
        out.remark(1, f"{len(not_kept)} columns are not kept: {', '.join(not_kept[:10])}")
    if rows.whole_seconds:
        out.remark(
            1,
            "times are cut to the second, k6's default: a request may lie in the interval before"
            " its own (K6_CSV_TIME_FORMAT=unix_milli keeps the milliseconds)",
        )
    if "expected_response" not in rows.names:
        out.remark(
            1, "there is no column expected_response: requests with an error code count as failed"
        )
