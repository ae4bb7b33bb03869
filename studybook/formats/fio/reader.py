"""fio, as ``--output-format=json`` or ``json+`` prints it.

The layout is that of public outputs of fio 2.1 to 3.42 (seen there, in part). ``bw`` is in KiB per
second in all of them; ``io_bytes`` is in KiB up to 2.x (its outputs show it) and in bytes since.
Latencies are in microseconds up to 2.x and in nanoseconds since, and are kept in microseconds.

With ``--status-interval`` fio writes a document of what was done so far, each second or so: these
are no repetitions. The last one counts, and the others are headings; a remark says how many.

fio reads ``4k`` as 4096 bytes unless ``kb_base`` says otherwise; other spellings of a size are kept
as they are, and have no value in bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
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
    run_no = snapshots = 0
    last: tuple[dict[str, Any], list[str], int] | None = None
    for first, lines in _documents(raw, out):
        document = _parsed(lines, first)
        if last and is_later_snapshot(document, last[0]):
            out.heading(len(last[1]))
            snapshots += 1
        elif last:
            _keep(last, run_no, snapshots, out)
            run_no, snapshots = run_no + 1, 0
        last = document, lines, first
    if last:
        _keep(last, run_no, snapshots, out)


def _keep(
    last: tuple[dict[str, Any], list[str], int], run_no: int, snapshots: int, out: Reading
) -> None:
    """Record a document, after so many snapshots of the same run."""
    document, lines, first = last
    if snapshots:
        out.remark(first, snapshots_told(snapshots))
    _record(document, run_no, lines, first, out)
    out.used(len(lines))


def snapshots_told(snapshots: int) -> str:
    """The remark that earlier outputs of the same run do not count."""
    return (
        f"before it, {snapshots} snapshots of this run of fio (--status-interval) are no"
        " repetitions: the last one counts"
    )


def is_later_snapshot(document: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether a document tells of the same run as the one before, later.

    Then as much time has passed between the two as the run has become longer. Of a repetition,
    which is about as long as the one before, the time between them is that of a whole run.
    """
    millis, millis_before = _millis(document), _millis(before)
    state, state_before = _state(document), _state(before)
    if millis is None or millis_before is None or not state or state.keys() != state_before.keys():
        return False
    runtime = {key: part[0] for key, part in state.items()}
    grown = sum(runtime.values()) - sum(part[0] for part in state_before.values())
    # The time of a document is in whole seconds in older releases.
    margin = 500 if "timestamp_ms" in document and "timestamp_ms" in before else 1500
    return (
        all(
            now >= then
            for key in state
            for now, then in zip(state[key], state_before[key], strict=True)
        )
        and abs((millis - millis_before) - grown) <= margin
    )


def _millis(document: dict[str, Any]) -> float | None:
    """When a document was written, in ms since 1970."""
    seconds = json_documents.number(document.get("timestamp"))
    return json_documents.number(document.get("timestamp_ms")) or (seconds and seconds * 1000)


def _state(document: dict[str, Any]) -> dict[Any, tuple[float, float]]:
    """How long each group of jobs has run so far, in ms, and how much it did; by group and jobs."""
    found: dict[Any, tuple[float, float]] = {}
    jobs = document.get("jobs")
    for job in jobs if isinstance(jobs, list) else []:
        each = json_documents.members(job)
        parts = [json_documents.members(each.get(name)) for name in ("read", "write", "trim")]
        runtime = max(json_documents.number(part.get("runtime")) or 0.0 for part in parts)
        done = sum(json_documents.number(part.get("total_ios")) or 0.0 for part in parts)
        key = json_documents.count(each.get("groupid")) or 0
        before = found.get(key, (0.0, 0.0))
        found[key] = max(before[0], runtime), before[1] + done
    return found


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
    jobs = document.get("jobs", document.get("client_stats"))
    found = jobs if isinstance(jobs, list) else []
    jobs = [job for job in found if isinstance(job, dict)]
    instant = _instant(document)
    out.record(
        "fio_run", run_no=run_no, version=version, time_utc=instant,
        began_utc=_before(instant, [json_documents.number(job.get("elapsed")) for job in jobs]),
        options=json.dumps(shared) if shared else None, line=first,
    )  # fmt: skip
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


def _before(instant: datetime | None, elapsed_s: list[float | None]) -> datetime | None:
    """So long before an instant as the longest of some times; None where there are none."""
    longest = max((each for each in elapsed_s if each is not None), default=0.0)
    if instant is None or not 0 < longest < (instant - datetime(1970, 1, 1)).total_seconds():
        return None
    return instant - timedelta(seconds=longest)


def _instant(document: dict[str, Any]) -> datetime | None:
    """The time at which fio wrote the document, as a UTC instant."""
    millis = json_documents.number(document.get("timestamp_ms"))
    seconds = millis / 1000 if millis else json_documents.number(document.get("timestamp"))
    if not seconds or not 0 < seconds < 4e9:
        return None
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
