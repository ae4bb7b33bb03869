"""``ip -j link`` and ``ip -j addr`` of iproute2: JSON, in one line or (``-p``) in many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from studybook.formats.captures.json_output import JsonOutput, flat, plain
from studybook.formats.captures.section import Line, Start, Stray
from studybook.formats.linux.interfaces import Interfaces
from studybook.formats.linux.tables import COUNTERS
from studybook.formats.names import pairs

_COLUMNS = pairs("""
    ifindex=interface_index link=parent link_type=kind address=mac mtu=mtu_bytes operstate=state
    txqlen=queue_length
""")
_ADDRESS = pairs("""
    family=family local=address prefixlen=prefix_length broadcast=broadcast address=peer
    scope=scope
""")
_COUNTERS = {name: name for name in set(COUNTERS) - {"overruns", "missed", "no_handler"}} | {
    "over_errors": "overruns", "missed_errors": "missed", "nohandler": "no_handler"
}  # fmt: skip


@dataclass
class IpJson(JsonOutput, Interfaces):
    """Interfaces as a list of objects."""

    name = tool = "ip"
    subject = "interface"

    def has_subject(self, found: Any) -> bool:
        """Whether one of the objects has the name of an interface."""
        return any(isinstance(each.get("ifname"), str) for each in _objects(found))

    def use(self, line: Line, found: Any) -> None:
        """Begin an interface for each object."""
        for number, each in enumerate(_objects(found)):
            # Old releases print empty objects for interfaces that were not asked for.
            if each and not self._interface(line, each):
                self.say(line.number, f"object {number + 1} of the JSON has no new interface")

    def _interface(self, line: Line, values: dict[str, Any]) -> bool:
        name = _text(values.pop("ifname", None))
        if not name or name in self.seen:
            return False
        texts = {column: _text(values.pop(key, None)) for key, column in _COLUMNS.items()}
        flags = values.pop("flags", None)
        texts["flags"] = ",".join(map(plain, flags)) if isinstance(flags, list) else None
        self.new_interface(line, name, texts)
        addresses = values.pop("addr_info", None)
        for each in addresses if isinstance(addresses, list) else ():
            if isinstance(each, dict) and each:
                self._address(line, each)
        for statistics in ("stats64", "stats"):
            self._statistics(line, values.get(statistics))
        values.pop("stats", None)
        values.pop("stats64", None)
        for key, value in flat("", values):
            self.detail(line, key, value)
        return True

    def _address(self, line: Line, each: dict[str, Any]) -> None:
        texts = {column: _text(each.pop(key, None)) for key, column in _ADDRESS.items()}
        flags = [key for key, value in each.items() if value is True]
        if isinstance(label := each.pop("label", None), str):
            flags.append(plain(label))
        self.address(line, texts | {"flags": " ".join(flags)})
        for key, value in each.items():
            if not isinstance(value, bool):
                self.detail(line, f"{texts['address']}.{key}", plain(value))

    def _statistics(self, line: Line, statistics: object) -> None:
        if not isinstance(statistics, dict):
            return
        for direction, counters in statistics.items():
            if direction not in ("rx", "tx") or not isinstance(counters, dict):
                continue
            for key, value in counters.items():
                column = _COUNTERS.get(key)
                if not column:
                    self.detail(line, f"{direction}.{key}", plain(value))
                elif not self.count(line, {direction: {column: plain(value)}}):
                    self.say(line.number, f"{direction} {key} is no counter, or too large")


def _objects(found: Any) -> list[dict[str, Any]]:
    return [each for each in found if isinstance(each, dict)]


def _text(value: object) -> str | None:
    return None if value is None else plain(value)


STARTS = (
    Start(r'\[ ?(?:\{ ?\}, ?){0,4096}\{ ?"(?:ifindex|ifname|link)": ?.*', IpJson),
    # With -p a file is known by the line that follows, and the bracket belongs to it.
    Start(r"\[ ?(?:\{ ?\}, ?){0,4096}\{", IpJson, tells=False),
    Start(r'"ifindex": ?[0-9]{1,10},', Stray),
)
