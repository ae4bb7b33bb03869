"""dbench and tbench: a load of file system calls, replayed by a number of clients.

Layouts of releases 1.3, 2.0, 4.0 and 5.0, plain and ``--machine-readable``, were seen; those of
3.x are inferred from its source. A study of scaling is several runs, one after another.

A megabyte is 10^6 bytes in every release since 2.0 (seen in the source); what it is before that is
not known, so those rates have no value in bytes. The final rate is that of the last second printed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from studybook.formats.contract import Reading, tables
from studybook.formats.line_reader import LineReader, float_or_none
from studybook.formats.raw import Head, RawFile

TABLES = tables("""
dbench_run: one run of dbench or tbench
    run_no BIGINT, program VARCHAR, version VARCHAR, load VARCHAR, asked_s DOUBLE, warmup_s DOUBLE,
    clients BIGINT, processes BIGINT, rate_printed_mb_s DOUBLE, rate_of VARCHAR, mb_bytes BIGINT,
    rate_bytes_s DOUBLE, max_latency_ms DOUBLE, sync_open BOOLEAN, sync_dirs BOOLEAN, status
    VARCHAR, error VARCHAR, line BIGINT

dbench_second: one line of progress of a run, about one a second
    run_no BIGINT, phase VARCHAR, second DOUBLE, clients BIGINT, load_lines BIGINT,
    rate_printed_mb_s DOUBLE, latency_ms DOUBLE, line BIGINT

dbench_operation: one kind of call in one run, all clients together
    run_no BIGINT, operation VARCHAR, calls BIGINT, mean_latency_ms DOUBLE, max_latency_ms DOUBLE,
    line BIGINT
