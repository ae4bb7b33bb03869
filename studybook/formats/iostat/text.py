"""What iostat of sysstat prints: processors, and devices in the short or the long layout (``-x``).

Layouts are those of sysstat 12.6 (recorded: plain, ``-x -t -k -m -s -h -p -g``, and ``-x`` with
``-h`` or ``--pretty``) and of public outputs of releases from 5 on (seen: ``rsec/s``, ``avgqu-sz``,
``await``, ``svctm``). The first sample is the mean since the host was booted, unless ``-y`` was
asked for; nothing says so. Without ``-t`` there are no times, and the interval is told by the
command only.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.iostat.columns import CPU, DISK
from studybook.formats.iostat.samples import Samples, command_in
from studybook.formats.line_reader import LineReader
from studybook.formats.raw import Head, RawFile
from studybook.formats.sar.activities import Column
from studybook.formats.sar.first_line import FirstLines
from studybook.formats.sar.heading import number
from studybook.formats.sar.report import FIRST_LINE
from studybook.formats.sar.text import tool_in, without_front

_HOW = "record it again with times: S_TIME_FORMAT=ISO iostat -xt 10 > FILE"
_DEVICE = ("Device", "Device:")
#: A sample has fewer devices than this; a file may be anything.
_MOST_DEVICES = 10_000


def recognise(head: Head) -> bool:
    """Whether the first heading of the file is one of iostat."""
    return tool_in(head) == "iostat"


def read(raw: RawFile, out: Reading) -> None:
    """Read every report of the file.

    Raises
    ------
    Refused
        If day and month of a date cannot be told apart, or if no row could be read.
    """
    without_front(raw.head)
    first_lines = FirstLines(raw, out.hints)
    known: dict[str, str] = {}

    def date_of(printed: str, line: int) -> date:
        day, known[printed] = first_lines.understand(printed, line)
        return day

    samples = Samples(out, date_of)
    _Reader(out, first_lines, samples).read(raw, longest=8_000)
    if not samples.rows:
        raise Refused("has headings of iostat, and no row", _HOW, line=out.first_unknown)
    samples.tell()


@dataclass
class _Reader(LineReader):
    first_lines: FirstLines
    samples: Samples
    columns: list[Column] = field(default_factory=list)
    device: int | None = None  # its place; None for processors
    parts: set[str] = field(default_factory=set)  # what the sample has; empty before the first
    # Of each device, or group of devices, its line, and its values in this sample so far.
    devices: dict[tuple[str, bool], tuple[int, dict[str, Any]]] = field(default_factory=dict)
    reports: int = 0

    def _take(self, line: int, text: str) -> bool | None:
        words = text.split()
        if not words:
            return False
        if first := FIRST_LINE.match(text.encode()):
            return self._first_line(first, line)
        if command := command_in(text):
            self.samples.stated = command
            return False
        if not self.reports:
            return None
        if words[0] == "avg-cpu:" or any(word in _DEVICE for word in words):
            return self._heading(words, line)
        if self.columns and (kept := self._row(words, text, line)):
            return kept
        if any(character.isdigit() for character in text) and self._begin(text.strip(), line):
            self.columns = []
            return True
        return None

    def _close(self) -> None:
        self._record_devices()

    def _first_line(self, match: re.Match[bytes], line: int) -> bool:
        day, told = None, {}
        # Without the order of day and month, only times without a date of their own are lost.
        with suppress(Refused):
            report, remark = self.first_lines.read(match, self.reports, line)
            day, told = report.day, report.told
            if remark and not self.reports:
                self.out.remark(line, remark)
        kernel, host, printed, machine, cpus = (
            None if each is None else each.decode(errors="replace") for each in match.groups()
        )
        self._record_devices()
        self.samples.begin_report(
            day, line, host=host, kernel=kernel, architecture=machine, date_printed=printed,
            date_known=told.get("date_known"), cpus=int(cpus) if cpus else None,
        )  # fmt: skip
        self.reports += 1
        self.parts, self.columns = set(), []
        return True

    def _heading(self, words: list[str], line: int) -> bool | None:
        self.columns = []
        if words[0] == "avg-cpu:":
            names, known, self.device = words[1:], CPU, None
        else:
            names, known = words, DISK
            self.device = next(n for n, word in enumerate(words) if word in _DEVICE)
        columns = [
            Column("", text=True) if place == self.device else known.get(name)
            for place, name in enumerate(names)
        ]
        if None in columns or len(set(names)) < len(names):
            return None
        what = {"processors"}
        if self.device is not None:
            # With -h or --pretty, a sample of -x has several tables, each of other columns.
            what = {"devices"} if self.device == 0 else set(names) - {*_DEVICE}
        # Processors stand first; each kind comes once in a sample.
        if not self.parts or what & self.parts or ("processors" in what and len(self.parts) > 1):
            self._begin(None, line)
        self.parts |= what
        self.columns = [column for column in columns if column]
        return False

    def _begin(self, printed: str | None, line: int) -> bool:
        """Begin a sample; False if the text is no time."""
        if not self.samples.begin(printed, line):
            return False
        self._record_devices()
        self.parts = {"begun"}
        return True

    def _record_devices(self) -> None:
        """Record the devices of which a sample may have had more to say, and has not."""
        for (device, is_group), (line, values) in self.devices.items():
            self.out.record("iostat_disk", line=line, device=device, is_group=is_group, **values)
        self.devices.clear()

    def _row(self, words: list[str], text: str, line: int) -> bool | None:
        if len(words) != len(self.columns):
            return None
        values: dict[str, float | None] = {}
        for place, (word, column) in enumerate(zip(words, self.columns, strict=True)):
            if place == self.device:
                continue
            # --human prints percent signs, and units of bytes.
            plain = word.rstrip("%") if "percent" in column.name else word
            value = number(plain.encode(), column)
            if value is None and plain[-1:] in ("k", "M", "G", "T"):
                value = number(plain.encode(), Column(column.name))
            if value is None:
                return None
            values[column.name] = None if value != value else value
        if self.device is None:
            self.samples.record("iostat_cpu", line, **values)
            return True
        device = words[self.device]
        if not device.isprintable():
            return None
        # The name of a group is set off by a blank.
        is_group = text[:1] == " " if self.device == 0 else text.endswith(f"  {device}")
        _, so_far = self.devices.get((device, is_group), (0, {}))
        if self.device == 0 or so_far.keys() & values.keys() or len(self.devices) >= _MOST_DEVICES:
            self._record_devices()
        of_sample = line, dict(self.samples.when)
        self.devices.setdefault((device, is_group), of_sample)[1].update(values)
        self.samples.rows += 1
        return True
