"""The log of Gatling since release 3.13: binary, and of a layout that is its own affair."""

from __future__ import annotations

import re

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.raw import Head, RawFile

#: The record of the run comes first: its kind, which is 0, and the release as a string, whose
#: length stands in front of it.
_START = re.compile(rb"\x00\x00\x00\x00[\x03-\x40](\d+\.\d+[\w.-]*)")


def recognise(head: Head) -> bool:
    """Whether the file begins with the record of a run."""
    return _START.match(head.data) is not None


def read(raw: RawFile, out: Reading) -> None:
    """Refuse the file.

    Raises
    ------
    Refused
        Always.
    """
    match = _START.match(raw.head.data)
    release = match[1].decode("ascii", "replace") if match else "3.13 or later"
    raise Refused(
        f"is the binary log of Gatling {release}: newer releases (3.13 and later) no longer write"
        " simulation.log as text, and its layout may change with each of them",
        "run the test with a release that still writes text (3.12 or earlier); the HTML report"
        " beside the log holds sums only, and cannot be read instead",
    )
