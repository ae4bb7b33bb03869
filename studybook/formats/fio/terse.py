"""fio with ``--minimal`` (``--output-format=terse``): a line for each job.

Lines of versions 3 and 5 of that layout were recorded with fio 3.33; version 4 is inferred, as 3
with a block for trim. Amounts are in KiB, times in milliseconds, latencies in microseconds.

With ``--status-interval`` a job has a line each time, without a time of its own: lines of one job
in which both what was done and the runtime grow are snapshots of one run, and the last one counts.
Where some lines of a name grow and others do not, as with several processes of one name, nobody can
tell.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.fio.entries import TABLES
from studybook.formats.fio.reader import snapshots_told
from studybook.formats.raw import LONGEST_LINE, Head, RawFile

_RUN, _JOB, _RESULT = (table.name for table in TABLES)

_START = re.compile(r"[345];fio-[^;]{1,40};[^;]{1,200};\d{1,6};\d{1,6};\d{1,15};")
#: How many cells one direction has, and which directions there are, by version.
_BLOCKS = {3: (41, ("read", "write")), 4: (41, ("read", "write", "trim")),
           5: (47, ("read", "write", "trim"))}  # fmt: skip
_FIRST = 5
_NUMBER = re.compile(r"\d{1,15}(?:\.\d{1,9})?$", re.A)
_SHARE = re.compile(r"(\d{1,3}\.\d{1,9})%=(\d{1,15})$", re.A)
_KEPT_SHARES = {50.0: "p50", 95.0: "p95", 99.0: "p99", 99.9: "p999"}
#: A snapshot is longer than the one before by more than repetitions differ.
_GROWTH = 1.05

Results = dict[str, dict[str, Any]]
#: Number of the line, columns of the job, and results by direction.
Job = tuple[int, dict[str, Any], Results]


def recognise(head: Head) -> bool:
    """Whether a line begins as one of a job."""
    return any(map(_START.match, head.lines))


def read(raw: RawFile, out: Reading) -> None:
    """Read the jobs of the file.

    Raises
    ------
    Refused
        If snapshots and repetitions cannot be told apart.
    """
    jobs: list[Job] = []
    versions: list[str] = []
    for line, text in raw.lines():
        if not text.strip():
            out.heading()
        elif text.startswith("fio: "):
            out.remark(line, text)
            out.used()
        elif len(text) < LONGEST_LINE // 4 and (found := _job(text)):
            versions.append(text.split(";")[1])
            jobs.append((line, *found))
            out.used()
        else:
            out.unknown(line, text)
    if not jobs:
        return
    out.record(_RUN, run_no=0, version=versions[0], line=jobs[0][0])
    for job_no, (line, columns, results) in enumerate(_without_snapshots(jobs, out)):
        key = {"run_no": 0, "job_no": job_no, "line": line}
        if columns["error"]:
            out.remark(line, f"this job of fio ended with error {columns['error']}")
        out.record(_JOB, **key, **columns)
        for direction, result in results.items():
            out.record(_RESULT, **key, direction=direction, **result)


def _job(text: str) -> tuple[dict[str, Any], Results] | None:
    """The columns of a job and what it did; None if the line is none."""
    if not _START.match(text):
        return None
    cells = text.split(";")
    width, directions = _BLOCKS[int(cells[0])]
    after = _FIRST + width * len(directions)
    if len(cells) < after + 3:
        return None
    results: Results = {}
    for place, direction in enumerate(directions):
        first = _FIRST + place * width
        block = cells[first : first + width]
        numbers = [_number(cell) for cell in (*block[:12], *block[32:36])]
        if None in numbers:
            return None
        moved, rate, operations, runtime = (number or 0.0 for number in numbers[:4])
        if not moved and not runtime:
            continue
        least, most, mean, sd = numbers[12:]
        results[direction] = {
            "moved_bytes": int(moved * 1024), "rate_bytes_s": rate * 1024,
            "operations_per_s": operations, "runtime_ms": runtime, "mean_latency_us": mean,
            "sd_latency_us": sd, "min_latency_us": least, "max_latency_us": most,
            "mean_submission_us": numbers[6], "mean_completion_us": numbers[10],
        }  # fmt: skip
        for cell in block[12:32]:
            if (match := _SHARE.match(cell)) and (name := _KEPT_SHARES.get(float(match[1]))):
                results[direction][f"{name}_completion_us"] = float(match[2])
    switches = _number(cells[after + 2])
    return {
        "name": cells[2], "group_no": int(cells[3]), "error": int(cells[4]),
        "user_cpu_percent": _number(cells[after].removesuffix("%")),
        "system_cpu_percent": _number(cells[after + 1].removesuffix("%")),
        "context_switches": None if switches is None else int(switches),
    }, results  # fmt: skip


def _without_snapshots(jobs: list[Job], out: Reading) -> list[Job]:
    """The jobs, without lines that tell of the same run earlier."""
    by_key: dict[tuple[str, int], list[Job]] = {}
    for job in jobs:
        by_key.setdefault((job[1]["name"], job[1]["group_no"]), []).append(job)
    kept: list[Job] = []
    for (name, _), same in by_key.items():
        states = [_state(results) for _, _, results in same]
        grown = [now[0] > then[0] and now[1] > then[1] * _GROWTH for then, now in pairwise(states)]
        if not any(grown):
            kept += same
        elif grown[0] and all(
            now[0] >= then[0] and now[1] >= then[1] for then, now in pairwise(states)
        ):
            out.remark(same[-1][0], snapshots_told(len(same) - 1))
            kept.append(same[-1])
        else:
            raise Refused(
                f"has lines of the job {name} of which some may be snapshots (--status-interval)"
                " and others repetitions or processes: nothing in them says which",
                "run fio with --output-format=json, or without --status-interval",
                line=same[0][0],
            )
    return sorted(kept, key=lambda job: job[0])


def _state(results: Results) -> tuple[float, float]:
    """How much a job has moved so far, and for how long it ran."""
    moved = sum(result["moved_bytes"] for result in results.values())
    runtime = max((result["runtime_ms"] for result in results.values()), default=0.0)
    return float(moved), float(runtime)


def _number(cell: str) -> float | None:
    return float(cell) if _NUMBER.match(cell) else None
