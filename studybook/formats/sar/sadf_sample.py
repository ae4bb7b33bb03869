"""One sample of ``sadf -j`` or ``sadf -x``: groups of named values, taken to rows.

Both print restarts and comments behind the samples. To know a sample's segment while it is read,
the restarts are looked for beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from studybook.formats.raw import RawFile
from studybook.formats.sar.sadf_cells import Stamp, number, stamp
from studybook.formats.sar.sadf_export import INTERRUPT, Export
from studybook.formats.sar.sadf_names import plans

_PLACES = re.compile(
    rb'"nodename"\s*:|<host\s|"boot"\s*:\s*\{([^{}]{1,200})\}|<boot\s([^<>]{1,200})>', re.ASCII
)
_PARTS = re.compile(r"\"?\b(date|time|utc|tz)\"?\s*[=:]\s*\"?([\w:+-]{1,40})", re.ASCII)
_PROCESSOR = re.compile(r"CPU(\d{1,6})|all", re.ASCII)

#: The longest that an object or element of a restart may be, in bytes.
_LONGEST = 300

_ASSUMED = (
    "the times do not say of which clock they are, as in releases of sysstat to 10.0: taken as UTC;"
    " with the option -t of sadf they would be those of the recording host"
)

#: An interval of more seconds is none: some releases on 32 bits print 184467440737095516.
_NO_INTERVAL = 1e10


def stamp_of(parts: Mapping[str, str | None]) -> Stamp | None:
    """The time in ``date``, ``time`` and ``utc`` (or ``tz``, since 12.7).

    Releases to 10.0 say neither ``utc`` nor ``tz``: their times are UTC unless they were asked for
    others (-t). Some of them have hyphens in a time.
    """
    utc = parts.get("utc") == "1" or parts.get("tz") == "UTC" or not {"utc", "tz"} & parts.keys()
    time = str(parts.get("time")).replace("-", ":")
    return stamp(f"{parts.get('date')} {time}" + (" UTC" if utc else ""))


def restarts(raw: RawFile) -> list[list[int]]:
    """When the hosts of a file were restarted, in microseconds, host by host."""
    found: list[list[int]] = [[]]
    rest = b""
    for _, block in raw.blocks():
        text = rest + block
        end = 0
        for match in _PLACES.finditer(text):
            end = match.end()
            boot = match[1] or match[2]
            if not boot:
                found.append([])
            elif when := stamp_of(dict(_PARTS.findall(boot.decode(errors="replace")))):
                found[-1].append(when.micros)
        rest = text[max(end, len(text) - _LONGEST) :]
    return found[1:] or [[]]


#: What is said of the host, and the columns of the report that keep it.
_FACTS = {"release": "kernel", "machine": "architecture", "file-date": "date_printed"}


def _count(text: str) -> int | None:
    return int(text) if re.fullmatch(r"\d{1,9}", text, re.ASCII) else None


class Samples:
    """Takes the samples of a file to rows of an export, and accounts for their lines."""

    def __init__(self, export: Export, raw: RawFile) -> None:
        self.export = export
        self.restarts = iter(restarts(raw))
        self.boots: list[int] = []
        self.seen = 0  # the last line that is accounted for
        self.when: Stamp | None = None
        self.interval: float | None = 0.0
        self.assumed = False

    def host(self, line: int) -> None:
        """Begin the report of a host."""
        self.export.report(None, line)
        self.boots = sorted(next(self.restarts, []))

    def fact(self, key: str, value: str) -> bool:
        """Keep what is said of the host; False if it is nothing to keep."""
        if key == "nodename":
            self.export.host = value
        elif key in _FACTS:
            self.export.facts(**{_FACTS[key]: value})
        elif key == "number-of-cpus" and (cpus := _count(value)) is not None:
            self.export.facts(cpus=cpus)
        else:
            return False
        return True

    def begin(self, parts: Mapping[str, str | None], first: int, last: int) -> None:
        """Begin a sample: its time and interval."""
        self.when = stamp_of(parts)
        try:
            interval = number(parts.get("interval"))
        except ValueError:
            interval = None
        if self.when is None or interval is None or interval < 0:
            self.when = None
            self.account(first, last, understood=False, text=str(dict(parts)))
            return
        self.interval = interval if interval < _NO_INTERVAL else None
        if not self.assumed and not {"utc", "tz"} & parts.keys():
            self.assumed = True
            self.export.out.remark(first, _ASSUMED)
        self.export.segment = self.segment(self.when)
        self.account(first, last)

    def segment(self, when: Stamp) -> int:
        """How many restarts lie before; one in the same second ends the segment."""
        return sum(boot < when.micros for boot in self.boots)

    def values(self, group: str, leaf: Mapping[str, str | None], first: int, last: int) -> None:
        """Keep named values of the current sample."""
        understood = self.when is not None and all(self._rows(group, leaf, first))
        self.account(first, last, understood=understood, text=f"{group} {dict(leaf)}")

    def _rows(self, group: str, leaf: Mapping[str, str | None], line: int) -> Iterable[bool]:
        if self.when is None:
            return
        if group == "interrupts" and "value" not in leaf:
            for key, value in leaf.items():
                if match := _PROCESSOR.fullmatch(key):
                    cells = (leaf.get("intr"), match[1] or "all", value)
                    yield self.export.row(INTERRUPT, cells, self.when, self.interval, line)
                elif key != "intr":
                    yield False
            return
        for plan in plans(group, tuple(leaf)):
            values = tuple(leaf[key] for key in plan.keys)
            yield self.export.row(plan.names, values, self.when, self.interval, line)

    def restart(self, parts: Mapping[str, str | None], first: int, last: int) -> None:
        """Keep a restart."""
        if when := stamp_of(parts):
            cpus = _count(parts.get("cpu_count") or "")
            self.export.restart(when, first, 1 + self.segment(when), cpus)
        self.account(first, last, understood=bool(when), text=str(dict(parts)))

    def comment(self, parts: Mapping[str, str | None], first: int, last: int) -> None:
        """Keep a comment."""
        when, text = stamp_of(parts), parts.get("com")
        if when and text is not None:
            self.export.segment = self.segment(when)
            self.export.comment(when, first, text)
        self.account(first, last, understood=bool(when and text is not None), text=str(dict(parts)))

    def account(self, first: int, last: int, *, understood: bool = True, text: str = "") -> None:
        """Account for lines, each of them once."""
        lines = last - max(first, self.seen + 1) + 1
        if lines > 0:
            self.seen = last
            if not understood:
                self.export.out.unknown(max(first, last - lines + 1), text)
                lines -= 1
            self.export.out.used(lines)

    def finish(self, lines: int) -> None:
        """Account for the lines that are not yet: brackets, titles, and blank lines."""
        self.export.finish()
        out = self.export.out
        out.heading(lines - out.lines)
