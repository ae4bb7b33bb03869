"""fio, as it prints by default.

Outputs of release 3.33 were recorded, and public ones of 2.x were seen. A rate is rounded to three
or four digits; operations per second are those issued over the time. Powers of 1024 have KiB, MiB,
…, or up to 2.x KB, MB, …; counts have k and m for 10^3 and 10^6.

With ``--status-interval`` the same job, by its process, is printed anew each time: the last one
counts. A job whose requests are not counted at its end is cut, and has no results.

Percentiles kept are those of ``clat`` of a direction, or of all together (``mixed``). Those of
``fsync`` and of a priority look alike and come behind them; they are not kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from studybook.formats.contract import Reading
from studybook.formats.fio.entries import TABLES
from studybook.formats.fio.reader import snapshots_told
from studybook.formats.line_reader import LineReader
from studybook.formats.raw import Head, RawFile

_RUN, _JOB, _RESULT = (table.name for table in TABLES)

_N = r"(\d{1,15}(?:\.\d{1,9})?)"
_DEFINED = re.compile(
    r"(\S.{0,200}?): \(g=(\d{1,6})\): rw=(\w+), bs=(.{1,200}), ioengine=(\S{1,40}),"
    r" iodepth=(\d{1,9})$"
)
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)([KMG]iB|[kKMG]|[kKMG]B|B|)-")
_VERSION = re.compile(r"fio-\d\S{0,40}$")
_HEADER = re.compile(
    r"(\S.{0,200}?): \(groupid=(\d{1,6}), jobs=(\d{1,6})\): err= ?(\d{1,6})(?: \(.*\))?:"
    r" pid=(\d{1,10}): \S.*$"
)
_NEW = re.compile(
    rf"(read|write|trim|mixed) ?: IOPS={_N}([kKmMgG]?), BW={_N}([kKMGT]?i?B)/s \([^)]{{1,40}}\)"
    rf"\({_N}([kKMGT]?i?B)/{_N}msec\)(?:; \d+ zone resets)?$"
)
_OLD = re.compile(
    rf"(read|write|trim|mixed) ?: io={_N}([KMGT]?B), bw={_N}([KMGT]?B)/s, iops={_N}([kKmM]?),"
    rf" runt= *{_N}msec$"
)
_LATENCY = re.compile(
    r"(slat|clat|lat) \((nsec|usec|msec|sec)\) ?: min= *(\S{1,20}), max= *(\S{1,20}),"
    r" avg= *(\S{1,20}), stdev= *(\S{1,20})$"
)
_PERCENTILES = re.compile(r"(\w.{0,80}?) percentiles \((nsec|usec|msec|sec)\):$")
_SHARES = re.compile(r"\|\s*(?:\d{1,3}\.\d{1,4}th=\[ *\d{1,15}\],?\s*)+$")
_SHARE = re.compile(r"(\d{1,3}\.\d{1,4})th=\[ *(\d{1,15})\]")
_CPU = re.compile(rf"cpu +: usr={_N}%, sys={_N}%, ctx=(\d{{1,15}}),.*$")
_ISSUED = re.compile(
    r"issued rwts?: total=([\d,]{1,80}) short=([\d,]{1,80}) dropped=([\d,]{1,80})$"
)
_ISSUED_OLD = re.compile(
    r"issued +: total=([rwd\d=/]{1,80}), short=([rwd\d=/]{1,80})(?:, drop=([rwd\d=/]{1,80}))?$"
)
_NOT_KEPT = re.compile(
    r"\.\.\.|Starting \d+ .*|.*: Laying out IO files?.*|bw \(.*|iops +: min=.*|"
    r"lat \([num]sec\) *: .*|IO depths +:.*|submit +:.*|complete +:.*|latency +: target=.*|"
    r"Run status group \d+ \(all jobs\):|(?:READ|WRITE|TRIM): .*|Disk stats \(read/write\):|"
    r"\S{1,80}: (?:ios|aggrios)=.*|Jobs: \d+ .*|(?:trim|sync) .*|fsync/fdatasync/sync_file_range:|"
    r"(?:sync|zone) .*"
)
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_US = {"nsec": 1e-3, "usec": 1.0, "msec": 1e3, "sec": 1e6}
_DIRECTIONS = ("read", "write", "trim")
_KEPT_SHARES = {50.0: "p50", 95.0: "p95", 99.0: "p99", 99.9: "p999"}

Result = dict[str, Any]


def recognise(head: Head) -> bool:
    """Whether the file has the heading of a job's results, and is not of JSON."""
    return '"fio version"' not in head.text and any(
        ": (groupid=" in line and _HEADER.match(line) for line in head.printed
    )


