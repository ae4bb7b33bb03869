"""What RPT writes besides the Full export to CSV, and what to export instead.

None of these layouts is documented, so none is read: a guess could be wrong without a sign.
"""

from __future__ import annotations

import re

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.raw import Head, RawFile
from studybook.formats.rpt import report, stats
from studybook.formats.rpt.header import SCOPES

#: The first bytes of the binary stores.
_STORES = {
    b"\xf2\x91\x7a\x5e": "a store of raw statistics (.rstats)",
    b"\xbe\x30\xd8\xb3": "a cache of statistics (.mstats)",
}
_PRODUCT = re.compile(
    r"com\.ibm\.rational\.test\.lt|Rational Performance Tester|OneTest Performance|"
    r"DevOps Test Performance"
)
_COUNTERS = re.compile(
    r"All[_ ]Hosts|Page Attempts|(Page|Transaction)s?\W{1,3}(Response|Elapsed|Execution) Time", re.I
)
#: The path of a counter as JSON has it: in one string, or in the strings of an array. All_Hosts
#: alone is no sign, for a host of any other tool's file may go by that name.
_JSON_PATH = re.compile(
    rf"\"All[_ ]Hosts(/({'|'.join(SCOPES)})/|\"\s*,\s*\"({'|'.join(SCOPES)})\")", re.I
)


def recognise_store(head: Head) -> bool:
    """Whether the file is a binary store of results."""
    return head.data[:4] in _STORES


def read_store(raw: RawFile, out: Reading) -> None:
    """Refuse the file, always."""
    raise Refused(
        f"is {_STORES[raw.head.data[:4]]} of Rational Performance Tester or OneTest Performance:"
        " binary, of no documented layout, and not an export",
        "open the result in the workbench and " + report.EXPORT_FULL
        + "; from the command line: -exportstats. The .stats file beside it can be loaded as it is",
    )  # fmt: skip


def recognise_other(head: Head) -> bool:
    """Whether the file is another export of RPT: HTML, JSON, or a CSV without a time column."""
    return _kind(head) is not None and not report.recognise(head) and not stats.recognise(head)


def read_other(raw: RawFile, out: Reading) -> None:
    """Refuse the file, always."""
    raise Refused(
        f"is {_kind(raw.head)} of Rational Performance Tester or OneTest Performance; only the Full"
        " export of the counters to CSV is read",
        report.EXPORT_FULL,
    )


def _kind(head: Head) -> str | None:
    """What the file is, in words; None if it is not of RPT."""
    start = head.text.lstrip("\ufeff \t\r\n")[:200].lower()
    if start.startswith(("<!doctype html", "<html")):
        return "a report as HTML" if _PRODUCT.search(head.text) else None
    if start.startswith(("{", "[")):
        known = _PRODUCT.search(head.text) or _JSON_PATH.search(head.text)
        return "an export as JSON" if known else None
    if start.startswith("<"):
        return "a file of a project (XML)" if _PRODUCT.search(head.text) else None
    first = head.first
    if re.search(r"[,;\t]", first) and _COUNTERS.search("\n".join(head.lines[:3])):
        return "a CSV without the column Time [ms], such as the Simple export,"
    return None
