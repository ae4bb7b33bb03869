"""``lsdasd`` of s390-tools: DASDs of Linux on Z, base devices and (Hyper)PAV aliases.

The table is that of real captures, also with ``-s``, ``-b`` and ``-a``. The table of ``-u`` and the
old layout (``-c``, /proc/dasd/devices) are known from the source of lsdasd.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from studybook.formats.captures.section import Items, Line, Start, TableSection
from studybook.formats.captures.shell import host_of, split_prompt
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


class Devices(TableSection):
    """A row for each device; blank lines inside are those of a page break."""

    pattern = _ROW

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

    def _row(self, line: Line) -> bool:
        # lsdasd pads both parts of a device number: '94:0 ', ' 94: 0', or ' : ' without one.
        text = re.sub(r"(?<=[0-9 ]) ?: ?(?=[0-9 ])", ":", line.squeezed)
        match = self.pattern.fullmatch(text)
        if match:
            texts = self._texts(match) | {"host": self.host}
            self.row("linux_dasd", line.number, texts, base_only=_base_only(self.words))
        return match is not None

    def _texts(self, match: re.Match[str]) -> dict[str, str | None]:
        return _texts(match)

    def blank(self) -> bool:
        """No row can be mistaken: rows may go on below a blank line."""
        return True


class UidDevices(Devices):
    """The table of ``-u``: a device or its status, and the UID; sorted by UID."""

    pattern = _UID_ROW

    def _texts(self, match: re.Match[str]) -> dict[str, str | None]:
        # No status is printed for a device with a name: nothing is said but that it is online.
        return _texts(match) | {"read_only": None}

    def close(self) -> None:
        """Say that the layout was not seen."""
        self.out.certainty = "documented"


class Old(Items):
    """A line for each device, without a heading."""

    item = _OLD

    def _take(self, line: Line) -> bool | None:
        match = _OLD.fullmatch(line.squeezed)
        if not match:
            return None
        self.out.certainty = "documented"
        self.seen.add(match["bus_id"])
        base_only = _base_only(self.command.words if self.command.name else None)
        self.row("linux_dasd", line.number, _texts(match), base_only=base_only)
        return True


_FUSED = r"(?P<fused>(?:\S{1,80} ){0,3}[#$>]? ?\S{0,10}lsdasd(?: -\S{1,20}){0,4} )?"
STARTS = (
    Start(f"{_FUSED}Bus-ID Status Name Device Type BlkSz Size Blocks", Devices),
    Start(f"{_FUSED}Bus-ID Name UID", UidDevices),
    Start(_OLD.pattern, Old),
)
