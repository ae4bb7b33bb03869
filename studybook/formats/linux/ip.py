"""``ip link`` and ``ip addr`` of iproute2 as text, with ``-s``, ``-s -s``, ``-d`` and ``-o``."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Start
from studybook.formats.linux.interfaces import Interfaces
from studybook.formats.names import pairs

_HEAD = re.compile(
    r"(?P<index>[0-9]{1,9}): (?P<interface>[^\s@]{1,64}?)(?:@(?P<parent>\S{1,64}))?:"
    r" <(?P<flags>[A-Z0-9_,-]{0,400})>(?P<rest>(?: \S{1,400}){0,60})"
)
_LINK = re.compile(
    r"link/(?P<kind>\S{1,40})(?: (?P<mac>\S{1,100}))?(?P<rest>(?: \S{1,200}){0,200})"
)
_MAC = re.compile(r"[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2})+|[0-9.]{7,15}|[0-9a-f:]*:[0-9a-f:]*")
_ADDRESS = re.compile(
    r"(?P<family>inet6?) (?P<address>[0-9A-Fa-f:.x]{2,50})(?:/(?P<prefix_length>[0-9]{1,3}))?"
    r"(?P<rest>(?: \S{1,100}){0,40})"
)
_COLUMNS = re.compile(r"(?P<direction>[RT]X)(?P<errors> errors)?:(?P<names>(?: [a-z]{2,12}){1,10})")
_VF = re.compile(r"vf (?P<number>[0-9]{1,6}) .{1,2000}")
#: Printed with -h: such numbers are rounded.
_ROUNDED = re.compile(r"[0-9]+(?:\.[0-9]+)?[KMGTPEk]i?")
_DETAIL = re.compile(r"[a-z][\w./-]{0,40}(?: .{0,8000})?")

#: Names of columns in the tables of counters: in the first table, and in that of -s -s.
_COUNTERS = pairs("""
    bytes=bytes packets=packets errors=errors dropped=dropped overrun=overruns missed=missed
    mcast=multicast bcast=broadcast compressed=compressed carrier=carrier_errors
    collsns=collisions length=length_errors crc=crc_errors frame=frame_errors fifo=fifo_errors
    aborted=aborted_errors window=window_errors heartbeat=heartbeat_errors
    heartbt=heartbeat_errors transns=carrier_changes nohandler=no_handler nohandlr=no_handler
