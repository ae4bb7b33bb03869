"""fio, as ``--output-format=json`` or ``json+`` prints it.

The layout is that of public outputs of fio 2.1 to 3.42 (seen there, in part). ``bw`` is in KiB per
second in all of them; ``io_bytes`` is in KiB up to 2.x (its outputs show it) and in bytes since.
Latencies are in microseconds up to 2.x and in nanoseconds since, and are kept in microseconds.

fio reads ``4k`` as 4096 bytes unless ``kb_base`` says otherwise; other spellings of a size are kept
as they are, and have no value in bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from studybook.errors import Refused
from studybook.formats import json_documents
from studybook.formats.contract import Reading
from studybook.formats.fio import entries
from studybook.formats.raw import Head, RawFile

#: A file larger than this is no output of fio that we know of.
MOST_CHARACTERS = 64 * 2**20

_MARK = re.compile(r'"fio version"\s*:')
_AROUND = re.compile(
    r"\S.{0,200}: \(g=\d+\): rw=|fio-\d\S*$|Starting \d+ (?:process|thread)|\.\.\.$|"
    r"\S.{0,200}: Laying out IO file|<\S{1,100}> |Run status group|Jobs: \d+"
)


def recognise(head: Head) -> bool:
    """Whether the file has a document of JSON that names a version of fio."""
    return _MARK.search(head.text) is not None


def read(raw: RawFile, out: Reading) -> None:
    """Read every document of the file.

    Raises
    ------
    Refused
        If a document is cut or damaged.
    """
    for run_no, (first, lines) in enumerate(_documents(raw, out)):
        _record(_parsed(lines, first), run_no, lines, first, out)
        out.used(len(lines))


def _documents(raw: RawFile, out: Reading) -> Iterator[tuple[int, list[str]]]:
    """The lines of each document, with the number of the first; account for those between."""
    first, length = 0, 0
    lines: list[str] = []
    for number, text in raw.lines():
        if lines or text.lstrip().startswith("{"):
            first = first if lines else number
            lines.append(text)
            length += len(text) + 1
            if length > MOST_CHARACTERS:
                raise Refused(
                    "is too large for an output of fio", "export single runs of it", line=first
                )
            # fio ends a document by a brace alone in the first column.
            if text.rstrip() == "}":
                yield first, lines
                lines, length = [], 0
        elif text.strip().startswith("fio: "):
            out.remark(number, text.strip())
            out.used()
        elif not text.strip() or _AROUND.match(text.strip()):
            out.heading()
        else:
            out.unknown(number, text)
    if lines:
        yield first, lines


def _parsed(lines: list[str], first: int) -> dict[str, Any]:
    try:
        document = json.loads("\n".join(lines), parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        number = getattr(error, "lineno", 1)
        raise Refused(
            "the JSON of fio is cut or damaged here",
            "run fio again; with --output=FILE no message of it comes between the lines",
            line=first - 1 + number,
        ) from error
    if not isinstance(document, dict):
        raise Refused(
            "is no document of fio", "export it again with --output-format=json", line=first
        )
    return document


def _record(
    document: dict[str, Any], run_no: int, lines: list[str], first: int, out: Reading
) -> None:
    """Record a document: the run, its jobs, and what each read, wrote and trimmed."""
    version = json_documents.text(document.get("fio version"))
    shared = entries.options(document.get("global options"))
    out.record(
        "fio_run", run_no=run_no, version=version, time_utc=_instant(document),
        options=json.dumps(shared) if shared else None, line=first,
    )  # fmt: skip
    jobs = document.get("jobs", document.get("client_stats"))
    found = jobs if isinstance(jobs, list) else []
    jobs = [job for job in found if isinstance(job, dict)]
    if len(jobs) < len(found):
        out.remark(first, f"{len(found) - len(jobs)} jobs of this run of fio are no objects")
    if not jobs:
        out.remark(first, "this run of fio has no jobs")
    places = [n for n, text in enumerate(lines, first) if '"jobname"' in text]
    for job_no, job in enumerate(jobs):
        line = places[job_no] if len(places) == len(jobs) else first
        own = shared | entries.options(job.get("job options"))
        key = {"run_no": run_no, "job_no": job_no, "line": line}
        out.record("fio_job", **key, **entries.job(job, own))
        if json_documents.number(job.get("error")):
            out.remark(line, f"this job of fio ended with error {job['error']}")
        for direction in ("read", "write", "trim", "mixed"):
            part = job.get(direction)
            if not isinstance(part, dict):
                if direction in job:
                    out.remark(line, f"{direction!r} of this job of fio is no object: left out")
                continue
            if wrong := entries.not_numbers(part):
                names = ", ".join(wrong)
                out.remark(line, f"not a number in {direction!r} of this job of fio: {names}")
            if values := entries.result(part, version):
                out.record("fio_result", **key, direction=direction, **values)


def _instant(document: dict[str, Any]) -> datetime | None:
    """The time at which fio wrote the document, as a UTC instant."""
    millis = json_documents.number(document.get("timestamp_ms"))
    seconds = millis / 1000 if millis else json_documents.number(document.get("timestamp"))
    if not seconds or not 0 < seconds < 4e9:
        return None
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
