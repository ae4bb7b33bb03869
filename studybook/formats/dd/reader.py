"""dd, of coreutils, busybox and uutils, in any locale, with what ``time`` says of it.

Reports of coreutils 8.32 to 9.10, busybox 1.30 to 1.37 and uutils were seen, in English, German,
French and Dutch; those of coreutils before 8.25 are from its source. Up to 5.2.1, and in
busybox, there is neither size nor time: then ``time`` alone tells how long it took.

dd's own MB and GB are powers of 1000 and have two or three digits: the rate is computed from bytes
and seconds. Commands are read where a script or a prompt has echoed them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from studybook.formats.contract import Reading, tables
from studybook.formats.dd import timed
from studybook.formats.dd.timed import Timed
from studybook.formats.line_reader import LineReader
from studybook.formats.raw import Head, RawFile

TABLES = tables("""
dd_run: one report of dd
    run_no BIGINT, command VARCHAR, input VARCHAR, output VARCHAR, flags VARCHAR, count BIGINT,
    block_size_bytes BIGINT, block_size_of VARCHAR, records_in BIGINT, partial_records_in BIGINT,
    records_out BIGINT, partial_records_out BIGINT, truncated_records BIGINT, copied_bytes BIGINT,
    elapsed_s DOUBLE, rate_printed VARCHAR, rate_bytes_s DOUBLE, intermediate BOOLEAN, exit_status
    BIGINT, status VARCHAR, error VARCHAR, line BIGINT

dd_progress: one line of status=progress
    run_no BIGINT, copied_bytes BIGINT, elapsed_s DOUBLE, line BIGINT
