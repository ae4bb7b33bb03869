"""Answers in words (``mmpmon`` without ``-p``): a heading that names the node, then lines."""

from __future__ import annotations

import re
from typing import Any

from studybook.formats.contract import Reading
from studybook.formats.mmpmon.below import Histogram, Notes
from studybook.formats.mmpmon.values import (
    NotUnderstood,
    decimal,
    instant,
    number_or_none,
    signed,
    unsigned,
    words,
)
from studybook.formats.names import pairs

HEADING = re.compile(r"mmpmon node (\S+) name (\S+?):? (\S.*)")
VERSION = re.compile(r"version ([0-9]+)\.([0-9]+)\.([0-9]+)")
FAILURE = re.compile(r"failure status (\S+) timestamp ([0-9]+)/([0-9]+)")
NODE_LIST = re.compile(r"nlist (\w+)(?: OK)?")
REQUEST = re.compile(
    r"(\w+)(?: (.+?))?? (?:OK|status (-?[0-9]+))(?: (read|write)(?= timestamp))?"
    r"(?: timestamp ([0-9]+)/([0-9]+))?(?: (.+))?"
)
OPERATION = {"read": "read", "r": "read", "write": "write", "w": "write"}
EXPLANATION = re.compile(
    r"(?:lock is busy|not yet enabled|no file systems mounted|lost quorum|quorum .{1,60}"
    r"|node .{1,60} not .{1,60})"
)
SIZE = re.compile(r"size range ([0-9]+) (?:to ([0-9]+)|and \w+)(?: bytes)?(?: count ([0-9]+))?")
LATENCY = re.compile(
    r"latency range ([0-9.]+) (?:to ([0-9.]+)|and \w+)(?: milliseconds)?(?: count ([0-9]+))?"
)
LABELLED = re.compile(r"([A-Za-z][\w /()-]{0,40}?)(?::\s*|\s{2,})(\S.*)", re.ASCII)
STAMP = re.compile(r"([0-9]+)/([0-9]+)")

#: Labels of an answer to ``fs_io_s`` or ``io_s``, and their columns.
TEXTS = {"cluster": "cluster", "filesystem": "file_system"}
NUMBERS = pairs("""
    disks=disks; bytes read=read_bytes; bytes written=written_bytes; opens=opens; closes=closes;
    reads=reads; writes=writes; readdir=readdirs; inode updates=inode_updates
""")

#: Lines of an answer to ``nlist``.
MEMBER = re.compile(
    r"node name (\S+?),? OK(?: \(name used: (\S+?), IP address (\S+?)\))?", re.ASCII
)
REFUSED_MEMBER = re.compile(r"node name (\S+?),? (?:error )?status ([0-9]{1,9})(?: \(.*\))?")
LISTED = re.compile(r"(?:node |member )?name (\S+?),? IP address (\S+)")
LIST_NUMBERS = {
    "name count": "names",
    "node names processed": "names_processed",
    "current node list count": "nodes_in_list",
}
LIST_LINE = re.compile(
    r"(initial status|final status|timestamp|" + "|".join(LIST_NUMBERS) + r") (\S+)"
)


