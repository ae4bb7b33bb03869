"""Puts the rows of an IOR file where they belong: to runs, and to tests within runs.

With the options of a test as printed, the exact numbers behind them, and how a run ended.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from studybook.formats.contract import Reading
from studybook.formats.ior.tables import TEST
from studybook.formats.ior.words import DATA_ERROR, typed
from studybook.formats.names import words

_UNITS = {"bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "PiB": 2**50}
_SIZE = re.compile(r"(\d{1,18})(\.\d+)? (bytes|[KMGTP]iB)$")
_CLIENTS = re.compile(r"(\d+)(?: \((\d+) per node\))?$")
_SEGMENTS = re.compile(r"\((\d{1,18}) segments?\)$")
_SUFFIXES = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}

#: ``ior_test`` columns that are options as printed, under each name they have had.
_PRINTED = {
    "path": ("test filename", "testFileName"), "ordering_in_file": ("ordering in a file",),
    "ordering_inter_file": ("ordering inter file",), "nodes": ("nodes",), "tasks": ("tasks",),
    "tasks_per_node": ("clients per node", "tasksPerNode"), "repetitions": ("repetitions",),
    "segments": ("segments", "segmentCount"), "transfer_size_bytes": ("transferSize",),
    "block_size_bytes": ("blockSize",), "stonewall_s": ("stonewallingTime", "deadlineForStonewall"),
}  # fmt: skip


@dataclass
class Test:
    """One test of a run: options as printed, exact values from elsewhere, row counts."""

    number: int
    line: int
    began: datetime | None = None
    described: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    exact: dict[str, Any] = field(default_factory=dict)
    hosts: dict[str, int] = field(default_factory=dict)
    iterations: dict[str, int] = field(default_factory=dict)


def test_values(test: Test, command: str | None) -> dict[str, Any]:
    """Return the ``ior_test`` columns of a test.

    Exact bytes come from the summary row or from JSON; what the options print with a
    unit is taken where it is whole, else the option of the command line that it rounds.
    """
    options = test.options
    values: dict[str, Any] = {"began": test.began}
    for column, names in _PRINTED.items():
        printed = next((options[name] for name in names if name in options), None)
        values[column] = None if printed is None else _or_none(column, printed)
    if clients := _CLIENTS.match(str(options.get("clients", ""))):
        values["tasks"], values["tasks_per_node"] = _small(clients[1]), _small(clients[2])
    values["api"], values["api_version"] = _api(options)
    access, _, kind = str(options.get("access", "")).partition(", ")
    values["access"], values["type"] = access or None, options.get("type") or kind or None
    stonewalling = str(options.get("Using stonewalling", "")).split(" ")[0]
    if stonewalling:
        values["stonewall_s"] = _or_none("stonewall_s", stonewalling)
    values["stonewall_s"] = values["stonewall_s"] or None  # 0 is printed for "not used"
    for column, name, flag in (
        ("transfer_size_bytes", "xfersize", "t"),
        ("block_size_bytes", "blocksize", "b"),
    ):
        if values[column] is None:
            values[column] = _exact_size(options.get(name), flag, command)
    values |= {name: value for name, value in test.exact.items() if value is not None}
    _derive(values, options)
    printed_options = dict(options)
    if test.hosts:
        printed_options["hosts"] = test.hosts
    values["options"] = json.dumps(printed_options, ensure_ascii=False) if printed_options else None
    return values


def _derive(values: dict[str, Any], options: dict[str, Any]) -> None:
    """Fill in segments, nodes and the aggregate size where others fix them."""
    tasks, block = values["tasks"], values["block_size_bytes"]
    least, most = _size_range(options.get("aggregate filesize"))
    per_segment = tasks * block if tasks and block else None
    if pattern := _SEGMENTS.search(str(options.get("pattern", ""))):
        values["segments"] = values["segments"] or _small(pattern[1])
    if not values["segments"] and per_segment and most:
        # Only one number of segments may give the size as it is printed.
        fewest, highest = -(-least // per_segment), most // per_segment
        values["segments"] = highest if fewest == highest else None
    aggregate = least if least == most else None
    if per_segment and values["segments"]:
        aggregate = per_segment * values["segments"]
    values["aggregate_size_bytes"] = _small(aggregate or None)
    if not values["nodes"]:
        per_node = values["tasks_per_node"]
        values["nodes"] = -(-tasks // per_node) if tasks and per_node else None


def _api(options: dict[str, Any]) -> tuple[str | None, str | None]:
    """Split ``MPIIO (version=3)`` and ``HDF5-1.8.14 (Parallel)`` into name and version."""
    printed = str(options.get("api") or "")
    name = re.split(r" |-(?=\d)", printed, maxsplit=1)[0]
    version = printed[len(name) :].strip(" -") or str(options.get("apiVersion") or "")
    return name or None, version or None


def _size_range(printed: Any) -> tuple[int, int]:
    """Return the least and most bytes that print as this size; 0 and 0 if it is none."""
    match = _SIZE.match(str(printed))
    if not match:
        return 0, 0
    unit = _UNITS[match[3]]
    if not match[2]:
        return int(match[1]) * unit, int(match[1]) * unit
    rounded, half = float(match[1] + match[2]) * unit, 0.00501 * unit
    return int(rounded - half), int(rounded + half)


def _exact_size(printed: Any, flag: str, command: str | None) -> int | None:
    """Bytes of a printed size; a rounded one is looked up in the command line."""
    least, most = _size_range(printed)
    if least == most:
        return _small(least or None)
    given = re.findall(rf"\s-{flag}[ =]?(\d{{1,18}})([kmgt]?)(?=\s|$)", command or "", re.I)
    sizes = [int(digits) * _SUFFIXES[suffix.lower()] for digits, suffix in given]
    return next((_small(size) for size in sizes if least <= size <= most), None)


def aggregate_size(values: dict[str, Any], mib: float, moved: list[int]) -> int | None:
    """Return exact bytes of an ``aggs(MiB)`` cell: of several candidates, the one it rounds.

    IOR 3.2 computes the cell in single precision, hence the relative part.
    """
    tolerance = 0.051 + mib * 2e-7
    product = 1
    for name in ("tasks", "block_size_bytes", "segments"):
        product *= values.get(name) or 0
    for candidate in (*reversed(moved), product):
        if candidate and abs(candidate / 2**20 - mib) <= tolerance:
            return _small(candidate)
    size = mib * 2**20
    return round(size) if abs(size) < 2**63 else None  # what is infinite cannot be rounded


def _small(value: int | str | None) -> int | None:
    """The number, or None if it does not fit a BIGINT."""
    return None if value is None or abs(int(value)) >= 2**63 else int(value)


def _or_none(column: str, printed: Any) -> Any:
    """A printed option as its column wants it, None where it is something else."""
    try:
        return typed(TEST.columns[column], str(printed))
    except ValueError:
        return None


def _of_uname(printed: str | None) -> tuple[str | None, str | None]:
    """The system and the name of a machine, as ``uname`` tells them: ``Linux birch1 6.1.0 …``."""
    system, _, rest = (printed or "").partition(" ")
    name, _, release = rest.partition(" ")
    return (f"{system} {release}".strip(), name) if name else (None, printed)


_LIBRARY = re.compile(r"ior[-_](?:easy|hard)")


@dataclass
class Run:
    """One run: its heading, its tests, and what tells how it ended."""

    number: int
    line: int
    version: str | None = None
    inferred: str | None = None
    command: str | None = None
    machine: str | None = None
    began: datetime | None = None
    finished: datetime | None = None
    ended: bool = False
    may_end: bool = True
    summaries: int = 0
    error: str | None = None
    data_error: str | None = None
    found: int | None = None
    moved: list[int] = field(default_factory=list)
    short: str | None = None
    tests: dict[int, Test] = field(default_factory=dict)

    def guess_version(self, version: str) -> None:
        """Note what the layout tells of the version; ``3.2+`` may become more exact."""
        if self.inferred in (None, "3.2+"):
            self.inferred = version

    @property
    def started(self) -> bool:
        """Whether IOR got as far as saying what it was to do."""
        return bool(self.began or self.command or self.tests or self.summaries)

    def status(self, followed: bool) -> tuple[str | None, str | None]:
        """How the run ended, and why it is said so.

        Parameters
        ----------
        followed : bool
            Whether another run follows in the file: IOR 2.10 repeats the heading for
            each test of a script, and says only once, at the end, that it finished.
        """
        most = [max(test.iterations.values(), default=0) for test in self.tests.values()]
        wanted = [test.exact.get("repetitions") for test in self.tests.values()]
        done = sum(most)
        planned = sum(count for count in wanted if count) or "?"
        ended = self.ended or (followed and self.inferred == "2.10.x" and self.summaries > 0)
        if self.data_error and ended:
            return "complete_with_data_errors", self.data_error
        if self.error:
            return "failed", self.error
        if not self.may_end:
            return None, "this form of output does not tell whether the run was complete"
        fewer = any(a < (b or 1) for a, b in zip(most, wanted, strict=True))
        reason = None
        if ended:
            status = "complete"
            if done and fewer:
                reason = f"ended after {done} of {planned} repetitions"
        elif done and self.library and not fewer:
            status, reason = "library_run", "an IO500 run: the library prints no end mark"
        elif not self.started:
            return "failed", "IOR printed its name and nothing else"
        else:
            return "aborted", f"no end mark, {done} of {planned} repetitions"
        return ("check", self.short) if self.short else (status, reason)

    @property
    def library(self) -> bool:
        """Whether IOR was called by the IO500 benchmark."""
        paths = [self.command, *(test.options.get("test filename") for test in self.tests.values())]
        return any(_LIBRARY.search(str(path)) for path in paths if path)


#: Messages that wait for the run they belong to; more than this go to the run before.
_HELD = 1000

_BYTES = re.compile(r"= (-?\d{1,19})\.?$")

#: What a summary row gives exactly; that of IOR 2.10 lacks them, and two more.
_EXACT = words("tasks tasks_per_node repetitions segments transfer_size_bytes block_size_bytes")
_FROM_OPTIONS = (*_EXACT, "aggregate_size_bytes", "api")


class Log:
    """Puts rows where they belong while an IOR file is read."""

    def __init__(self, out: Reading) -> None:
        self.out = out
        self.current: Run | None = None
        self.test_no: int | None = None
        self.started = False
        self.first_error: tuple[int, str] | None = None
        self._runs = 0
        self._held: list[tuple[int, str, str]] = []
        self._before_all = 0
        self._said: set[str] = set()

    def start_run(self, line: int) -> Run:
        """Begin a new run; messages that came before its heading are its own."""
        self._close(followed=True)
        if self._before_all:
            self.out.remark(1, f"{self._before_all} more messages before the first run: not kept")
            self._before_all = 0
        self.current = Run(self._runs, line)
        self._runs += 1
        self.test_no = None
        self._release()
        return self.current

    def run(self, line: int) -> Run:
        """Return the run that is being read; it begins here if there is none."""
        return self.current or self.start_run(line)

    def test(self, line: int, number: int | None = None) -> Test:
        """Return the test of that number, or the current one; it begins here if new."""
        run = self.run(line)
        if number is None:
            number = self.test_no or 0
        self.test_no = number
        return run.tests.setdefault(number, Test(number, line))

    def remark_once(self, line: int, text: str) -> None:
        """Say something about the file, the first time only."""
        if text not in self._said:
            self._said.add(text)
            self.out.remark(line, text)

    def message(self, line: int, level: str, text: str) -> None:
        """Record a message; the caller accounts for its line."""
        if level == "error" and not self.first_error:
            self.first_error = (line, text.strip())
        self._held.append((line, level, text.strip()))
        # A warning or error before the first heading, or after an end, may belong to a
        # run whose heading comes later: error output often overtakes the normal one.
        waits = self.current is None or (self.current.ended and level != "note")
        if waits and self.current is None and len(self._held) > _HELD:
            # Of thousands that MPI prints before anything, the last ones are kept.
            del self._held[0]
            self._before_all += 1
        elif not waits or len(self._held) > _HELD:
            self.run(line)
            self._release()

    def iteration(self, line: int, values: dict[str, Any]) -> None:
        """Record one phase."""
        test = self.test(line)
        operation = values["operation"]
        test.iterations[operation] = test.iterations.get(operation, 0) + 1
        self.out.record(
            "ior_iteration", run_no=self.run(line).number, test_no=test.number, line=line, **values
        )

    def summary(self, line: int, values: dict[str, Any], aggregate_mib: float | None) -> None:
        """Record a summary row; what it lacks comes from the options of its test."""
        run = self.run(line)
        test = self.test(line, values.pop("test_no", None))
        run.summaries += 1
        self._stonewall_of_all(line, values)
        if values.get("aggregate_size_bytes") is None and aggregate_mib is not None:
            values["aggregate_size_bytes"] = aggregate_size(values, aggregate_mib, run.moved)
        test.exact |= {name: values[name] for name in _EXACT if values.get(name) is not None}
        if values.get("tasks") is None:
            known = test_values(test, run.command)
            values |= {name: known.get(name) for name in _FROM_OPTIONS}
            access = known.get("access")
            values["file_per_process"] = access == "file-per-process" if access else None
        self.out.record("ior_summary", run_no=run.number, test_no=test.number, line=line, **values)

    def _stonewall_of_all(self, line: int, values: dict[str, Any]) -> None:
        """Make the rate up to the stonewall that of all tasks: IOR 4 prints it per task.

        Development versions of 3.4 do so, too, and none says which: the nearer one to the mean is
        taken, as a stonewall cuts off the last tasks only.
        """
        of_one, mean, tasks = (values.get(n) for n in ("stonewall_mib_s", "mean_mib_s", "tasks"))
        if not (of_one and mean and tasks and tasks > 1 and min(of_one, mean) > 0):
            return
        if abs(math.log(tasks * of_one / mean)) < abs(math.log(of_one / mean)):
            values["stonewall_mib_s"] = tasks * of_one
            self.remark_once(
                line, "the rate up to the stonewall is printed per task: times their number it is"
                " that of all",
            )  # fmt: skip

    def maximum(self, line: int, operation: str, mib: float | None, mb: float | None) -> None:
        """Record the best rate of an operation."""
        test = self.test(line)
        self.out.record(
            "ior_maximum", run_no=self.run(line).number, test_no=test.number, operation=operation,
            max_mib_s=mib, max_mb_s=mb, line=line,
        )  # fmt: skip

    def finish(self) -> None:
        """Close the last run."""
        if self.current is None and self._held:
            self.start_run(self._held[0][0])
        self._release()
        self._close(followed=False)

    def _release(self) -> None:
        """Hand the messages that wait to the current run."""
        held, self._held = self._held, []
        for line, level, text in held:
            run = self.run(line)
            if DATA_ERROR.search(text):
                run.data_error = run.data_error or text
            elif level == "error" and (run.error is None or run.error.startswith("**")):
                run.error = text
            self._note_sizes(run, text)
            self.out.record(
                "ior_message", run_no=run.number, test_no=self.test_no, level=level, text=text,
                line=line,
            )  # fmt: skip

    @staticmethod
    def _note_sizes(run: Run, text: str) -> None:
        """Compare the bytes that IOR moved with what the file system says is there."""
        size = _BYTES.search(text)
        if size and "Stat() of aggregate file size" in text:
            run.found = int(size[1])
        elif size and "actual aggregate bytes moved" in text:
            moved = int(size[1])
            run.moved.append(moved)
            del run.moved[:-_HELD]
            if run.found is not None and run.found < moved:
                run.short = f"{moved} bytes moved, but the file system holds {run.found}"
            run.found = None

    def _close(self, followed: bool) -> None:
        run = self.current
        if run is None:
            return
        self.started = self.started or run.started
        rows = []
        for test in run.tests.values():
            values = test_values(test, run.command)
            test.exact["repetitions"] = values.get("repetitions")
            rows.append({"run_no": run.number, "test_no": test.number, "line": test.line, **values})
        status, reason = run.status(followed)
        system, machine = _of_uname(run.machine)
        self.out.record(
            "ior_run", run_no=run.number, version=run.version or run.inferred,
            version_source="printed" if run.version else "inferred" if run.inferred else None,
            command=run.command, machine=machine, system=system, began=run.began,
            finished=run.finished, status=status, status_reason=reason, line=run.line,
        )  # fmt: skip
        for row in rows:
            self.out.record("ior_test", **row)
        self.current = None
