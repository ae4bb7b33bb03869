"""What Locust writes beside the history: of the whole run, so nothing for intervals."""

from __future__ import annotations

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.raw import Head, RawFile

_STARTS = {
    "Type,Name,Request Count,Failure Count,": "the statistics (_stats.csv)",
    "Method,Name,Error,Occurrences": "the failures (_failures.csv)",
    "Count,Message,Traceback,Nodes": "the exceptions (_exceptions.csv)",
}


def recognise(head: Head) -> bool:
    """Whether the file begins with the header of such a file."""
    return _kind(head) is not None


def read(raw: RawFile, out: Reading) -> None:
    """Refuse the file.

    Raises
    ------
    Refused
        Always.
    """
    raise Refused(
        f"is {_kind(raw.head)} of a whole run of Locust: there are no times in it",
        "take the file beside it whose name ends in _stats_history.csv; counts, failures and"
        " response times of the run are in it, too",
        line=1,
    )


def _kind(head: Head) -> str | None:
    first = next((line for line in head.lines if line.strip()), "").lstrip("\ufeff")
    return next((kind for start, kind in _STARTS.items() if first.startswith(start)), None)
