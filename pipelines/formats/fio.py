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
from datetime import UTC, datetime
from typing import Any

from pipelines.errors import Refused
from pipelines.formats import _fio
from pipelines.formats._fio import JOB, RESULT, RUN
from pipelines.formats.contract import Format, Reading
from pipelines.formats.raw import Head, RawFile

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
    lines = []
    length = 0
    for _, text in raw.lines():
        lines.append(text)
        length += len(text) + 1
        if length > MOST_CHARACTERS:
            raise Refused("is too large for an output of fio", "split it: one document to a file")
    runs = 0
    place = 0
    while place < len(lines):
        text = lines[place].strip()
        if text.startswith("{"):
            document, end = _document(lines, place)
            _record(document, runs, lines, place, end, out)
            out.used(end - place)
            runs += 1
            place = end
            continue
        if text.startswith("fio: "):
            out.remark(place + 1, text)
            out.used()
        elif not text or _AROUND.match(text):
            out.heading()
        else:
            out.unknown(place + 1, lines[place])
        place += 1


def _document(lines: list[str], place: int) -> tuple[dict[str, Any], int]:
    """Return the document that begins at a line, and the number of the line after it."""
    # fio ends a document by a brace alone in the first column.
    end = next((n for n in range(place, len(lines)) if lines[n].rstrip() == "}"), len(lines) - 1)
    text = "\n".join(lines[place : end + 1])
    try:
        document = json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        number = getattr(error, "lineno", 1)
        raise Refused(
            "the JSON of fio is cut or damaged here",
            "run fio again; with --output=FILE no message of it comes between the lines",
            line=place + number,
        ) from error
    if not isinstance(document, dict):
        raise Refused("is no document of fio", "export it again with --output-format=json", line=1)
    return document, end + 1


def _record(
    document: dict[str, Any], run_no: int, lines: list[str], place: int, end: int, out: Reading
) -> None:
    """Record a document: the run, its jobs, and what each read, wrote and trimmed."""
    version = _fio.text(document.get("fio version"))
    shared = _fio.options(document.get("global options"))
    out.record(
        "fio_run",
        run_no=run_no,
        version=version,
        time_utc=_instant(document),
        options=json.dumps(shared) if shared else None,
        line=place + 1,
    )
    jobs = document.get("jobs", document.get("client_stats"))
    found = jobs if isinstance(jobs, list) else []
    jobs = [job for job in found if isinstance(job, dict)]
    if len(jobs) < len(found):
        out.remark(place + 1, f"{len(found) - len(jobs)} jobs of this run of fio are no objects")
    if not jobs:
        out.remark(place + 1, "this run of fio has no jobs")
    places = [n + 1 for n in range(place, end) if '"jobname"' in lines[n]]
    for job_no, job in enumerate(jobs):
        line = places[job_no] if len(places) == len(jobs) else place + 1
        own = shared | _fio.options(job.get("job options"))
        key = {"run_no": run_no, "job_no": job_no, "line": line}
        out.record("fio_job", **key, **_fio.job(job, own))
        if _fio.number(job.get("error")):
            out.remark(line, f"this job of fio ended with error {job['error']}")
        for direction in ("read", "write", "trim", "mixed"):
            part = job.get(direction)
            if not isinstance(part, dict):
                if direction in job:
                    out.remark(line, f"{direction!r} of this job of fio is no object: left out")
                continue
            if wrong := _fio.not_numbers(part):
                names = ", ".join(wrong)
                out.remark(line, f"not a number in {direction!r} of this job of fio: {names}")
            if values := _fio.result(part, version):
                out.record("fio_result", **key, direction=direction, **values)


def _instant(document: dict[str, Any]) -> datetime | None:
    """The time at which fio wrote the document, as a UTC instant."""
    millis = _fio.number(document.get("timestamp_ms"))
    seconds = millis / 1000 if millis else _fio.number(document.get("timestamp"))
    if not seconds or not 0 < seconds < 4e9:
        return None
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)


FORMAT = Format(
    name="fio",
    title="fio as JSON (--output-format=json)",
    source="fio",
    tables=(RUN, JOB, RESULT),
    recognise=recognise,
    read=read,
)
