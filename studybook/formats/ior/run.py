"""How an IOR run ended, as far as its output tells."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from studybook.formats.ior.options import Test

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