""")

_N = r"(\d{1,15}(?:\.\d{1,9})?)"
#: %g prints an exponent for large and small rates.
_G = r"(\d{1,15}(?:\.\d{1,9})?(?:e[+-]\d\d)?)"
_COUNT = r"(\d{1,18})"
_TITLE = re.compile(r"([dt]bench) version (\S{1,40}) - Copyright\b.*$")
_ASKED = re.compile(
    rf"Running for {_N} seconds with load '(.*)'(?: and minimum warmup {_N} secs)?$"
)
_STARTED = re.compile(rf"[.+*]*{_COUNT} clients started$")
_FINAL = re.compile(
    rf"Throughput {_G} MB/sec(?P<old> \(NB={_G} MB/sec +{_G} MBit/sec\))?"
    rf"(?P<open> \(sync open\))?(?P<dirs> \(sync dirs\))?"
    rf" +(?:(?P<clients>\d{{1,18}}) clients +)?(?P<procs>\d{{1,18}}) procs"
    rf"(?: +max_latency={_N} ms)?$"
)
_SECOND = re.compile(
    rf"{_COUNT} +{_COUNT} +{_N} MB/sec(?: +(warmup|execute|cleanup) +{_N} sec)?"
    rf"(?: +latency {_N} ms)?$"
)
_MACHINE = re.compile(rf"@([WRC])@{_COUNT}@{_COUNT}@{_N}@{_N}@{_N}@$")
_PHASES = {"W": "warmup", "R": "execute", "C": "cleanup"}
_CALLS = re.compile(rf"([A-Z]\w{{1,40}}) +{_COUNT} +{_N} +{_N}$")
_MACHINE_CALLS = re.compile(rf":([A-Z]\w{{1,40}}):{_COUNT}:{_N}:{_N}:$")
_MACHINE_FINAL = re.compile(rf";{_N};{_COUNT};{_COUNT};{_N};$")
_ERROR = re.compile(
    r"\[\d+\] .*|\(\d+\) ERROR: .*|Child failed with status \d+|error opening .*|"
    r"(?:open|write|read|unlink|rename|mkdir|close) .*failed\b.*"
)
_HEADING = re.compile(
    r"[.+*]+|-{20,}|Operation +Count +AvgLat +MaxLat|\d+ of \d+ processes prepared for launch .*|"
    r"[Rr]eleasing clients|Waiting for child processes to finish setup\.|"
    r"failed to create barrier semaphore.*|\d+ +cleanup +\d+ sec|"
    r"\d+ clients? (?:started|finished).*"
)


def recognise(head: Head) -> bool:
    """Whether a line is a title of dbench or its final rate."""
    return head.has(_TITLE, _FINAL, _STARTED)


def read(raw: RawFile, out: Reading) -> None:
    """Read every run of the file."""
    _Reader(out).read(raw)


@dataclass
class _Reader(LineReader):
    run: dict[str, Any] = field(default_factory=dict)
    runs = 0
    last: float | None = None
    ended = False

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            return False
        if match := _TITLE.match(text):
            self._close()
            self.run = {"line": line, "program": match[1], "version": match[2]}
        elif match := _STARTED.match(text):
            self.begin_if_none(line, "clients")["clients"] = int(match[1])
        elif match := _ASKED.match(text):
            self.begin_if_none(line, "load").update(
                asked_s=float(match[1]), load=match[2], warmup_s=float_or_none(match[3])
            )
        elif match := _FINAL.match(text):
            self.final(line, match)
        elif match := _MACHINE_FINAL.match(text):
            self.machine_final(line, match)
        elif self.run and not self.ended and self.progress(line, text):
            pass
        elif self.run and not self.ended and _ERROR.match(text):
            self.run.setdefault("error", text[:400])
        else:
            return False if _HEADING.match(text) else None
        return True

    def begin_if_none(self, line: int, column: str = "") -> dict[str, Any]:
        """The current run; a new one where there is none, it has ended or has the column."""
        if self.ended or column in self.run:
            self._close()
        if not self.run:
            self.run = {"line": line}
        return self.run

    def progress(self, line: int, text: str) -> bool:
        if match := _SECOND.match(text):
            clients, lines, rate, phase, second, latency = match.groups()
        elif match := _MACHINE.match(text):
            mark, clients, lines, rate, second, latency = match.groups()
            phase = _PHASES[mark]
        elif match := _CALLS.match(text) or _MACHINE_CALLS.match(text):
            self.out.record(
                "dbench_operation", run_no=self.runs, operation=match[1], calls=int(match[2]),
                mean_latency_ms=float(match[3]), max_latency_ms=float(match[4]), line=line,
            )  # fmt: skip
            return True
        else:
            return False
        if phase == "execute":
            self.last = float(rate)
        self.out.record(
            "dbench_second", run_no=self.runs, phase=phase, second=float_or_none(second),
            clients=int(clients), load_lines=int(lines), rate_printed_mb_s=float(rate),
            latency_ms=float_or_none(latency), line=line,
        )  # fmt: skip
        return True

    def final(self, line: int, match: re.Match[str]) -> None:
        run = self.begin_if_none(line)
        rate = float(match[1])
        run.update(
            rate_printed_mb_s=rate, rate_of="final line", sync_open=match["open"] is not None,
            sync_dirs=match["dirs"] is not None, processes=int(match["procs"]),
            max_latency_ms=float_or_none(match[match.re.groups]),
        )  # fmt: skip
        # Where the line says no clients, each process is one.
        run["clients"] = int(match["clients"] or match["procs"])
        if match["old"]:
            self.out.remark(
                line, "the MB of dbench before 2.0 is of no known size: no rate in bytes"
            )
        else:
            run.update(mb_bytes=1_000_000, rate_bytes_s=round(rate * 1e6, 3))
        self.ended = True

    def machine_final(self, line: int, match: re.Match[str]) -> None:
        """Take the end of ``--machine-readable``, whose rate is 0 by a mistake of dbench."""
        run = self.begin_if_none(line)
        rate = float(match[1]) or self.last
        run.update(clients=int(match[2]), processes=int(match[3]), max_latency_ms=float(match[4]))
        if rate:
            run.update(
                rate_printed_mb_s=rate, rate_of="final line" if float(match[1]) else "last second",
                mb_bytes=1_000_000, rate_bytes_s=round(rate * 1e6, 3),
            )  # fmt: skip
            if not float(match[1]):
                self.out.remark(
                    line, "dbench prints rate 0 here: that of the last second was taken"
                )
        self.ended = True

    def _close(self) -> None:
        run, self.run = self.run, {}
        ended, self.ended, self.last = self.ended, False, None
        if not run:
            return
        run["status"] = "failed" if "error" in run else "complete" if ended else "aborted"
        if run["status"] != "complete":
            self.out.remark(run["line"], f"this run of dbench is {run['status']}: no final rate")
        self.out.record("dbench_run", run_no=self.runs, **run)
        self.runs += 1
