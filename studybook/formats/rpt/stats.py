"""The manifest of a run, ``<test>_<launch>.stats``: when it ran, and its time ranges.

RPT 9.2 to 10.x keep one beside the binary stores of a run: XML 1.1 in one line, compressed by
gzip, of nested ``rpt:folder`` and ``rpt:counter`` elements (seen in real files). It is no
export, but it alone tells the stages of a schedule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.raw import LONGEST_LINE, Head, RawFile
from studybook.formats.rpt.start import from_epoch_ms

_NAMESPACE = "com.ibm.rational.test.lt.execution.stats.file"
_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_WHOLE = re.compile(r"-?\d{1,18}", re.A)

#: Those seen have some KiB.
_LARGEST = 4 * 1024 * 1024

#: Folders lie four deep; a file of thousands is no manifest.
_DEEPEST = 50


def recognise(head: Head) -> bool:
    """Whether the file starts with the root of a manifest."""
    text = _DECLARATION.sub("", head.text[:4096].lstrip("\ufeff"), count=1).lstrip()
    return text.startswith("<rpt:folder") and _NAMESPACE in text


def read(raw: RawFile, out: Reading) -> None:
    """Read the entries of the manifest. It is read whole, for only the whole is well-formed.

    Raises
    ------
    Refused
        If it is too large or not well-formed.
    """
    data = b""
    for _, block in raw.blocks(LONGEST_LINE):
        data += block
        if len(data) > _LARGEST:
            raise Refused("more than 4 MiB: a manifest of a run is never that large", _AGAIN)
    text = data.decode().removesuffix("\n").lstrip("\ufeff")
    if any(len(line) >= LONGEST_LINE for line in data.split(b"\n")):
        raise Refused("a line of more than 1 MiB: no manifest of a run", _AGAIN)
    if "<!" in text:
        raise Refused("declares entities or a document type, which no manifest does", _AGAIN)
    try:
        # The parser knows XML 1.0 only; what 1.1 allows beyond it, a manifest does not use.
        # S314: the text declares no entities, as seen above.
        root = ElementTree.fromstring(_DECLARATION.sub("", text, count=1))  # noqa: S314
    except ElementTree.ParseError as error:
        raise Refused(f"is not well-formed: {error}", _AGAIN, line=error.position[0]) from error
    entries = {path: (kind, value) for path, kind, value in _entries(root, "", 0)}
    for path, (kind, value) in entries.items():
        out.record("rpt_property", path=path, kind=kind, value=value, line=1)
    values = {path: value for path, (_, value) in entries.items()}
    launch = _time(values.get("startTime"))
    reference = _time(values.get("timeReference/startTime"))
    out.record(
        "rpt_run", report_no=0, test_name=values.get("testName"), launch_utc=launch,
        start_utc=reference or launch,
        start_known="manifest of the run" if reference or launch else None,
        interval_ms=_whole(values.get("timeReference/interval")), line=1,
    )  # fmt: skip
    ranges = [path.removesuffix("/startTime") for path in values if path.endswith("/startTime")]
    for path in ranges:
        folder, _, name = path.rpartition("/")
        if folder == "timeRanges" or path == "runRange":
            start, duration = (_whole(values.get(f"{path}/{x}")) for x in ("startTime", "duration"))
            if start is None:
                out.remark(1, f"time range {name!r} has no start that is a number")
                continue
            out.record("rpt_time_range", name=name, start_ms=start, duration_ms=duration, line=1)
    out.used(data.count(b"\n"))


_AGAIN = "copy the file again from the results of the project"


def _entries(element: Any, above: str, depth: int) -> Iterator[tuple[str, str | None, str | None]]:
    """All ``rpt:counter`` elements below one, with their paths."""
    if depth > _DEEPEST:
        raise Refused("folders lie too deep: no manifest of a run", _AGAIN)
    for child in element:
        path = above + child.get("name", "")
        if child.tag.endswith("}counter"):
            yield path, child.get("kind"), child.get("value")
        else:
            yield from _entries(child, path + "/", depth + 1)


def _whole(text: str | None) -> int | None:
    return int(text) if text and _WHOLE.fullmatch(text) else None


def _time(text: str | None) -> Any:
    value = _whole(text)
    return from_epoch_ms(value) if value is not None else None
