"""``lsqeth`` of s390-tools: properties of qeth devices in blocks, or (``-p``) as a table."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from studybook.formats.captures.section import Items, Line, Start, Stray, TableSection
from studybook.formats.names import pairs

_DEVICE = re.compile(r"Device name ?: (\S{1,64})")
_PROPERTY = re.compile(r"(?:([a-z][a-z0-9_/]{1,40}) )?:(?: (.{1,1000}))?")
_COLUMNS = pairs("""
    card_type=card_type cdev0=device_bus_id chpid=chpid online=online state=state
    portname=portname portno=portno layer2=layer2 buffer_count=buffer_count isolation=isolation
    checksumming=checksumming large_send=large_send priority_queueing=priority_queueing
""")


@dataclass
class Device(Items):
    """Blocks of ``property : value``, one for each device."""

    where: dict[str, str | None] = field(default_factory=dict, init=False)
    texts: dict[str, str | None] = field(default_factory=dict, init=False)
    names: set[str] = field(default_factory=set, init=False)

    item = _DEVICE
    line = 0
    last = ""
    indented: bool | None = None

    def expects(self, line: Line) -> bool:
        """A device that was not yet there, or a property."""
        if _DEVICE.fullmatch(line.squeezed):
            return super().expects(line)
        return self._known(line)

    def _take(self, line: Line) -> bool | None:
        if self.where and self.is_rule(line):
            return False
        if device := _DEVICE.fullmatch(line.squeezed):
            self.close()
            self.seen.add(device[1])
            self.where = {"interface": device[1]}
            self.line, self.texts, self.last, self.names = line.number, {}, "", set()
            self.indented = None
            self.ruled = False
            return True
        found = _PROPERTY.fullmatch(line.squeezed)
        if not found or not self._known(line):
            return None
        self.needs_rule(line)
        self.indented = line.text[0].isspace()
        name, value = found.groups()
        # Several addresses stand below each other, the name before the first only.
        self.last = name or self.last
        self.names.add(self.last)
        if name in _COLUMNS:
            self.texts[_COLUMNS[name]] = value
        texts = self.where | {"property": self.last, "value": value}
        self.row("linux_qeth_property", line.number, texts)
        return True

    def _known(self, line: Line) -> bool:
        """Whether a line is a property of the device, and new, or goes on with the last one."""
        found = _PROPERTY.fullmatch(line.squeezed)
        if not self.where or not found:
            return False
        if self.indented and not line.text[0].isspace():
            return False  # such as 'vendor_id : IBM/S390' of /proc/cpuinfo
        return found[1] not in self.names if found[1] else bool(self.last)

    def close(self) -> None:
        """Hand over the device."""
        if self.where:
            self.row("linux_qeth", self.line, self.where | self.texts)
            self.where = {}


#: Headings of -p, and the properties below them; the card type may be of several words.
_TABLE = pairs("""
    port=portno chksum=checksumming prio-q'ing=priority_queueing rtr=route4 rtr4=route4
    rtr6=route6 lay'2=layer2 cnt=buffer_count fsz=fsz
""")
#: Stands behind the port in place of all that a device without a cable, or link, has not.
_OFFLINE = ["+++", "LAN", "OFFLINE", "+++"]
_PORT = re.compile("[0-9]{1,3}|n/a")
_BUS_IDS = re.compile(r"[0-9a-f.]{4,10}(?:/[0-9a-f.]{4,10}){2}")


class Table(TableSection):
    """A row for each device, as /proc/qeth had it."""

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the columns, and where the card type stands."""
        super().begin(line, match)
        self.names = [_TABLE[word] for word in line.words[4:]]
        self.place = line.text.index(line.words[2], line.text.index("CHPID"))

    def _row(self, line: Line) -> bool:
        # A device that is offline has no interface.
        words, names, state = line.words, self.names, {}
        if words[-len(_OFFLINE) :] == _OFFLINE:
            words, names, state = words[: -len(_OFFLINE)], ["portno"], {"state": "LAN OFFLINE"}
        fixed = 3 + len(names)
        if len(words) <= fixed or not _BUS_IDS.fullmatch(words[0]) or words[1][0] != "x":
            return False
        if "\t" not in line.text and line.text[self.place : self.place + 1] == " ":
            return False
        last = len(words) - len(names)
        if not _PORT.fullmatch(words[last]):
            return False  # a cell is blank, and a card type of two words hides it
        found: dict[str, str | None] = {
            f"cdev{number}": bus_id for number, bus_id in enumerate(words[0].split("/"))
        }
        found |= {"chpid": words[1][1:], "card_type": " ".join(words[3:last])}
        found |= dict(zip(names, words[last:], strict=True)) | state
        where: dict[str, str | None] = {"interface": words[2]}
        texts = {
            column: None if found.get(name) == "n/a" else found.get(name)
            for name, column in _COLUMNS.items()
        }
        self.row("linux_qeth", line.number, where | texts)
        for name, value in found.items():
            self.row("linux_qeth_property", line.number, where | {"property": name, "value": value})
        return True


STARTS = (
    # Other tools print the name of a device, too: a file is known by the line that follows.
    Start(_DEVICE.pattern, Device, tells=False),
    Start("card_type : .{1,200}", Stray),
    Start(
        "devices CHPID (?:interface|device) cardtype port chksum prio-q'ing"
        " (?:rtr4 rtr6|rtr) (?:lay'2|fsz) cnt",
        Table,
    ),
)
