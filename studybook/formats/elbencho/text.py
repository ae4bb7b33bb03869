"""What elbencho prints, and writes with ``--resfile``: a table for each run, a part for each phase.

Seen: outputs of releases to 3.1, of files, directories, objects and buckets, with ``ISO DATE:`` or
``ISO DATE start:`` in front or nothing, with latencies and their percentiles. Histograms are not
kept.

From its source: a phase that writes and reads (``--rwmixpct``) has rows for each and for both. The
latter are kept; of its latencies, which are of writes or of reads, only the percentiles. Rates are
in MB/s with ``--base10``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.elbencho.results import PERCENTILE, PHASE, started
from studybook.formats.line_reader import LineReader
from studybook.formats.raw import Head, RawFile

_HEADER = "OPERATION RESULT TYPE FIRST DONE LAST DONE"
_RULE = re.compile(r"=+(?: +=+){3}$|-{3,}$")
_DATE = re.compile(r"ISO DATE(?: start)?: (\S+)$")
_END = re.compile(r"ISO DATE end *: \S+$")
_COMMAND = re.compile(r"COMMAND LINE: (.{1,4000})$")
_ROW = re.compile(r"([A-Z][A-Z0-9_+-]{1,30})? {1,40}([A-Z][\w /%+]{1,30}?) *: +(\S.*)$")
_TWO = re.compile(r"(\S+) +(\S+)$")
_LATENCY = re.compile(r"\[ min=(\S+) avg=(\S+) max=(\S+) \]$")
_SHARES = re.compile(r"\[ ((?:\d{1,3}(?:\.\d{1,6})?%<=\d{1,15}(?:\.\d{1,6})? )+)\]$", re.A)
_SHARE = re.compile(r"(\S+)%<=(\S+)")
_TIME = re.compile(
    r"(?:(\d{1,6})h)?(?:(\d{1,6})m(?!s))?(?:(\d{1,9}(?:\.\d{1,6})?)(us|ms|s))?", re.A
)
_NUMBER = re.compile(r"\d{1,18}(?:\.\d{1,9})?", re.A)
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
_ENTRIES = "(?:Files|Dirs|Objects|Entries|Buckets)"

#: The rows with two numbers, and the columns for first and last.
_COLUMNS = (
    (re.compile(rf"{_ENTRIES}/s(?: total)?$"), "entries_{}_per_s"),
    (re.compile(rf"{_ENTRIES} total$"), "entries_{}"),
    (re.compile(r"IOPS(?: total)?$"), "operations_{}_per_s"),
    (re.compile(r"(?:Throughput Mi?B/s|Mi?B/s total)$"), "rate_{}_mib_s"),
    (re.compile(r"Total MiB$"), "moved_{}_mib"),
    (re.compile(r"CPU util %$"), "cpu_{}_percent"),
)


#: A part of what is kept as a whole.
_PART = re.compile(rf"(?:(?:{_ENTRIES}|IOPS|Mi?B)(?:/s)?|IOPS) (?:write|read)$")
_WHOLE = re.compile(rf"(?:IO|{_ENTRIES}) latency$")
_MIB_PER_MB = 1e6 / 2**20


def recognise(head: Head) -> bool:
    """Whether the heading of a table of results is there."""
    return any(
        line.startswith("OPERATION") and " ".join(line.split()) == _HEADER for line in head.printed
    )


def read(raw: RawFile, out: Reading) -> None:
    """Read every phase.

    Raises
    ------
    Refused
        If no phase has a result.
    """
    reader = _Reader(out)
    reader.read(raw, longest=20_000)
    if not out.rows.get(PHASE):
        raise Refused(
            "elbencho was stopped before a result", "run it again; --csvfile FILE keeps results"
        )
    if reader.histograms:
        out.remark(1, f"{reader.histograms} histograms of latencies are not kept")


@dataclass
class _Reader(LineReader):
    facts: dict[str, Any] = field(default_factory=dict)
    phase: dict[str, Any] = field(default_factory=dict)
    phases: int = 0
    in_table: bool = False
    histograms: int = 0

    def _take(self, line: int, text: str) -> bool | None:
        plain = text.strip()
        if not plain:
            return False
        if match := _DATE.match(plain):
            self._close()
            self.facts, self.in_table = started(match[1]) or {}, False
            return True if self.facts else None
        if match := _COMMAND.match(plain):
            self._close()
            self.facts = {k: v for k, v in self.facts.items() if k != "command"}
            self.facts["command"], self.in_table = match[1][:2000], False
            return True
        if _END.match(plain):
            self._close()
            self.facts = {}
            return False
        if " ".join(plain.split()) == _HEADER:
            self._close()
            self.in_table = True
            return False
        if _RULE.match(plain):
            if plain.startswith("-"):
                self._close()
            return False
        match = _ROW.match(text) if self.in_table else None
        return self._row(line, match) if match else None

    def _row(self, line: int, match: re.Match[str]) -> bool | None:
        operation, name, printed = match[1], match[2], match[3].strip()
        if operation:
            if name != "Elapsed time":
                return None
            times = _TWO.match(printed)
            first, last = (_seconds(each) for each in times.groups()) if times else (None, None)
            if first is None or last is None:
                return None
            self._close()
            self.phase = {
                "operation": operation, "line": line, "elapsed_first_s": first,
                "elapsed_last_s": last, **self.facts,
            }  # fmt: skip
            return True
        if not self.phase:
            return None
        if name.endswith("lat hist"):
            self.histograms += 1
            return False
        if match_shares := _SHARES.match(printed) if name.endswith("lat % us") else None:
            for percent, latency in _SHARE.findall(match_shares[1]):
                if float(percent) <= 100:
                    self.out.record(
                        PERCENTILE, phase_no=self.phases, line=line, percent=float(percent),
                        measure=name.removesuffix(" lat % us"), latency_us=float(latency),
                    )  # fmt: skip
            return True
        if _PART.match(name):
            return False
        if match_latency := _LATENCY.match(printed) if _WHOLE.match(name) else None:
            kind = "io" if name.startswith("IO") else "entry"
            seconds = [_seconds(each) for each in match_latency.groups()]
            if None in seconds or f"{kind}_min_us" in self.phase:
                return None
            for part, value in zip(("min", "mean", "max"), seconds, strict=True):
                self.phase[f"{kind}_{part}_us"] = round((value or 0.0) * 1e6, 6)
            return True
        column = next((each for pattern, each in _COLUMNS if pattern.match(name)), None)
        numbers = _TWO.match(printed)
        if column is None or not numbers or column.format("first") in self.phase:
            return None
        if not all(map(_NUMBER.fullmatch, numbers.groups())):
            return None
        factor = _MIB_PER_MB if "MB/s" in name else 1.0
        self.phase[column.format("first")] = float(numbers[1]) * factor
        self.phase[column.format("last")] = float(numbers[2]) * factor
        return True

    def _close(self) -> None:
        """Record the phase."""
        phase, self.phase = self.phase, {}
        if phase:
            self.out.record(PHASE, phase_no=self.phases, **phase)
            self.phases += 1


def _seconds(printed: str) -> float | None:
    """A time such as 2m3.241s, 586ms or 108us in seconds; None if it is none."""
    match = _TIME.fullmatch(printed)
    if not match or not any(match.groups()):
        return None
    hours, minutes = int(match[1] or 0), int(match[2] or 0)
    return 3600 * hours + 60 * minutes + float(match[3] or 0) * _SECONDS[match[4] or "s"]