def read(raw: RawFile, out: Reading) -> None:
    """Read every run of the file."""
    _Reader(out).read(raw)


@dataclass
class _Job:
    """What is known of a job: its columns, and its results by direction."""

    columns: dict[str, Any]
    pid: int
    results: dict[str, Result] = field(default_factory=dict)
    snapshots: int = 0
    is_whole: bool = False


@dataclass
class _Reader(LineReader):
    version: str | None = None
    #: What is printed of jobs before they start, by name.
    defined: dict[str, dict[str, Any]] = field(default_factory=dict)
    jobs: dict[tuple[str, int, int], _Job] = field(default_factory=dict)
    current: _Job | None = None
    direction: str = ""
    percentiles: str = ""
    first: int = 0
    runs: int = 0

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            self.percentiles = ""
            return False
        if match := _DEFINED.match(text):
            if self.jobs:
                self._close()
            self.first = self.first or line
            self.defined[match[1]] = _definition(match)
        elif _VERSION.match(text):
            if self.jobs:
                self._close()
            self.first = self.first or line
            self.version = text
        elif match := _HEADER.match(text):
            self.begin(line, match)
        elif text.startswith("fio: "):
            self.out.remark(line, text)
        elif self.current and (kept := self.value(self.current, text)) is not None:
            return kept
        else:
            return False if _NOT_KEPT.fullmatch(text) else None
        return True

    def begin(self, line: int, match: re.Match[str]) -> None:
        """Begin the results of a job, in the place of earlier ones of the same process."""
        name, group, pid = match[1], int(match[2]), int(match[5])
        key = (name, group, pid)
        before = self.jobs.pop(key, None)
        self.first = self.first or line
        columns = {
            "name": name, "group_no": group, "error": int(match[4]), "processes": int(match[3]),
            "line": line,
        }  # fmt: skip
        self.current = _Job(self.defined.get(name, {}) | columns, pid)
        self.current.snapshots = before.snapshots + 1 if before else 0
        self.jobs[key] = self.current
        self.direction = self.percentiles = ""

    def value(self, job: _Job, text: str) -> bool | None:
        """Take a line of the results of a job; None if it is none."""
        if not _SHARES.match(text):
            self.percentiles = ""
        if match := _NEW.match(text) or _OLD.match(text):
            self.direction = match[1]
            job.results[match[1]] = _moved(match)
        elif (match := _LATENCY.match(text)) and self.direction:
            return _latency(match, job.results[self.direction])
        elif match := _PERCENTILES.match(text):
            # Those of the latency as a whole, of fsync and of a priority have no column.
            self.percentiles = match[2] if match[1] == "clat" and self.direction else "other"
            return False
        elif self.percentiles and _SHARES.match(text):
            scale = _US.get(self.percentiles)
            for percent, value in _SHARE.findall(text) if scale else []:
                if name := _KEPT_SHARES.get(float(percent)):
                    job.results[self.direction][f"{name}_completion_us"] = int(value) * (scale or 0)
            return scale is not None
        elif match := _CPU.match(text):
            job.columns.update(
                user_cpu_percent=float(match[1]), system_cpu_percent=float(match[2]),
                context_switches=int(match[3]),
            )  # fmt: skip
        elif match := _ISSUED.match(text) or _ISSUED_OLD.match(text):
            counts = [re.findall(r"\d{1,15}", part or "") for part in match.groups()]
            if any(len(each) < len(_DIRECTIONS) for each in counts[:2]):
                return None
            job.is_whole = True
            for direction, result in job.results.items():
                # With unified_rw_reporting there is one result of all directions.
                place = _DIRECTIONS.index(direction) if direction in _DIRECTIONS else None
                whole = slice(3) if place is None else slice(place, place + 1)
                operations, short, dropped = (sum(map(int, each[whole])) for each in counts)
                runtime = result["runtime_ms"]
                result.update(operations=operations, short_operations=short)
                if counts[2]:
                    result["dropped_operations"] = dropped
                if runtime:
                    result["operations_per_s"] = operations / runtime * 1000
        else:
            return None
        return True

    def _close(self) -> None:
        jobs, self.jobs, self.current = list(self.jobs.values()), {}, None
        first, self.first, version, self.version = self.first, 0, self.version, None
        self.defined, self.direction, self.percentiles = {}, "", ""
        if not first:
            return
        self.out.record(_RUN, run_no=self.runs, version=version, line=first)
        if not jobs:
            self.out.remark(first, "this run of fio has no results")
        for job_no, job in enumerate(jobs):
            key = {"run_no": self.runs, "job_no": job_no}
            if job.snapshots:
                self.out.remark(job.columns["line"], snapshots_told(job.snapshots))
            if job.columns["error"]:
                error = job.columns["error"]
                self.out.remark(job.columns["line"], f"this job of fio ended with error {error}")
            self.out.record(_JOB, **key, **job.columns)
            if not job.is_whole:
                self.out.remark(
                    job.columns["line"], "the results of this job of fio are cut: they are left out"
                )
                continue
            for direction, result in job.results.items():
                self.out.record(
                    _RESULT, **key, direction=direction, line=job.columns["line"], **result
                )
        self.runs += 1


