"""What ``ethtool -S`` prints, once or again and again.

Seen: outputs of drivers (igb, e1000e and the like) in mails and posts. From memory: names of
counters, which are those of the driver, may have blanks, brackets and colons in them. The output
names neither the interface nor the time. They are told by lines in front: the command (``ethtool
-S eth0``), a name alone (``eth0:``), seconds since 1970 or a date with its zone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from studybook.errors import Refused
from studybook.formats.contract import Reading, tables
from studybook.formats.line_reader import LineReader
from studybook.formats.quoted_rows import END_S, EPOCH, FIRST_S
from studybook.formats.raw import Head, RawFile

TABLES = tables("""
ethtool_capture: one output of ethtool -S
    capture_no BIGINT, time_utc TIMESTAMP,
    -- As a line in front tells it.
    interface VARCHAR, line BIGINT

ethtool_counter: one counter
    capture_no BIGINT, name VARCHAR,
    -- Since the driver was loaded, as a rule; NULL where the number is beyond what fits.
    value BIGINT, line BIGINT
""")
_CAPTURE, _COUNTER = (table.name for table in TABLES)

_TITLE = "NIC statistics:"
_ROW = re.compile(r"\s+(\S(?:.{0,120}?\S)?): +(-?\d{1,25})$|(\w{2,80}): (\d{1,25})$", re.ASCII)
_COMMAND = re.compile(
    r"(?:.{0,80}?[#$>%] ?)?(?:\S{0,60}/)?ethtool (?:-S|--statistics) ([\w.:@-]{1,40})$"
)
_NAME = re.compile(r"(?:=+ *)?([a-z][\w.@-]{0,30})(?::| *=+)$", re.ASCII)
_SECONDS = re.compile(r"(\d{10}(?:\.\d{1,9})?)$", re.ASCII)
_ISO = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$", re.A)
_DATE = re.compile(
    r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d:\d\d) (?:UTC|GMT) (\d{4})$", re.ASCII
)

_HOW = "while sleep 10; do date +%s; echo ethtool -S eth0; ethtool -S eth0; done > FILE"


def recognise(head: Head) -> bool:
    """Whether the title stands above a counter."""
    lines = [line for line in head.lines if line.strip()]
    return any(
        line.strip() == _TITLE and place + 1 < len(lines) and _ROW.match(lines[place + 1])
        for place, line in enumerate(lines)
    )


def read(raw: RawFile, out: Reading) -> None:
    """Read every output in the file.

    Raises
    ------
    Refused
        If there is no counter.
    """
    reader = _Reader(out)
    reader.read(raw, longest=1_000)
    if not out.rows.get(_COUNTER):
        raise Refused("has the title of ethtool -S, and no counter", f"record it again: {_HOW}")
    reader.tell()


@dataclass
class _Reader(LineReader):
    captures: int = 0
    interface: str | None = None
    time: datetime | None = None
    first: int = 0  # line of the title
    seen: set[str] = field(default_factory=set)
    unnamed: int = 0
    untimed: int = 0

    def _take(self, line: int, text: str) -> bool | None:
        plain = text.strip()
        if not plain:
            return False
        if plain == _TITLE:
            self._close()
            self.first = line
            return False
        if self.first and (match := _ROW.match(text.rstrip())):
            name, number = match[1] or match[3], match[2] or match[4]
            if name in self.seen or len(self.seen) > 100_000:
                return None
            self.seen.add(name)
            value = int(number)
            self.out.record(
                _COUNTER, capture_no=self.captures, name=name, line=line,
                value=value if abs(value) < 2**62 else None,
            )  # fmt: skip
            return True
        if (when := _instant(plain)) is not None:
            self._close()
            self.time = when
            return True
        if match := _COMMAND.match(plain) or _NAME.match(plain):
            self._close()
            self.interface = match[1]
            return True
        return None

    def _close(self) -> None:
        """Record the output that ends here; what stood in front of it is not of the next."""
        if not self.first:
            return
        if self.seen:
            self.out.record(
                _CAPTURE, capture_no=self.captures, time_utc=self.time, interface=self.interface,
                line=self.first,
            )  # fmt: skip
            self.unnamed += self.interface is None
            self.untimed += self.time is None
            self.captures += 1
        # One time may stand in front of the outputs of several interfaces.
        self.first, self.seen, self.interface = 0, set(), None

    def tell(self) -> None:
        """Say what the file leaves open."""
        if self.unnamed:
            self.out.remark(
                1,
                f"{self.unnamed} outputs do not say of which interface they are: a line in front"
                " tells it, such as ethtool -S eth0",
            )
        if self.untimed:
            self.out.remark(
                1, f"{self.untimed} outputs have no time: a line of `date +%s` in front tells it"
            )


def _instant(text: str) -> datetime | None:
    """The moment that a line of its own tells; None if it tells none."""
    try:
        if match := _SECONDS.match(text):
            seconds = float(match[1])
            if not FIRST_S <= seconds < END_S:
                return None
            return EPOCH + timedelta(microseconds=round(seconds * 1e6))
        if match := _DATE.match(text):
            return datetime.strptime(" ".join(match.groups()), "%b %d %H:%M:%S %Y")
        if _ISO.match(text):
            when = datetime.fromisoformat(text.replace(",", "."))
            return when.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None
    return None
