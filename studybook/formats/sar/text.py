"""What ``sar`` prints, of sysstat 5.0 to 12.7: from a file of sadc, or while it samples."""

from __future__ import annotations

import re

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.raw import Head, RawFile
from studybook.formats.sar.clock import TIME
from studybook.formats.sar.reader import Reader
from studybook.formats.sar.report import FIRST_LINE, sister

_OTHER_SYSTEM = re.compile(r"(SunOS|AIX|HP-UX|Darwin) \S")
#: Its first heading, where the line with the system's name was lost, or never was (macOS).
_OTHER_HEADING = re.compile(r"\s*(?:cpu\s+)?%usr\s+(?:%nice\s+)?%sys\s+(?:%wio\s+)?%idle")
_IOSTAT = re.compile(
    r"avg-cpu:|\s*(Device|tps)\b.*(rrqm|r/s|_read|read/s|kB/s|MB/s|areq-sz)|\s*r/s\s+r(kB|MB|sec)/s"
)
_PIDSTAT = re.compile(r"# +Time +(?:UID|USER) +(?:PID|TGID) ")

_SISTERS = {
    "cifsiostat": re.compile(r"Filesystem:?\s+r\S+/s\s+w\S+/s"),
    "tapestat": re.compile(r"Tape:?\s+r/s"),
}

_IN_FRONT = re.compile(r"[ \t>|#]*")
_SURELY_FIRST = re.compile(rb"Linux\s\d\S+\s\(\S+\)\s+[\d?]\S*\d", re.ASCII)

#: A report begins within so many lines: a prompt, a title may be in front of it.
_LINES_BEFORE = 20
#: Or within so many, if the line before is the command: tools that collect files say a lot.
_LINES_BEFORE_COMMAND = 200
_COMMAND = re.compile(r".{0,100}[#$>] ?(?:/\S{1,40}/)?sar(?: |$)")

#: The first line of another system's sar is among so many.
_LINES_OF_PROMPT = 3

#: The first columns of sections that nearly every report has; mpstat has others behind %irq.
_HEADING = re.compile(
    r"\s*CPU +%us(?!.*%irq.*%steal)|\s*DEV +tps|\s*IFACE +rxpck|\s*kbmemfree|\s*runq-sz"
)


def recognise(head: Head) -> bool:
    """Whether the file begins as a report of sar, or as one that could be taken for it."""
    if tool_in(head):
        return False
    return _begins_at(head) is not None or _foreign(head) is not None or _is_headless(head)


def tool_in(head: Head) -> str | None:
    """The tool of sysstat other than sar that printed the file: what its first heading tells.

    Returns
    -------
    str or None
        ``iostat``, ``mpstat`` or ``pidstat``; None for all others.
    """
    begin = _begins_at(head)
    for line in head.lines[begin[0] + 1 :] if begin else ():
        if _IOSTAT.match(line, len(begin[1]) if begin else 0):
            return "iostat"
        if _PIDSTAT.match(line):
            return "pidstat"
        time = TIME.match(line.encode())
        heading = line.encode()[time.end() :].decode(errors="replace") if time else ""
        names = heading.split()
        if len(names) > 1 and names[0] not in ("LINUX", "COM") and not names[0][0].isdigit():
            return sister(heading)
    return None


def without_front(head: Head) -> None:
    """Hold a file to it that nothing stands in front of its lines.

    Raises
    ------
    Refused
        If something does, as in mail, or if the report begins further down.
    """
    begin = _begins_at(head)
    if begin and begin[1]:
        line, before = begin
        raise Refused(
            f"a report begins at line {line + 1}, behind {before!r}",
            "take out what stands in front of each line of the report, and what is before it",
            line=line + 1,
        )


def _is_headless(head: Head) -> bool:
    """Whether the file begins as a section does, and has no first line of a report."""
    first = next((line.encode() for line in head.lines if line.strip()), b"")
    time = TIME.match(first)
    return bool(time and _HEADING.match(first[time.end() :].decode(errors="replace")))


def _begins_at(head: Head) -> tuple[int, str] | None:
    """In which line the report begins, counted from 0, and what stands in front of it."""
    if "Linux" not in head.text:
        return None
    found, before = 0, ""
    for number, line in enumerate(head.lines[:_LINES_BEFORE_COMMAND]):
        if not line.strip():
            continue
        found += 1
        command, before = bool(_COMMAND.match(before)), line
        if number >= _LINES_BEFORE and not command:
            continue
        match = _IN_FRONT.match(line)
        text = line[match.end() :].encode() if match else b""
        # The first line of all is plain; behind others, it is one only if nothing is odd.
        plain = found == 1 and match is not None and not match[0]
        if FIRST_LINE.match(text) and (plain or _SURELY_FIRST.match(text)):
            return number, match[0] if match else ""
    return None


def _foreign(head: Head) -> str | None:
    """What prints much like sar of Linux, if the file is that."""
    lines = [line for line in head.lines[:60] if line.strip()]
    if not lines:
        return None
    for match in map(_OTHER_SYSTEM.match, lines[:_LINES_OF_PROMPT]):
        if match:
            timed = any(TIME.match(line.encode() + b" ") for line in lines)
            return f"sar of {match[1]}" if timed else None
    time = TIME.match(lines[0].encode())
    if time and _OTHER_HEADING.match(lines[0], time.end()):
        return "sar of another system (AIX, HP-UX, macOS or Solaris)"
    if not (begin := _begins_at(head)):
        return None
    below = head.lines[begin[0] + 1 : begin[0] + 12]
    return next((name for name, each in _SISTERS.items() if any(map(each.match, below))), None)


def read(raw: RawFile, out: Reading, *, plain: bool = False) -> None:
    """Read every report of the file.

    Parameters
    ----------
    raw : RawFile
        The file.
    out : Reading
        Takes the rows.
    plain : bool
        Read line by line: slow, and the same rows. For tests.

    Raises
    ------
    Refused
        If the file is of another tool or system, if it has no times or such of an unknown
        language, if it is indented or quoted, or if day and month of its date cannot be told
        apart.
    """
    if tool := _foreign(raw.head):
        raise Refused(
            f"is output of {tool}, not of sar of Linux; names and units are others",
            "leave it out of the run; what this host did, its own export of sar on Linux tells",
        )
    began = None
    if not _begins_at(raw.head) and _is_headless(raw.head):
        began = out.hints.start
        what = "a report of sar without its first line, which has the host and the only date"
        if not began:
            raise Refused(
                f"is {what}",
                "export it again, with the line that begins 'Linux'; or put one like this in"
                " front: Linux 5.14.0 (HOST) 2024-12-31; or list it in a run.yml that has start,"
                " and name its host there",
                line=1,
            )
        out.remark(1, f"{what}: taken as begun on {began:%Y-%m-%d}, as start in run.yml has it")
    without_front(raw.head)
    Reader(raw, out, plain=plain, began=began).run()