""")


class Ip(Interfaces):
    """``2: eth0: <BROADCAST,UP> mtu 1500 …``, with indented lines below."""

    name = "ip"
    #: Direction and columns of the numbers in the next line.
    awaited: tuple[str, list[str]] | None = None
    #: Whose counters they are, if of a virtual function of the interface.
    function = ""

    def expects(self, line: Line) -> bool:
        """An interface that was not yet there."""
        head = _HEAD.match(line.squeezed)
        return head is not None and head["interface"] not in self.seen

    def _take(self, line: Line) -> bool | None:
        # With -o a line has all lines of an interface, between backslashes.
        parts = line.text.split("\\")
        if len(parts) == 1:
            kept = [self._part(line)]
        else:
            kept = [self._part(Line(line.number, part)) for part in parts if part.strip()]
            if None in kept:
                self.say(line.number, "a part of a line of ip -o was not understood")
        if set(kept) <= {None}:
            self.end_block(line)
            return None
        return len(parts) > 1 or kept[0]

    def _part(self, line: Line) -> bool | None:
        text = line.squeezed
        awaited, self.awaited = self.awaited, None
        if (head := _HEAD.fullmatch(text)) and head["interface"] not in self.seen:
            return self._head(line, head)
        if not self.interface:
            return None
        if awaited and (line.words[0][:1].isdecimal()):
            return self._numbers(line, *awaited)
        if columns := _COLUMNS.fullmatch(text):
            direction = columns["direction"].lower()
            # Releases add columns: one without a place of its own is kept as ip -j names it.
            names = [_COUNTERS.get(n, f"{direction}.{n}") for n in columns["names"].split()]
            if len(set(names)) < len(names):
                return None
            self.awaited = (direction, names)
            return False
        if link := _LINK.fullmatch(text):
            self._link(line, link)
        elif address := _ADDRESS.fullmatch(text):
            self._address(line, address)
        elif line.text[:1] in (" ", "\t") and _DETAIL.fullmatch(text):
            if function := _VF.fullmatch(text):
                self.function = f"{self.interface} vf {function['number']}"
            self.detail(line, line.words[0], " ".join(line.words[1:]))
        else:
            return None
        return True

    def _head(self, line: Line, head: re.Match[str]) -> bool | None:
        words = head["rest"].split()
        pairs = dict(zip(words[::2], words[1::2], strict=False))
        if not (pairs.get("mtu") or "").isdecimal():
            return None
        texts = {
            "interface_index": head["index"], "parent": head["parent"], "flags": head["flags"],
            "mtu_bytes": pairs.pop("mtu"), "state": pairs.pop("state", None),
            "queue_length": pairs.pop("qlen", None),
        }  # fmt: skip
        self.new_interface(line, head["interface"], texts)
        self.function = ""
        for name, value in pairs.items():
            self.detail(line, name, value)
        return True

    def _link(self, line: Line, link: re.Match[str]) -> None:
        self.texts["kind"] = link["kind"]
        rest = link["rest"].split()
        if link["mac"] and _MAC.fullmatch(link["mac"]):
            self.texts["mac"] = link["mac"]
        elif link["mac"]:
            rest.insert(0, link["mac"])
        if rest:
            self.detail(line, "link", " ".join(rest))

    def _address(self, line: Line, found: re.Match[str]) -> None:
        texts: dict[str, str | None] = {
            name: found[name] for name in ("family", "address", "prefix_length")
        }
        words = found["rest"].split()
        flags = []
        while words:
            word = words.pop(0)
            column = {"peer": "peer", "brd": "broadcast", "scope": "scope"}.get(word)
            if column and words:
                texts[column] = words.pop(0)
            else:
                flags.append(word)
        peer, slash, length = (texts.get("peer") or "").partition("/")
        if slash:
            texts["peer"], texts["prefix_length"] = peer, length
        self.address(line, {**texts, "flags": " ".join(flags)})

    def _numbers(self, line: Line, direction: str, names: list[str]) -> bool | None:
        if any(map(_ROUNDED.fullmatch, line.words)):
            self.say(
                line.number,
                "counters are printed rounded (ip -h), and are not read; capture them without -h",
            )
            return None
        if len(names) != len(line.words):
            return None
        texts = dict(zip(names, line.words, strict=True))
        others = {name: texts.pop(name) for name in names if "." in name}
        if not self.count(line, {direction: texts}, self.function):
            return None
        for name, value in others.items():
            self.detail(line, f"{self.function} {name}" if self.function else name, value)
        return True


_LONE_ADDRESS = re.compile(
    r"[0-9]{1,9}: (?P<interface>[^\s@]{1,64}) (?P<rest>inet6? \S{2,50}(?: [^\\]{1,400})? scope .*)"
)


class Addresses(Ip):
    """``ip -o addr``: one line for each address, and nothing of the interface but its name."""

    def expects(self, line: Line) -> bool:
        """Another address."""
        return bool(_LONE_ADDRESS.fullmatch(line.squeezed))

    def _take(self, line: Line) -> bool | None:
        found = _LONE_ADDRESS.fullmatch(line.squeezed)
        text, _, lifetime = found["rest"].partition("\\") if found else ("", "", "")
        address = _ADDRESS.fullmatch(text.strip())
        if not found or not address:
            return None
        self.interface = found["interface"]
        self._address(line, address)
        if lifetime:
            name, _, value = lifetime.strip().partition(" ")
            self.detail(line, name, value)
        return True

    def close(self) -> None:
        """There is no interface to hand over."""


#: With -o the rest of the interface follows in the same line.
STARTS = (
    Start(
        r"[0-9]{1,9}: [^\s@]{1,64}?(?:@\S{1,64})?: <[A-Z0-9_,-]{0,400}> mtu [0-9]{1,40}(?: .*)?", Ip
    ),
    Start(_LONE_ADDRESS.pattern, Addresses),
)
