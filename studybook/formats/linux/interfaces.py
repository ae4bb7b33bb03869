"""What the outputs of ifconfig and ip have in common: interfaces, addresses, counters."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from studybook.formats.captures.section import Items, Line
from studybook.formats.captures.values import whole


@dataclass
class Interfaces(Items):
    """One output, with any number of interfaces."""

    texts: dict[str, str | None] = field(default_factory=dict, init=False)
    counters: dict[tuple[str, str], dict[str, int | None]] = field(default_factory=dict, init=False)
    lines: dict[tuple[str, str], int] = field(default_factory=dict, init=False)

    #: The command that prints such an output.
    name = ""
    interface = ""
    line = 0

    def new_interface(self, line: Line, interface: str, texts: Mapping[str, str | None]) -> None:
        """Begin an interface; what is known of it is handed over at its end."""
        self.close()
        self.seen.add(interface)
        self.interface = interface
        self.line = line.number
        self.texts = dict(texts)

    def put(self, table: str, line: int, texts: Mapping[str, str | None], **values: Any) -> None:
        """Add a row about the interface, with the number of the output and the host."""
        self.row(table, line, {"interface": self.interface, **texts}, **values)

    def address(self, line: Line, texts: Mapping[str, str | None]) -> None:
        """Add an address; a netmask gives the length of the prefix, if it is one."""
        if netmask := texts.get("netmask"):
            texts = {**texts, "prefix_length": _prefix_length(netmask)}
        self.put("linux_address", line.number, texts)

    def detail(self, line: Line, name: str, value: str | None) -> None:
        """Add something that has no column."""
        self.put("linux_interface_property", line.number, {"property": name, "value": value})

    def count(self, line: Line, counters: Mapping[str, Mapping[str, str]], of: str = "") -> bool:
        """Take counters by direction, rx or tx; none if one does not fit or is there already.

        `of` says whose they are, if not the interface's.
        """
        whose = of or self.interface
        numbers = {
            (whose, direction): {name: whole(text, "UBIGINT") for name, text in texts.items()}
            for direction, texts in counters.items()
        }
        for key, each in numbers.items():
            if None in each.values() or each.keys() & self.counters.get(key, {}).keys():
                return False
        for key, each in numbers.items():
            self.counters.setdefault(key, {}).update(each)
            self.lines.setdefault(key, line.number)
        return True

    def end_block(self, line: Line) -> None:
        """End the interface at a line that is not understood and not indented.

        It may have been the start of the next one, whose lines must not count for this one.
        """
        if line.text[:1] not in (" ", "\t"):
            self.close()

    def close(self) -> None:
        """Hand over the interface."""
        if not self.interface:
            return
        self.put("linux_interface", self.line, {"command": self.name, **self.texts}, up=self._up())
        for (interface, direction), numbers in self.counters.items():
            texts = {"interface": interface, "direction": direction}
            self.put("linux_interface_counter", self.lines[interface, direction], texts, **numbers)
        self.interface, self.counters, self.lines = "", {}, {}

    def _up(self) -> bool | None:
        flags = self.texts.get("flags")
        return None if flags is None else "UP" in flags.split(",")


def _prefix_length(netmask: str) -> str | None:
    try:
        return str(ipaddress.IPv4Network(f"0.0.0.0/{netmask}").prefixlen)
    except ValueError:
        return None
