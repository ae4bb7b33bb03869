"""Puts the rows of an IOR file where they belong: to runs, and to tests within runs."""

from __future__ import annotations

import re
from typing import Any

from studybook.formats.contract import Reading
from studybook.formats.ior.options import Run, Test, aggregate_size, test_values
from studybook.formats.ior.words import DATA_ERROR
from studybook.formats.names import words

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
        self._said: set[str] = set()

    def start_run(self, line: int) -> Run:
        """Begin a new run; messages that came before its heading are its own."""
        self._close(followed=True)
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
        if not waits or len(self._held) > _HELD:
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
        if values.get("aggregate_size_bytes") is None and aggregate_mib is not None:
            values["aggregate_size_bytes"] = aggregate_size(values, aggregate_mib, run.moved)
        test.exact |= {name: values[name] for name in _EXACT if values.get(name) is not None}
        if values.get("tasks") is None:
            known = test_values(test, run.command)
            values |= {name: known.get(name) for name in _FROM_OPTIONS}
            access = known.get("access")
            values["file_per_process"] = access == "file-per-process" if access else None
        self.out.record("ior_summary", run_no=run.number, test_no=test.number, line=line, **values)

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
        self.out.record(
            "ior_run", run_no=run.number, version=run.version or run.inferred,
            version_source="printed" if run.version else "inferred" if run.inferred else None,
            command=run.command, machine=run.machine, began=run.began, finished=run.finished,
            status=status, status_reason=reason, line=run.line,
        )  # fmt: skip
        for row in rows:
            self.out.record("ior_test", **row)
        self.current = None