def _definition(match: re.Match[str]) -> dict[str, Any]:
    """The columns of a job that are printed before it starts."""
    found: dict[str, Any] = {
        "pattern": match[3], "engine": match[5], "depth": int(match[6]),
        "block_size": match[4].split(",")[0].split("/")[0].removeprefix("(R) "),
    }  # fmt: skip
    printed = {(size, unit) for size, unit in _SIZE.findall(match[4])}
    if len(printed) == 1:
        ((size, unit),) = printed
        # kB and MB are of kb_base=1000, or not: nobody knows.
        if not re.fullmatch("[kKMG]B", unit):
            found["block_size_bytes"] = int(_bytes(size, unit.upper().removesuffix("B")))
    return found


def _bytes(number: str, unit: str, base: float = 1024.0) -> float:
    """A size in bytes: Ki, Mi, Gi and Ti are powers of 1024, K, M, G and T those of the base."""
    plain = unit.upper().removesuffix("B")
    return float(number) * (1024.0 if plain.endswith("I") else base) ** _POWERS[plain.rstrip("I")]


def _count(number: str, unit: str) -> float:
    """A count; k, m and g are powers of 1000."""
    return float(number) * 1000.0 ** _POWERS[unit.upper()]


def _moved(match: re.Match[str]) -> Result:
    """What a job moved in one direction."""
    if match.re is _NEW:
        # With kb_base=1000 there are MB, in their own sense.
        base = 1000.0
        _, iops, power, rate, rate_unit, moved, moved_unit, runtime = match.groups()
    else:
        base = 1024.0
        _, moved, moved_unit, rate, rate_unit, iops, power, runtime = match.groups()
    return {
        "moved_bytes": int(_bytes(moved, moved_unit, base)),
        "rate_bytes_s": _bytes(rate, rate_unit, base),
        "operations_per_s": _count(iops, power), "runtime_ms": float(runtime),
    }  # fmt: skip


def _latency(match: re.Match[str], result: Result) -> bool | None:
    """Take a line of latencies; None if a cell of it is no number."""
    cells = [re.fullmatch(rf"{_N}([kKmMgG]?)", cell) for cell in match.groups()[2:]]
    if None in cells:
        return None
    least, most, mean, sd = (_count(c[1], c[2]) * _US[match[2]] for c in cells if c)
    if match[1] == "lat":
        result.update(
            min_latency_us=least, max_latency_us=most, mean_latency_us=mean, sd_latency_us=sd
        )
    else:
        result["mean_submission_us" if match[1] == "slat" else "mean_completion_us"] = mean
    return True
