"""Answers in keyword form (``mmpmon -p``), each a keyword for its kind and then pairs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from studybook.formats.contract import Reading
from studybook.formats.mmpmon.below import Histogram, Notes, Other
from studybook.formats.mmpmon.tables import COUNTERS
from studybook.formats.mmpmon.values import (
    NotUnderstood,
    decimal,
    get,
    instant,
    pairs,
    signed,
    unsigned,
)

#: Kinds of answers that stand on lines of their own, and begin with nothing else than this.
_NAMES = (
    "fs_io_s io_s ver reset nlist rhist failed end"
    " vio_s vio_s_reset response R L rpcSize rpcObj stats"
)
_KINDS = frozenset(f"_{name}_" for name in _NAMES.split())
#: ``_r_`` and ``_w_`` are keywords within some answers, and begin the two halves of others.
_HALVES = frozenset({("_r_", "_ops_"), ("_w_", "_ops_")})
_OTHER_KIND = re.compile(r"_(?:mmpmon::)?[A-Za-z][A-Za-z0-9_]{0,40}_", re.ASCII)
_FIRST_KEYS = frozenset({"_n_", "_req_"})

_OPERATIONS = {"r": "read", "w": "write"}

#: Keywords of the lines of an answer to nlist: its columns.
_NODE_LIST_NUMBERS = {"c": "names", "did": "names_processed", "nlc": "nodes_in_list"}
_NODE_LIST_TEXTS = {
    "ni": "name_given", "nx": "member", "nxip": "member_ip", "mbr": "member", "ip": "member_ip"
}  # fmt: skip


def starts_answer(parts: list[str]) -> bool:
    """Whether the words of a line are the start of an answer, or of a row of one."""
    if parts[0] in _KINDS or parts[0].startswith("_mmpmon::"):
        return True
    if tuple(parts[:2]) in _HALVES:
        return True
    return len(parts) > 2 and parts[1] in _FIRST_KEYS and bool(_OTHER_KIND.fullmatch(parts[0]))


class Keyed:
    """Turns answers in keyword form into rows."""

    def __init__(self, out: Reading, notes: Notes) -> None:
        self.out = out
        self.notes = notes
        self.histogram = Histogram(out, notes)
        self.other = Other(out)
        self.passes = 0
        #: Heads of answers to nlist since the pass began; the repetition of one begins the next.
        self._lists: set[tuple[str, ...]] = set()
        self._ended = False
        self._answer: dict[str, Any] = {}

    def end_pass(self, passes: int = 1) -> None:
        """Take note of lines ``_end_``."""
        self.close()
        self.passes += passes
        self._ended = self._ended or passes > 0

    def close(self) -> None:
        """End the answer whose rows stand on lines of their own."""
        self.histogram.close()
        self.other.close()

    def take(self, line: int, parts: list[str]) -> None:
        """Record one answer, or one row of one."""
        kind = parts[0].strip("_")
        rows: dict[str, Callable[[int, list[str]], None]] = {
            "R": self._size_range, "L": self._latency_range, "rpcSize": self.other.rpc_head,
            "rpcObj": self.other.rpc_head, "stats": self.other.rpc_row, "r": self.other.half,
            "w": self.other.half,
        }  # fmt: skip
        if kind in rows:
            rows[kind](line, parts)
            return
        self.close()
        if kind == "end":
            raise NotUnderstood("more than the end of a pass")
        said = pairs(parts[1:])
        found = dict(said)
        self._answer = {"line": line, "pass": self.passes + 1} | _answer(found)
        requests: dict[str, Callable[[dict[str, str]], None]] = {
            "fs_io_s": self._counters, "io_s": self._counters, "ver": self._version,
            "nlist": self._node_list, "rhist": self._rhist, "reset": self._mark,
            "failed": self._mark,
        }  # fmt: skip
        if kind in requests:
            if len(found) < len(said):
                raise NotUnderstood("a keyword stands twice")
            requests[kind](found | {"kind": kind})
            return
        self.other.begin(self._answer, kind.removeprefix("mmpmon::"), said)

    def _counters(self, found: dict[str, str]) -> None:
        """Record an answer to ``fs_io_s`` or ``io_s``."""
        kind = found["kind"]
        row = dict(self._answer)
        if row.get("time_utc") is None or row.get("rc") is None:
            raise NotUnderstood("no time or return code")
        known = {"kind", *COUNTERS}
        if kind == "fs_io_s":
            known |= {"cl", "fs", "d"}
            row["cluster"] = _name(found["cl"]) if "cl" in found else None
            row["file_system"] = _name(found["fs"]) if "fs" in found else None
            if row["rc"] == 0 and row["file_system"] is None:
                raise NotUnderstood("no file system")
        printed = [key for key in ("d", *COUNTERS) if key in found and key in known]
        if row["rc"] == 0 and "iu" not in found:
            # The last value that is there may be cut, too.
            cut = printed.pop() if printed else ""
            self.notes.repaired(
                row["line"], "records that are cut: their last number may be, and is left out"
            )
            found.pop(cut, None)
        for key in printed:
            row[COUNTERS.get(key, "disks")] = unsigned(found[key])
        rest = [(key, value) for key, value in found.items() if key not in known]
        self.out.record(f"mmpmon_{kind.removesuffix('_s')}", **row)
        self.other.values(self._answer, kind, rest)

    def _version(self, found: dict[str, str]) -> None:
        self.out.record(
            "mmpmon_version",
            **{name: self._answer.get(name) for name in ("line", "pass", "host", "node_ip")},
            version=unsigned(get(found, "v")),
            level=unsigned(get(found, "lv")),
            variant=unsigned(get(found, "vt")),
        )

    def _node_list(self, found: dict[str, str]) -> None:
        request = get(found, "req")
        row = self._answer | {"request": request}
        row |= {
            column: unsigned(found[key])
            for key, column in _NODE_LIST_NUMBERS.items()
            if key in found
        }
        row |= {column: found[key] for key, column in _NODE_LIST_TEXTS.items() if key in found}
        if "c" in found and not self._ended:
            # Without -r there is no _end_; the answer to nlist comes again in each pass.
            head = (found.get("n", ""), request)
            if head in self._lists:
                self._lists.clear()
                self.passes += 1
                row["pass"] += 1
            self._lists.add(head)
        self.out.record("mmpmon_node_list", **row)

    def _rhist(self, found: dict[str, str]) -> None:
        request = get(found, "req")
        if not request:
            raise NotUnderstood("no request")
        name, _, operands = request.partition(" ")
        kind = found.get("k")
        if kind is not None and kind not in _OPERATIONS:
            raise NotUnderstood(kind)
        text = _OPERATIONS.get(kind or "") or operands or None
        self.out.record("mmpmon_mark", kind="rhist", request=name, text=text, **self._answer)
        if kind and name in ("s", "p"):
            self.histogram.begin(self._answer, name, _OPERATIONS[kind])

    def _mark(self, found: dict[str, str]) -> None:
        row = dict(self._answer)
        text = None
        if "fn" in found or "fnn" in found:
            text = f"reported by {row['host']} ({row['node_ip']})"
            row |= {"node_ip": found.get("fn"), "host": found.get("fnn")}
        self.out.record("mmpmon_mark", kind=found["kind"], text=text, **row)

    def _size_range(self, line: int, parts: list[str]) -> None:
        self.histogram.end_size()  # also if this line turns out to be damaged
        match parts[1:]:
            case [low, high]:
                self.histogram.size(line, unsigned(low), unsigned(high), None)
            case [low, high, "_NR_", count]:
                self.histogram.size(line, unsigned(low), unsigned(high), unsigned(count))
            case _:
                raise NotUnderstood(" ".join(parts))

    def _latency_range(self, line: int, parts: list[str]) -> None:
        match parts[1:]:
            case [low, high]:
                self.histogram.latency(line, decimal(low), decimal(high), None)
            case [low, high, "_NL_", count]:
                self.histogram.latency(line, decimal(low), decimal(high), unsigned(count))
            case _:
                raise NotUnderstood(" ".join(parts))


def _answer(found: dict[str, str]) -> dict[str, Any]:
    """Who answered, when, with what return code."""
    row: dict[str, Any] = {"host": found.get("nn"), "node_ip": get(found, "n")}
    if "rc" in found:
        row["rc"] = signed(found["rc"])
    if "t" in found or "tu" in found:
        row["time_utc"] = instant(get(found, "t"), get(found, "tu"))
    return row


def _name(text: str) -> str | None:
    return None if text == "-" else text