class Human:
    """Turns answers in words into rows."""

    def __init__(self, out: Reading, notes: Notes, histogram: Histogram) -> None:
        self.out = out
        self.notes = notes
        self.histogram = histogram
        #: Whether there were histograms in words: their wording is from memory.
        self.ranges = False
        self._answer: dict[str, Any] = {}
        self._request = ""
        #: A row that is not complete yet, the table it goes to, and its lines.
        self._row: dict[str, Any] = {}
        self._table = ""
        self._lines: list[tuple[int, str]] = []

    def heading(self, line: int, text: str, number: int) -> None:
        """Begin an answer; ``number`` is that of the pass."""
        match = HEADING.fullmatch(text)
        if not match:
            raise NotUnderstood(text)
        node, host, said = match.groups()
        self._answer = {"line": line, "pass": number, "host": host, "node_ip": node}
        if found := VERSION.fullmatch(said):
            numbers = zip(("version", "level", "variant"), found.groups(), strict=True)
            values = {name: unsigned(value) for name, value in numbers}
            self.out.record("mmpmon_version", **self._answer, **values)
            self.out.used()
        elif found := FAILURE.fullmatch(said):
            self._answer |= {"rc": signed(found[1]), "time_utc": instant(found[2], found[3])}
            self._begin("mmpmon_mark", {"kind": "failed"}, line, text)
        elif found := NODE_LIST.fullmatch(said):
            self._request = f"nlist {found[1]}"
            self.out.heading()
        elif found := REQUEST.fullmatch(said):
            self._any(found, line, text)
        else:
            raise NotUnderstood(said)

    def _any(self, found: re.Match[str], line: int, text: str) -> None:
        name, operands, status, kind, seconds, part, behind = found.groups()
        more = kind or behind
        self._request = name
        self._answer["rc"] = signed(status) if status else 0
        if seconds:
            self._answer["time_utc"] = instant(seconds, part)
        if name in ("fs_io_s", "io_s"):
            self._begin(f"mmpmon_{name.removesuffix('_s')}", {}, line, text)
        elif name in ("rhist", "reset"):
            row = {"kind": name}
            operation = OPERATION.get(more or "")
            if name == "rhist":
                request, _, behind = (operands or "").partition(" ")
                row |= {"request": request, "text": operation or behind or None}
                if operation and request in ("s", "p"):
                    self.histogram.begin(self._answer, request, operation)
            self._begin("mmpmon_mark", row, line, text)
        else:
            self.out.used()
            self._value(line, "answer", text.removeprefix("mmpmon node "))

    def _begin(self, table: str, row: dict[str, Any], line: int, text: str) -> None:
        self._table, self._row, self._lines = table, dict(row), [(line, text)]

    def take(self, line: int, text: str) -> bool:
        """Account for a line of the current answer; False if it is none."""
        if not self._answer:
            return False
        squeezed = " ".join(words(text))
        if self._table == "mmpmon_mark":
            return self._explanation(line, squeezed) or self._range(line, squeezed)
        if self._table:
            return self._labelled(line, squeezed) or self._explanation(line, squeezed)
        if self._request.startswith("nlist"):
            return self._list_line(line, squeezed)
        found = LABELLED.fullmatch(text.strip(" \t"))
        if not found or not self._request:
            return False
        if found[1] == "timestamp":
            self._answer["time_utc"] = _instant(found[2])
        else:
            self._value(line, found[1], found[2])
        self.out.used()
        return True

    def _explanation(self, line: int, text: str) -> bool:
        """Take the sentence that explains a status."""
        if not EXPLANATION.fullmatch(text) or not self._answer.get("rc"):
            return False
        if self._table == "mmpmon_mark":
            said = self._row.get("text")
            self._row["text"] = f"{said}: {text}" if said else text
        self._lines.append((line, text))
        return True

    def _range(self, line: int, text: str) -> bool:
        if text.startswith("size range"):
            self.histogram.end_size()  # also if this line turns out to be damaged
        if found := SIZE.fullmatch(text):
            low, high, count = found.groups()
            self.histogram.size(
                line, unsigned(low), unsigned(high or "0"), unsigned(count) if count else None
            )
        elif found := LATENCY.fullmatch(text):
            low, high, count = found.groups()
            self.histogram.latency(
                line, decimal(low), decimal(high or "0"), unsigned(count) if count else None
            )
        else:
            return False
        self.ranges = True
        self.out.used()
        return True

    def _labelled(self, line: int, text: str) -> bool:
        """Take one line of the counters."""
        label, colon, value = text.partition(":")
        value = value.strip(" \t")
        column = TEXTS.get(label) or NUMBERS.get(label)
        if not colon or not value or (label != "timestamp" and column is None):
            return False
        if self._table == "mmpmon_io" and label in ("cluster", "filesystem", "disks"):
            return False
        column = column or "time_utc"
        if label == "cluster" and "cluster" in self._row:
            # The next file system, without a heading of its own.
            answer = dict(self._answer)
            self._finish()
            self._answer = answer | {"line": line}
            self._begin("mmpmon_fs_io", {}, line, text)
            self._lines = []
        elif column in self._row:
            raise NotUnderstood(f"{label} stands twice")
        if label == "timestamp":
            self._row[column] = _instant(value)
        else:
            self._row[column] = unsigned(value) if label in NUMBERS else value
        self._lines.append((line, text))
        return True

    def _list_line(self, line: int, text: str) -> bool:
        if found := MEMBER.fullmatch(text):
            given, member, address = found.groups()
            self._list_row(
                {"line": line, "name_given": given, "member": member, "member_ip": address}
            )
        elif found := REFUSED_MEMBER.fullmatch(text):
            self._list_row({"line": line, "name_given": found[1], "rc": signed(found[2])})
        elif found := LISTED.fullmatch(text):
            self._list_row({"line": line, "member": found[1], "member_ip": found[2]})
        elif found := LIST_LINE.fullmatch(text):
            label, value = found.groups()
            if label == "timestamp":
                self._answer["time_utc"] = _instant(value)
            elif label in LIST_NUMBERS:
                self._list_row({"line": line, LIST_NUMBERS[label]: unsigned(value)})
            else:
                self._answer["rc"] = signed(value)
                self._list_row({"line": line})
        else:
            return False
        self.out.used()
        return True

    def _list_row(self, values: dict[str, Any]) -> None:
        request = self._request.removeprefix("nlist ")
        self.out.record("mmpmon_node_list", **self._answer | {"request": request} | values)

    def _value(self, line: int, name: str, value: str) -> None:
        self.out.record(
            "mmpmon_value", **self._answer | {"line": line}, read_line=self._answer["line"],
            request=self._request, name=name, value=value, number=number_or_none(value),
        )  # fmt: skip

    def close(self) -> None:
        """End the answer."""
        self._finish()
        self._answer = {}
        self._request = ""

    def _finish(self) -> None:
        """Record the row that is complete."""
        table, row, lines = self._table, self._answer | self._row, self._lines
        self._table, self._row, self._lines = "", {}, []
        if not table:
            return
        needed = {"mmpmon_fs_io": ("time_utc", "file_system"), "mmpmon_io": ("time_utc",)}
        failed = row.get("rc") != 0
        if not failed and any(row.get(name) is None for name in needed.get(table, ())):
            for line, text in lines:
                self.out.unknown(line, text)
            return
        if table in needed and not failed and "inode_updates" not in row:
            self.notes.remark(row["line"], "answers that are cut: some counters are missing")
        self.out.record(table, **row)
        self.out.used(len(lines))


def _instant(text: str) -> int:
    """Microseconds since 1970 of ``seconds/microseconds``."""
    stamp = STAMP.fullmatch(text)
    if not stamp:
        raise NotUnderstood(text)
    return instant(stamp[1], stamp[2])
