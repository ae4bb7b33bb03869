"""Reads what sar prints, a block of the file at a time.

File mode prints one section after the other, each for all the time between two restarts; live
mode prints all sections of one interval, then those of the next. Both are stretches of lines
that begin with a heading behind a blank line. A block of the file is parted into these first;
then all stretches of one section are read together, for in live mode there are many small ones.
Where a line that begins something turns up among rows, as blank lines were lost, the block is
gone through once more, line by line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.raw import RawFile
from studybook.formats.sar import matrix
from studybook.formats.sar.activities import layout_of
from studybook.formats.sar.clock import COMMENT, TIME, seconds
from studybook.formats.sar.digits import Ints
from studybook.formats.sar.first_line import WITHOUT_FIRST_LINE, FirstLines
from studybook.formats.sar.heading import Heading, is_number
from studybook.formats.sar.report import FIRST_LINE, Report, sister
from studybook.formats.sar.rows import Part
from studybook.formats.sar.section import Before, Section, then
from studybook.formats.sar.verdict import PLAIN_LANGUAGE, Verdict

_RESTART = re.compile(rb"\s+LINUX\sRESTART(?:\s+\((\d{1,9})\sCPU\))?\s*$", re.ASCII)
#: The first line of a report, right behind a number, or surely one, whatever stands in front.
_GLUED = re.compile(
    rb"(?:(?<=\d)(?=Linux\s\S{1,200}\s+\([^)]{1,200}\)\s+\S)"
    rb"|(?=Linux\s\d\S{1,200}\s\(\S{1,200}\)\s+[\d?]\S{0,20}\d))"
    rb"(Linux\s\S+\s+\([^)]+\))",
    re.ASCII,
)
_WORD = re.compile(rb"\S+")
#: How much of the file is read at once.
_BLOCK_BYTES = 4 * 1024 * 1024
#: Headings that are kept in memory.
_HEADINGS = 5000
#: A longer line is no heading: one of interrupts has ten bytes for each of them.
_LONGEST_HEADING = 64 * 1024
#: Remarks on one file, at most.
_REMARKS = 50
#: What columns of sar have in their names, also those of releases to come: DEV, x/s, %x, kbx.
_LIKE_COLUMNS = re.compile(rb"^\s*[A-Z]{2,}\s|(?<!\S)(?:%|kb|MB)\w|/s(?!\S)|\w-\w")
#: How no name begins; columns of mpstat are interrupts by number, as 24/s.
_NO_NAME = re.compile(rb"[0-9-](?!\d*/s$)")
#: The heading of ``pidstat -h``.
_HEADS_ALL = re.compile(rb"# +Time +")
_BLANK_LINES = re.compile(rb"\n*")


class OutOfPlaceError(Exception):
    """A line that begins something stands where rows were expected."""


@dataclass
class _Outcome:
    """What a block of a file brings, until all of it is known to be right.

    Rows by their table, records, and of lines: remarks, those not understood, and how many are
    in records and in headings.
    """

    tables: defaultdict[str, list[pa.Table]] = field(default_factory=lambda: defaultdict(list))
    records: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    remarks: list[tuple[int, str]] = field(default_factory=list)
    unknown: list[tuple[int, str]] = field(default_factory=list)
    used: int = 0
    headings: int = 0


class Reader:
    """Reads one file of a tool; line by line if ``plain``.

    Its first report may have no first line; ``began`` is the day then.
    """

    def __init__(
        self,
        raw: RawFile,
        out: Reading,
        *,
        plain: bool,
        tool: str = "sar",
        began: date | None = None,
    ) -> None:
        self._raw, self._out, self._plain, self._tool = raw, out, plain, tool
        self._careful = plain
        self._report = Report(0, began, WITHOUT_FIRST_LINE) if began else None
        self._reports = 1 if began else 0
        self._headings: dict[bytes, Heading | None] = {}
        self._first_lines = FirstLines(raw, out.hints)
        self._said: set[str] = set()
        self._outcome = _Outcome()
        self._verdict = Verdict()
        self._block = b""
        self._parts: dict[int, list[Part]] = {}

    def run(self) -> None:
        """Read it all."""
        for first, block, last in _with_last(self._raw.blocks(_BLOCK_BYTES)):
            before = self._report and self._report.copy(), self._reports, replace(self._verdict)
            try:
                self._take(block, first)
            except OutOfPlaceError:
                self._report, self._reports, self._verdict = before
                self._careful = True
                self._take(block, first)
                self._careful = self._plain
            if last:
                self._close()
            self._hand_over(self._outcome)
        self._verdict.pronounce(self._out)

    def _hand_over(self, outcome: _Outcome) -> None:
        out = self._out
        for table, each in outcome.tables.items():
            out.block(table, pa.concat_tables(each, promote_options="default"))
        for table, record in outcome.records:
            out.record(table, **record)
        for line, text in outcome.remarks:
            # Once, however many reports there are.
            if text not in self._said and len(self._said) < _REMARKS:
                self._said.add(text)
                out.remark(line, text)
        for line, text in outcome.unknown:
            out.unknown(line, text)
        self._verdict.leave(outcome.unknown)
        out.used(outcome.used)
        out.heading(outcome.headings)

    def _take(self, block: bytes, first: int) -> None:
        self._block, self._outcome, self._parts = block, _Outcome(), {}
        feeds = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
        ends = (feeds + 1).tolist() if self._careful else _stretch_ends(block, feeds)
        after = (np.searchsorted(feeds, ends) + first).tolist()
        place, line = 0, first
        for end, next_line in zip(ends, after, strict=True):
            blank = _BLANK_LINES.match(block, place)
            start = blank.end() if blank else place
            self._outcome.headings += start - place
            line += start - place
            place = max(start, end)
            if start >= end:
                continue  # several blank lines
            line_end = block.find(b"\n", start) + 1
            if self._begins(start, line_end, line):
                self._verdict.understood = line
                start, line = line_end, line + 1
            self._rows_follow(Part(start, end, line, next_line - line))
            line = next_line
        self._flush()

    def _rows_follow(self, part: Part) -> None:
        """Lay lines aside for the section they belong to."""
        if not part.lines:
            return
        report = self._report
        if report is None or report.heading is None:
            texts = self._block[part.start : part.end].split(b"\n")[:-1]
            for number, text in enumerate(texts, part.line):
                self._other(number, text, report.floor if report else None)
            return
        parts = self._parts.setdefault(report.section(report.heading, part.line), [])
        last = parts[-1] if parts else None
        if last and last.end == part.start:
            parts[-1] = Part(last.start, part.end, last.line, last.lines + part.lines, last.head)
        else:
            parts.append(part)

    # --- lines that begin something ------------------------------------------------------

    def _begins(self, start: int, end: int, line: int) -> bool:
        """Take a first line, a restart or a heading; False if the line is none of them."""
        text = self._block[start : end - 1]
        match = TIME.match(text)
        if not match:
            if first := FIRST_LINE.match(text):
                self._flush()
                self._close()
                self._report, remark = self._first_lines.read(first, self._reports, line)
                if remark:
                    self._outcome.remarks.append((line, remark))
                self._reports += 1
                self._outcome.used += 1
                return True
            if self._report and (word := _HEADS_ALL.match(text)) and self._tool == "pidstat":
                return self._begins_untimed(text, word.end(), end, line)
            return self._heads_averages(text, line)
        time = seconds(match)
        if not self._report or time is None:
            return False
        if restart := _RESTART.match(text, match.end()):
            self._flush()
            moment, back = self._report.restart(time)
            if back:
                told = "the clock was set back before this restart, or a day lies between"
                self._outcome.remarks.append((line, told))
            self._outcome.records += self._report.settle()
            self._mark("restart", moment, line, "LINUX RESTART", restart[1])
            return True
        heading = self._heading(text, match.end())
        if not heading:
            return False
        if (tool := sister(text[match.end() :].decode(errors="replace")) or "sar") != self._tool:
            raise Refused(
                f"is output of {tool}, not of {self._tool}, from this line on",
                "part the file: what each tool printed into a file of its own",
                line=line,
            )
        section = self._report.begin(heading, time, line)
        self._parts.setdefault(section, []).append(Part(end, end, line + 1, 0, time))
        self._outcome.headings += 1
        return True

    def _begins_untimed(self, text: bytes, start: int, end: int, line: int) -> bool:
        """Take a heading of ``pidstat -h``: the word for the time, and names."""
        heading = self._heading(text, start)
        if not heading or not heading.layout or not self._report:
            return False
        section = self._report.section(heading, line)
        self._report.heading = heading
        self._report.sections[section].headings += 1
        self._parts.setdefault(section, []).append(Part(end, end, line + 1, 0))
        self._outcome.headings += 1
        return True

    def _heads_averages(self, text: bytes, line: int) -> bool:
        """Take the heading of averages: a word for them, and names that rows had."""
        words = [word.start() for word in _WORD.finditer(text)]
        if not self._report or len(words) < 2:
            return False
        for start in words[:4]:
            heading = self._heading(text, start)
            if heading and (heading.layout or heading.names in self._report.open):
                if start == words[0]:
                    raise Refused(
                        "a heading has no time in front: this sar could not print the times in"
                        " the language it was asked to",
                        PLAIN_LANGUAGE,
                        line=line,
                    )
                self._report.heading = heading
                self._outcome.headings += 1
                return True
        return False

    def _heading(self, line: bytes, start: int) -> Heading | None:
        """The heading in a line, if it is one: names only."""
        names = line[start:]
        if len(names) > _LONGEST_HEADING:
            return None
        if names in self._headings:
            return self._headings[names]
        words = names.split()
        if not words or any(is_number(word) or _NO_NAME.match(word) for word in words):
            return None  # not kept: rows are many
        text = tuple(names.decode(errors="replace").split())
        known = layout_of(text, self._tool) is not None
        if not known and (words[0] == b"COM" or len(words) < 2 or not names.isascii()):
            return None
        if not known and not _LIKE_COLUMNS.search(names):
            return None  # a note with a time in front, that someone wrote into the file
        if len(self._headings) > _HEADINGS:
            self._headings.clear()  # no file of sar has as many
        heading = self._headings[names] = Heading(line, start, self._tool)
        return heading

    # --- what the sections bring ----------------------------------------------------------

    def _flush(self) -> None:
        """Read the lines laid aside, section by section."""
        parts, self._parts = self._parts, {}
        report = self._report
        others = []
        for section, each in parts.items():
            if report:
                others += self._read_section(report.sections[section], each)
        # In order: of a comment that each section has, the first one counts.
        for line, text, before in sorted(others, key=lambda other: other[0]):
            self._other(line, text, before)

    def _read_section(
        self, section: Section, parts: list[Part]
    ) -> list[tuple[int, bytes, Before | None]]:
        """Read lines of a section; return the other lines, and the time before each."""
        found = matrix.read(self._block, parts, section.heading, plain=self._plain)
        self._verdict.take(found, section.heading)
        before, tables = section.take(found)
        if self._report:
            self._report.totals["means"] += len(found.means.line)
        self._outcome.used += len(found.seconds) + len(found.means.line)
        for table, each in tables:
            self._outcome.tables[table].append(each)
        return [(*other, moment) for other, moment in zip(found.others, before, strict=True)]

    def _other(self, line: int, text: bytes, before: Before | None) -> None:
        """Take a line that is neither a row nor one of averages, or belongs to no section."""
        if self._report and not self._careful and self._would_begin(text):
            raise OutOfPlaceError
        match = TIME.match(text)
        if match and self._comment(text, match, before, line):
            self._outcome.used += 1
        elif not text.strip():
            self._outcome.headings += 1
        elif glued := _GLUED.search(text):
            raise Refused(
                "another report begins within this line: files were put together, of which one"
                " had no line end, or something stands in front of it; the rows behind it would"
                " be of the day before it",
                f"put a line end before '{glued[1].decode(errors='replace')}'",
                line=line,
            )
        else:
            self._outcome.unknown.append((line, text.decode(errors="replace")))

    def _would_begin(self, text: bytes) -> bool:
        match = TIME.match(text)
        if match:
            return bool(_RESTART.match(text, match.end()) or self._heading(text, match.end()))
        if self._tool == "pidstat" and _HEADS_ALL.match(text):
            return True
        starts = [word.start() for word in _WORD.finditer(text[:200])][:4]
        headings = [self._heading(text, start) for start in starts]
        known = self._report.open if self._report else {}
        return bool(FIRST_LINE.match(text)) or any(
            each and (each.layout or each.names in known) for each in headings
        )

    def _comment(
        self, text: bytes, match: re.Match[bytes], before: Before | None, line: int
    ) -> bool:
        """Take a comment, once: every section has it again. False if it is none."""
        comment = COMMENT.match(text, match.end())
        time = seconds(match)
        if not comment or time is None or not self._report:
            return False
        self._verdict.understood = max(self._verdict.understood, line)
        key = (self._report.segment, time, comment[1])
        if key not in self._report.comments:
            self._report.comments.add(key)
            self._mark("comment", then(before, time), line, comment[1].decode(errors="replace"))
        return True

    def _mark(
        self, kind: str, moment: Before, line: int, text: str, cpus: bytes | None = None
    ) -> None:
        report = self._report
        if report:
            record = {
                "report_no": report.number, "segment": report.segment,
                "time_local": report.moment(moment.time), "set_back": moment.set_back or None,
                "kind": kind, "text": text.strip(), "cpus": int(cpus) if cpus else None,
                "line": line,
            }  # fmt: skip
            self._outcome.records.append((f"{self._tool}_mark", record))
            self._outcome.used += kind == "restart"

    def _close(self) -> None:
        """Tell of the report that ends."""
        report, self._report = self._report, None
        if report:
            self._outcome.records += report.settle()
            self._outcome.records.append((f"{self._tool}_report", report.record()))
            unknown = max((line for line, _ in self._outcome.unknown), default=0)
            whole = max(unknown, self._verdict.last_unknown) < report.told["line"]
            self._outcome.remarks += report.remarks(whole=whole)


def _stretch_ends(block: bytes, feeds: Ints) -> list[int]:
    """Where lines end before which a blank line stands, or the first line of a report."""
    found: list[int] = (feeds[:-1][feeds[1:] - feeds[:-1] == 1] + 1).tolist()
    # First lines are the only ones, nearly, with a parenthesis.
    place = block.find(b"(")
    while place >= 0:
        start = block.rfind(b"\n", 0, place) + 1
        if start and block.startswith((b"Linux ", b"Linux\t"), start):
            found.append(start)
        place = block.find(b"(", block.find(b"\n", place))
    return sorted({*found, len(block)})


def _with_last(blocks: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes, bool]]:
    """Say of each block whether it is the last one."""
    held = next(blocks, None)
    while held:
        ahead = next(blocks, None)
        yield *held, ahead is None
        held = ahead
