"""``lsdasd`` of s390-tools: DASDs of Linux on Z, base devices and (Hyper)PAV aliases.

The table is that of real captures, also with ``-s``, ``-b`` and ``-a``. The table of ``-u`` and the
old layout (``-c``, /proc/dasd/devices) are known from the source of lsdasd.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from studybook.formats.captures.section import Command, Line, Section, Start, TableSection
from studybook.formats.captures.shell import host_of, split_prompt
from studybook.formats.contract import Reading
from studybook.formats.names import words

_BUS_ID = r"(?P<bus_id>(?:[0-9a-f]{1,2}\.[0-9a-f]\.)?[0-9a-f]{4})"
_NUMBER = r"(?P<device_number>[0-9]{0,4}:[0-9]{0,7})"
_KIND = r"(?P<kind>[A-Z]{2,8}(?: \(ESE\))?)"
_ROW = re.compile(
    rf"{_BUS_ID} (?:(?P<offline>offline)|(?P<alias>alias)(?: (?P<alias_kind>[A-Z]{{2,8}}))?"
    r"|(?P<status>active|n/f|n/a|unknown|new|detected|basic|unformatted|ready)"
    r"(?: ?(?P<read_only>\(ro\)))?(?: (?P<device>dasd[a-z]{1,8}))?"
    rf"(?: {_NUMBER})?(?: {_KIND})?"
    r"(?: (?P<block_bytes>[0-9]{1,40}|\?\?\?))?(?: (?P<size_mib>[0-9]{1,40})MB)?"
    r"(?: (?P<blocks>[0-9]{1,40}|\?\?\?))?)"
)
_UID_ROW = re.compile(
    rf"{_BUS_ID}(?: (?:(?P<status>alias|offline)|(?P<device>dasd[a-z]{{1,8}})))?"
    r"(?: (?P<uid>[A-Z]{2,4}\.[0-9A-Za-z]{1,20}\.[0-9a-f]{1,8}\.[0-9a-fx]{2}"
    r"(?:\.[0-9A-Fa-f]{1,40})?))?"
)
_OLD = re.compile(
    rf"{_BUS_ID}\((?P<kind>[A-Za-z]{{2,8}}) ?\)(?P<uid>[A-Z]{{2,4}}\.[0-9A-Za-z.]{{1,80}})?"
    r"(?: at \( ?(?P<device_number>[0-9]{1,4}: ?[0-9]{1,7}|unknown) ?\)"
    r" is (?P<device>dasd[a-z]{1,8})? ?(?P<read_only>\(ro\))?)?"
    r" ?: (?P<status>active|alias|offline|n/f|unknown|detected|basic|ready|new|unformatted)"
    r"(?: at blocksize:? (?P<block_bytes>[0-9]{1,40}|\?\?\?),"
    r" (?P<blocks>[0-9]{1,40}|\?\?\?) blocks, (?P<size_mib>[0-9]{1,40}) MB)?"
)
_COLUMNS = words(
    "bus_id status read_only device device_number kind block_bytes size_mib blocks uid"
)


def _texts(match: re.Match[str]) -> dict[str, str | None]:
    """Columns of the table from what a row matched."""
    found = match.groupdict()
    texts: dict[str, str | None] = {
        name: found[name] for name in _COLUMNS if found.get(name) not in (None, "???", ":")
    }
    bus_id = found["bus_id"]
    texts["bus_id"] = bus_id if "." in bus_id else f"0.0.{bus_id}"
    texts["status"] = found["status"] or found.get("offline") or found.get("alias")
    texts["kind"] = found.get("kind") or found.get("alias_kind")
    if "read_only" in texts:
        texts["read_only"] = "yes"
    elif texts.get("device"):
        texts["read_only"] = "no"
    if number := texts.get("device_number"):
        texts["device_number"] = None if number == "unknown" else number.replace(" ", "")
    return texts


def _base_only(words: Sequence[str] | None) -> bool | None:
    """Whether the options leave aliases out; None if no command line was captured."""
    if words is None:
        return None
    return any(re.fullmatch("--base|-[a-z]*b[a-z]*", word) for word in words)


class Table(TableSection):
    """A row for each device; blank lines inside are those of a page break."""

    row_pattern = _ROW

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the command, which a transcription may have put in front of the heading."""
        super().begin(line, match)
        self.host = self.command.host
        self.words = self.command.words if self.command.name else None
        if match["fused"]:
            self.mend(line.number, "command and heading stand in one line (transcribed)")
            self.host = host_of(split_prompt(line.text)[0])
            self.words = match["fused"].split("lsdasd", 1)[1].split()
        if "\t" in line.text:
            self.mend(line.number, "columns are separated by TABs (transcribed)")

    def take_row(self, line: Line) -> bool:
        """Account for a device."""
        # lsdasd pads both parts of a device number: '94:0 ', ' 94: 0', or ' : ' without one.
        text = re.sub(r"(?<=[0-9 ]) ?: ?(?=[0-9 ])", ":", line.squeezed)
        match = self.row_pattern.fullmatch(text)
        if not match:
            return False
        texts = _texts(match) | self.more(match) | {"host": self.host}
        self.row("linux_dasd", line.number, texts, base_only=_base_only(self.words))
        return True

    def more(self, match: re.Match[str]) -> dict[str, str | None]:
        """What else the table says of a device."""
        return {}

    def blank(self) -> bool:
        """No row can be mistaken: rows may go on below a blank line."""
        return True


class UidTable(Table):
    """The table of ``-u``: a device or its status, and the UID; sorted by UID."""

    row_pattern = _UID_ROW

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the command; the layout was not seen."""
        super().begin(line, match)
        self.out.certainty = "documented"

    def more(self, match: re.Match[str]) -> dict[str, str | None]:
        """No status is printed for a device with a name: nothing is said but that it is online."""
        return {"read_only": None}


class Old(Section):
    """A line for each device, without a heading."""

    begins_with_content = True

    def __init__(self, out: Reading, command: Command) -> None:
        super().__init__(out, command)
        self.seen: set[str] = set()
        out.certainty = "documented"

    def expects(self, line: Line) -> bool:
        """A device that was not yet there; a known one begins the next output."""
        match = _OLD.fullmatch(line.squeezed)
        return match is not None and match["bus_id"] not in self.seen

    def take(self, line: Line) -> bool:
        """Account for a device."""
        match = _OLD.fullmatch(line.squeezed)
        if not match:
            return False
        self.seen.add(match["bus_id"])
        base_only = _base_only(self.command.words if self.command.name else None)
        self.row("linux_dasd", line.number, _texts(match), base_only=base_only)
        self.out.used()
        return True


_FUSED = r"(?P<fused>(?:\S{1,80} ){0,3}[#$>]? ?\S{0,10}lsdasd(?: -\S{1,20}){0,4} )?"
STARTS = (
    Start(re.compile(f"{_FUSED}Bus-ID Status Name Device Type BlkSz Size Blocks"), Table),
    Start(re.compile(f"{_FUSED}Bus-ID Name UID"), UidTable),
    Start(_OLD, Old),
)
