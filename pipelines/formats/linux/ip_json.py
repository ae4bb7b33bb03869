"""``ip -j link`` and ``ip -j addr`` of iproute2: JSON, in one line or (``-p``) in many."""

from __future__ import annotations

import json
import re
from typing import Any

from pipelines.formats._captures.section import Command, Line, Start, content, stray
from pipelines.formats._captures.shell import split_prompt
from pipelines.formats.contract import Reading
from pipelines.formats.linux.interfaces import Interfaces

#: Longest output that is read, in characters: more than a thousand interfaces.
LONGEST = 4 * 1024 * 1024

#: How deeply objects may be nested; those of ip are of five levels at most.
_DEEPEST = 40

_BRACKET = re.compile(r"[\[\]{}]")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_COLUMNS = {
    "ifindex": "interface_index",
    "link": "parent",
    "link_type": "kind",
    "address": "mac",
    "mtu": "mtu_bytes",
    "operstate": "state",
    "txqlen": "queue_length",
}
_ADDRESS = {
    "family": "family",
    "local": "address",
    "prefixlen": "prefix_length",
    "broadcast": "broadcast",
    "address": "peer",
    "scope": "scope",
}
_COUNTERS = {
    "over_errors": "overruns",
    "missed_errors": "missed",
    "nohandler": "no_handler",
    **{
        name: name
        for name in (
            "bytes",
            "packets",
            "errors",
            "dropped",
            "multicast",
            "broadcast",
            "compressed",
            "length_errors",
            "crc_errors",
            "frame_errors",
            "fifo_errors",
            "carrier_errors",
            "collisions",
            "aborted_errors",
            "window_errors",
            "heartbeat_errors",
            "carrier_changes",
        )
    },
}


class IpJson(Interfaces):
    """Lines up to the one that closes the first bracket."""

    name = "ip"

    def __init__(self, out: Reading, command: Command) -> None:
        super().__init__(out, command)
        self.begun = False
        self.held: list[tuple[int, str]] = []
        self.length = 0
        self.depth = 0

    def expects(self, line: Line) -> bool:
        """A line that JSON may go on with, as long as a bracket is open."""
        # A line that begins with an opening bracket begins the next output.
        return self.depth > 0 and line.text[:1] in ' \t]{}"' and not split_prompt(line.text)[0]

    def take(self, line: Line) -> bool:
        """Hold a line; read the output when it is whole."""
        if self.begun and not self.expects(line):
            return False
        self.begun = True
        self.held.append((line.number, line.text))
        self.length += len(line.text)
        for bracket in _BRACKET.findall(_STRING.sub("", line.text)):
            self.depth += 1 if bracket in "[{" else -1
            if self.depth > _DEEPEST:
                self._give_up("it is nested too deeply")
                return True
        if self.length > LONGEST:
            self._give_up(f"it is longer than {LONGEST >> 20} MiB")
        elif self.depth <= 0:
            self._read()
        return True

    def close(self) -> None:
        """Hand over the last interface, or the lines of an output that is not whole."""
        super().close()
        if self.held:
            self._give_up("it ends in the middle")

    def _give_up(self, why: str) -> None:
        self.say(self.held[0][0], f"the JSON of ip is not read: {why}; capture it again")
        for number, text in self.held:
            self.out.unknown(number, text)
        self.held, self.depth = [], 0

    def _read(self) -> None:
        try:
            found = json.loads("\n".join(text for _, text in self.held))
        except (ValueError, RecursionError):
            self._give_up("it is damaged")
            return
        interfaces = [each for each in found if isinstance(each, dict)]
        if not any(isinstance(each.get("ifname"), str) for each in interfaces):
            self._give_up("no interface is in it")
            return
        first, lines, self.held = Line(*self.held[0]), len(self.held), []
        for number, each in enumerate(interfaces):
            # Old releases print empty objects for interfaces that were not asked for.
            if each and not self._interface(first, each):
                self.say(first.number, f"object {number + 1} of the JSON has no new interface")
        self.out.used(lines)

    def _interface(self, line: Line, values: dict[str, Any]) -> bool:
        name = _text(values.pop("ifname", None))
        if not name or name in self.seen:
            return False
        texts = {column: _text(values.pop(key, None)) for key, column in _COLUMNS.items()}
        flags = values.pop("flags", None)
        texts["flags"] = ",".join(map(_plain, flags)) if isinstance(flags, list) else None
        self.begin(line, name, texts)
        addresses = values.pop("addr_info", None)
        for each in addresses if isinstance(addresses, list) else ():
            if isinstance(each, dict) and each:
                self._address(line, each)
        for statistics in ("stats64", "stats"):
            self._statistics(line, values.get(statistics))
        values.pop("stats", None)
        values.pop("stats64", None)
        for key, value in _flat("", values):
            self.detail(line, key, value)
        return True

    def _address(self, line: Line, each: dict[str, Any]) -> None:
        texts = {column: _text(each.pop(key, None)) for key, column in _ADDRESS.items()}
        flags = [key for key, value in each.items() if value is True]
        if isinstance(label := each.pop("label", None), str):
            flags.append(_plain(label))
        self.address(line, texts | {"flags": " ".join(flags)})
        for key, value in each.items():
            if not isinstance(value, bool):
                self.detail(line, f"{texts['address']}.{key}", _plain(value))

    def _statistics(self, line: Line, statistics: object) -> None:
        if not isinstance(statistics, dict):
            return
        for direction, counters in statistics.items():
            if direction not in ("rx", "tx") or not isinstance(counters, dict):
                continue
            for key, value in counters.items():
                column = _COUNTERS.get(key)
                if not column:
                    self.detail(line, f"{direction}.{key}", _plain(value))
                elif not self.count(line, {direction: {column: _plain(value)}}):
                    self.say(line.number, f"{direction} {key} is no counter, or too large")


def _plain(value: object) -> str:
    """A value as text, without halves of characters, which no table can hold."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode(errors="replace").decode()


def _text(value: object) -> str | None:
    return None if value is None else _plain(value)


def _flat(name: str, value: object) -> list[tuple[str, str]]:
    """Names with dots, and plain values, of whatever is nested; bounded, as JSON is parsed."""
    if isinstance(value, dict):
        return [
            pair
            for key, each in value.items()
            for pair in _flat(f"{name}.{_plain(key)}" if name else _plain(key), each)
        ]
    return [(name, _plain(value))]


STARTS = (
    Start(
        re.compile(r'\[ ?(?:\{ ?\}, ?){0,4096}\{ ?"(?:ifindex|ifname|link)": ?.*'), content(IpJson)
    ),
    # With -p a file is known by the line that follows, and the bracket belongs to it.
    Start(re.compile(r"\[ ?(?:\{ ?\}, ?){0,4096}\{"), content(IpJson), tells=False),
    Start(re.compile(r'"ifindex": ?[0-9]{1,10},'), stray),
)
