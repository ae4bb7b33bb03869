"""``multipath -ll`` of multipath-tools: disks, groups of paths, paths; also the layout to 0.4.8."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from studybook.formats.captures.section import Items, Line, Start
from studybook.formats.captures.values import size_bytes

_WWID = r"[0-9A-Za-z_.:-]{8,120}"
_MAP = re.compile(
    rf"(?:(?P<action>create|reload|resize|rename|switchpg|nothing|undef|reject): )?"
    rf"(?P<map>[\w.:-]{{1,120}})(?: \((?P<wwid>{_WWID})\))?(?: (?P<device>dm-[0-9]{{1,6}}))?"
    r" (?P<vendor>[^,\[\]=]{1,16}),(?P<product>[^,\[\]=]{1,32})"
)
#: A disk that there is has a device; one that is being made may have none yet.
_START = re.compile(
    rf"(?:(?:[a-z]{{5,8}}: )?[\w.:-]{{1,120}}(?: \({_WWID}\))? dm-[0-9]{{1,6}}"
    rf"|(?:create|reload|undef): [\w.:-]{{1,120}}(?: \({_WWID}\))?)"
    r" [^,\[\]=]{1,16},[^,\[\]=]{1,32}"
)
_SIZE = re.compile(
    r"size=(?P<size>[0-9.,]{1,12}[A-Za-z]?) features='(?P<features>[^']{0,400})'"
    r" hwhandler='(?P<hardware_handler>[^']{0,200})'(?: wp=(?P<write_permission>[a-z]{2,6}))?"
)
_OLD_SIZE = re.compile(
    r"\[size=(?P<size>[0-9.,]{1,12} ?[A-Za-z]?B?)\]"
    r" ?\[features=\"?(?P<features>[^\]\"]{0,400})\"?\]"
    r" ?\[hwhandler=\"?(?P<hardware_handler>[^\]\"]{0,200})\"?\]"
    r"(?: ?\[(?P<write_permission>[a-z]{2,6})\])?"
)
_GROUP = re.compile(
    r"(?:[|`]-\+- )?policy='(?P<policy>[^']{1,60})' prio=(?P<priority>-?[0-9]{1,9})"
    r"(?: status=(?P<group_status>[a-z]{1,20}))?"
)
_OLD_GROUP = re.compile(
    r"\\_ (?P<policy>[a-z-]{1,40}(?: [0-9]{1,9})?) ?(?:\[prio=(?P<priority>-?[0-9]{1,9})\])?"
    r" ?\[(?P<group_status>[a-z]{1,20})\]"
)
_PLACE = (
    r"(?P<adapter>[0-9#]{1,10}):(?P<channel>[0-9#]{1,10}):(?P<target>[0-9#]{1,10}):"
    r"(?P<lun>[0-9#]{1,20}) (?P<device>[a-z#!0-9-]{1,32})"
    r" (?P<device_number>[0-9#]{1,6}:[0-9#]{1,9})"
)
_PATH = re.compile(
    rf"(?:\| ?)?[|`]- {_PLACE} (?P<dm_state>[a-z]{{1,20}}) (?P<path_state>[a-z]{{1,20}})"
    r"(?: (?P<device_state>[a-z-]{1,20}))?"
)
_OLD_PATH = re.compile(
    rf"\\_ {_PLACE} ?\[(?P<dm_state>[a-z]{{1,20}})\] ?\[(?P<path_state>[a-z]{{1,20}})\]"
    r"(?: ?\[(?P<device_state>[a-z]{1,20})\])?"
)


@dataclass
class Maps(Items):
    """Any number of disks."""

    texts: dict[str, str | None] = field(default_factory=dict, init=False)
    group: dict[str, str | None] = field(default_factory=dict, init=False)

    line = 0
    groups = 0

    def expects(self, line: Line) -> bool:
        """A disk that was not yet there."""
        found = _MAP.fullmatch(line.squeezed) if _START.fullmatch(line.squeezed) else None
        return found is not None and found["map"] not in self.seen

    def _take(self, line: Line) -> bool | None:
        text = line.squeezed
        if self.expects(line) and (found := _MAP.fullmatch(text)):
            self._begin(line, found)
        elif not self.texts:
            return None
        elif "size" not in self.texts and (
            size := _SIZE.fullmatch(text) or _OLD_SIZE.fullmatch(text)
        ):
            self.texts |= size.groupdict()
        elif group := _GROUP.fullmatch(text) or _OLD_GROUP.fullmatch(text):
            self.groups += 1
            self.group = group.groupdict()
        elif self.groups and (path := _PATH.fullmatch(text) or _OLD_PATH.fullmatch(text)):
            self._path(line, path)
        else:
            if line.text[:1] not in " \t|`\\[":
                # It may have been the first line of another disk: what follows is not this one's.
                self.close()
            return None
        return True

    def _begin(self, line: Line, found: re.Match[str]) -> None:
        self.close()
        texts = found.groupdict()
        texts.pop("action")
        # Without an alias the name is the WWID.
        self.texts = texts | {"wwid": texts["wwid"] or texts["map"]}
        self.texts |= {"vendor": texts["vendor"].strip(), "product": texts["product"].strip()}
        self.line, self.group, self.groups = line.number, {}, 0
        self.seen.add(texts["map"])

    def _path(self, line: Line, found: re.Match[str]) -> None:
        # '#' stands for what multipath could not find out: the path is gone.
        texts = {
            name: None if text and "#" in text else text for name, text in found.groupdict().items()
        }
        texts |= self.group | {"map": self.texts["map"]}
        self.row("linux_multipath_path", line.number, texts, group_no=self.groups)

    def close(self) -> None:
        """Hand over the disk."""
        if self.texts:
            size = size_bytes(self.texts.get("size"), capitals_are_binary=True)
            self.row("linux_multipath_map", self.line, self.texts, size_bytes=size)
        self.texts, self.group, self.groups = {}, {}, 0


STARTS = (Start(_START.pattern, Maps),)