""")

_OPTION = re.compile(r"\b(if|of|bs|ibs|obs|count|conv|iflag|oflag|status|skip|seek)=(\S+)")
_SIZE = re.compile(r"(\d{1,12})(c|w|b|[KMGTPE]?i?B|kB|[kKMGTPE])?$")
_PREFIXES = "KMGTPE"


def option_values(command: str) -> dict[str, Any]:
    """Input, output, count, flags and block size of a command line; none if it is not one of dd.

    dd reads and writes 512 bytes at a time unless ``bs``, or ``obs``, says otherwise.
    """
    if not re.search(r"(?:^|[ /])dd ", command):
        return {}
    options = dict(_OPTION.findall(command))
    if not options:
        return {}
    flags = " ".join(
        f"{name}={options[name]}" for name in ("conv", "iflag", "oflag") if name in options
    )
    found = {
        "input": options.get("if"), "output": options.get("of"),
        "count": size(options["count"]) if "count" in options else None, "flags": flags or None,
    }  # fmt: skip
    block = size(options.get("bs") or options.get("obs") or "512")
    if block:
        found |= {"block_size_bytes": block, "block_size_of": "command"}
    return found


def size(cell: str) -> int | None:
    """Read ``64k``, ``1M``, ``2MB`` or ``1c``: K is 1024 bytes, kB and MB are powers of 1000."""
    match = _SIZE.match(cell)
    if not match:
        return None
    number, suffix = int(match[1]), match[2] or ""
    if suffix in ("", "c", "w", "b"):
        value = number * {"": 1, "c": 1, "w": 2, "b": 512}[suffix]
    elif suffix == "B":
        value = number
    else:
        base = 1000 if suffix.endswith("B") and "i" not in suffix else 1024
        value = number * base ** (_PREFIXES.index(suffix[0].upper()) + 1)
    return value if value < 2**63 else None


def block_size(run: dict[str, Any]) -> dict[str, Any]:
    """The block size that bytes and whole records give, where no command says it."""
    if "block_size_bytes" in run:
        return {}
    copied, records = run.get("copied_bytes"), run.get("records_out")
    if not copied or not records or run.get("partial_records_out") or copied % records:
        return {}
    return {"block_size_bytes": copied // records, "block_size_of": "bytes by records"}


def status(run: dict[str, Any]) -> str:
    """``failed``, ``no report``, ``check`` where less came out than went in, or ``complete``."""
    if "error" in run or run.get("exit_status"):
        return "failed"
    if "records_out" not in run:
        return "no report"
    sides = [
        (run.get(f"records_{side}"), run.get(f"partial_records_{side}")) for side in ("in", "out")
    ]
    if sides[0] != sides[1] and not re.search(r"\b[io]bs=", run.get("command", "")):
        return "check"
    return "complete"


def may_continue(run: dict[str, Any], later: dict[str, Any]) -> bool:
    """Whether a report goes on from an earlier one: same block size, more bytes, more time."""
    if not run.get("copied_bytes") or not later.get("copied_bytes"):
        return False
    return bool(
        run.get("block_size_bytes") == later.get("block_size_bytes")
        and later["copied_bytes"] > run["copied_bytes"]
        and later["elapsed_s"] > run["elapsed_s"]
    )


_GAP = r"[ \u00a0]"
_RECORDS = re.compile(
    rf"(\d{{1,18}})\+(\d{{1,18}}){_GAP}[^\W\d_]{{2,20}}(?:{_GAP}[^\W\d_]{{2,20}}){{0,2}}$"
)
_TRUNCATED = re.compile(r"(\d{1,18}) truncated records?$")
_COPIED = re.compile(
    rf"(\d{{1,18}}){_GAP}[^\W\d_]{{2,20}}(?: \([^()]{{1,60}}\))?{_GAP}[^\W\d_]{{2,20}}, "
    r"(\d{1,15}(?:[.,]\d{1,15})?(?:e[+-]\d\d)?) (?:s|seconds?), (\S{1,20}(?: ?[kMGTPE]?B)?/s)$"
)
_COMMAND = re.compile(r"(?:\S{0,60}[$#>%+] ?|\++ )?((?:\S.* )?(?:\S*/)?dd(?: +[\w=/.,:-]+)+.*)$")
_STATUS = re.compile(r"(?:rc|exit|exit status|status)[=: ]+(\d{1,4})$")
_ERROR = re.compile(r"(?:\S*/)?dd: .+")

#: Neither dd nor time prints a line longer than this; a command may be cut.
LONGEST = 4_000


def recognise(head: Head) -> bool:
    """Whether two lines count records in and out, or the file begins with what time prints."""
    pairs = pairwise(_RECORDS.match(line.strip()) for line in head.lines)
    if head.has(_COPIED) or (head.has(_RECORDS) and any(one and other for one, other in pairs)):
        return True
    first, second, *_ = [*head.printed[:2], "", ""]
    # Of how a command ended, other programs make lines as well.
    return timed.begins(second if timed.ended(first) else first)


def read(raw: RawFile, out: Reading) -> None:
    """Read every report of the file."""
    _Reader(out).read(raw, LONGEST)


@dataclass
class _Reader(LineReader):
    run: dict[str, Any] = field(default_factory=dict)
    command: dict[str, Any] = field(default_factory=dict)
    held: dict[str, Any] = field(default_factory=dict)
    timed: Timed = field(default_factory=Timed)
    runs = 0

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            return False
        if match := _RECORDS.match(text):
            self.records(line, int(match[1]), int(match[2]))
        elif match := _COPIED.match(text):
            self.copied(line, match)
        elif self.time(line, text):
            pass
        elif (match := _STATUS.match(text)) and (self.run or self.command):
            self.current(line)["exit_status"] = int(match[1])
            self.end_command()
        elif match := _TRUNCATED.match(text):
            self.current(line)["truncated_records"] = int(match[1])
        elif _ERROR.match(text):
            # It stands before or after the report.
            if "records_out" in self.run and not self.command:
                self.end_command()
            self.current(line).setdefault("error", text[:400])
        elif (match := _COMMAND.match(text)) and (found := option_values(match[1])):
            self.end_command()
            self.command = {"command": match[1][:400], "line": line, **found}
        else:
            return None
        return True

    def current(self, line: int) -> dict[str, Any]:
        """Return the current report; a new one of the current command where there is none."""
        if not self.run:
            self.run = {"line": line, **self.command}
        return self.run

    def records(self, line: int, whole: int, partial: int) -> None:
        """Take records in, or after them, records out."""
        if "records_out" in self.run:
            self.next_report(line)
        run = self.current(line)
        side = "out" if "records_in" in run else "in"
        run[f"records_{side}"], run[f"partial_records_{side}"] = whole, partial

    def copied(self, line: int, match: re.Match[str]) -> None:
        """Take bytes and seconds: of a report, or printed on the way (``status=progress``)."""
        size, seconds = int(match[1]), float(match[2].replace(",", "."))
        if "records_out" in self.run and "copied_bytes" not in self.run:
            self.run.update(copied_bytes=size, elapsed_s=seconds, rate_printed=match[3])
            if seconds > 0:
                self.run["rate_bytes_s"] = size / seconds
            return
        if "copied_bytes" in self.run:
            self.next_report(line)
        self.out.record(
            "dd_progress", run_no=self.runs, copied_bytes=size, elapsed_s=seconds, line=line
        )

    def next_report(self, line: int) -> None:
        """Begin another report, where nothing says that the command has ended."""
        command = self.command
        if command:
            self.run["intermediate"] = True
        self.end_report(hold=not command)
        self.command = command

    def time(self, line: int, text: str) -> bool:
        """Take a line of time."""
        if self.timed.begins_anew(text):
            self.end_timed()
        if not self.timed.take(line, text):
            return False
        if self.timed.complete:
            self.end_timed()
        return True

    def end_timed(self) -> None:
        """Record what time printed, of the report before it."""
        timed, self.timed = self.timed, Timed()
        if not timed.values:
            return
        run_no = None
        if self.run or self.command:
            run_no = self.runs
            self.current(timed.values["line"])
            self.end_command()
        self.out.record("dd_time", run_no=run_no, **timed.values)

    def end_command(self) -> None:
        """Record the current report, or a command that has none; the command is over."""
        if self.command and not self.run:
            self.current(self.command["line"])
        if self.run or self.held:
            self.end_report()
        self.command = {}

    def end_report(self, *, hold: bool = False) -> None:
        """Record the current report; or hold it back until the next one is known."""
        run, self.run = self.run, {}
        held, self.held = self.held, {}
        if run:
            run = {"run_no": self.runs, "intermediate": False} | run | block_size(run)
            run["status"] = status(run)
            self.runs += 1
        if held:
            if may_continue(held, run):
                held["intermediate"] = None
                self.out.remark(
                    held["line"],
                    "this report of dd may be an intermediate one of the next (signal USR1): "
                    "no command stands between them",
                )
            self.out.record("dd_run", **held)
        if run and hold:
            self.held = run
        elif run:
            self.out.record("dd_run", **run)

    def _close(self) -> None:
        self.end_timed()
        self.end_command()
