"""Rows that stand on lines of their own below an answer: histograms, windows, other keywords.

Histograms are of request size and latency (``rhist s``), or their pattern (``rhist p``). Windows of
``rpc_s`` move; answers of ``vio_s`` and of the daemon's socket are kept keyword by keyword.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from studybook.formats.contract import Reading
from studybook.formats.mmpmon.values import (
    NotUnderstood,
    decimal,
    get,
    number_or_none,
    pairs,
    unsigned,
)


class Notes:
    """Collects repairs and remarks, and hands each on once, with their number."""

    def __init__(self, out: Reading) -> None:
        self._out = out
        self._found: dict[tuple[Callable[[int, str], None], str], list[int]] = {}

    def repaired(self, line: int, text: str) -> None:
        """Note a repair of a kind, at a line."""
        self._found.setdefault((self._out.repaired, text), [line, 0])[1] += 1

    def remark(self, line: int, text: str) -> None:
        """Note something to be known, at a line."""
        self._found.setdefault((self._out.remark, text), [line, 0])[1] += 1

    def finish(self) -> None:
        """Hand all on."""
        for (say, text), (line, number) in self._found.items():
            say(line, f"{text} ({number} in all)")


class Histogram:
    """Takes the ranges of one kind (read or write) at a time."""

    def __init__(self, out: Reading, notes: Notes) -> None:
        self.out = out
        self.notes = notes
        self._head: dict[str, Any] = {}
        self._size: dict[str, Any] = {}
        self._size_line = 0
        self._rows = 0
        self._counted = 0

    def begin(self, answer: dict[str, Any], request: str, operation: str) -> None:
        """Begin with the answer that the ranges are of."""
        self.close()
        self._head = answer | {
            "read_line": answer["line"], "request": request, "operation": operation
        }  # fmt: skip

    def size(self, line: int, low: int, high: int, count: int | None) -> None:
        """Take a size range in bytes; 0 as its upper bound means: and higher."""
        if not self._head:
            raise NotUnderstood("a size range outside of an answer to rhist")
        self.end_size()
        self._size_line = line
        self._size = {
            "size_from_bytes": low, "size_to_bytes": high or None, "size_requests": count
        }  # fmt: skip

    def latency(self, line: int, low: float, high: float, count: int | None) -> None:
        """Take a latency range in ms, within the size range before it."""
        if not self._size:
            raise NotUnderstood("a latency range outside of a size range")
        self._rows += 1
        self._counted += count or 0
        ranges = {"latency_from_ms": low, "latency_to_ms": high or None, "requests": count}
        self.out.record("mmpmon_rhist", **self._head | {"line": line} | self._size | ranges)

    def close(self) -> None:
        """End the answer."""
        self.end_size()
        self._head = {}

    def end_size(self) -> None:
        """End the size range, and check its sum."""
        if not self._size:
            return
        if not self._rows:
            self.out.record("mmpmon_rhist", **self._head | {"line": self._size_line} | self._size)
        total = self._size["size_requests"]
        if total is not None and total != self._counted:
            self.notes.remark(
                self._size_line,
                "size ranges whose latency ranges do not add up to their number of requests:"
                " cut, or counted while being printed",
            )
        self._size = {}
        self._rows = self._counted = 0


#: Keywords that every answer has.
_ANSWER_KEYS = frozenset({"n", "nn", "rc", "t", "tu"})


class Other:
    """Takes an answer and the rows that stand on lines of their own below it."""

    def __init__(self, out: Reading) -> None:
        self.out = out
        self._answer: dict[str, Any] = {}
        self._request = ""
        self._rpc: dict[str, Any] = {}
        self._position: dict[str, int] = {}

    def begin(self, answer: dict[str, Any], request: str, said: list[tuple[str, str]]) -> None:
        """Begin with the answer's first line: who and when, and what it says."""
        self._answer, self._request = answer, request
        if request != "rpc_s":
            # That of vio_s_reset says nothing but who, when and with what return code.
            silent = {key for key, _ in said} <= _ANSWER_KEYS
            status = f"status {answer['rc']}" if answer.get("rc") else "OK"
            self.values(answer, request, [("answer", status)] if silent else said)
            return
        found = dict(said)
        keys = {"request": "req", "remote_host": "rnn", "remote_ip": "rn"}
        self._rpc = {column: found.get(key) for column, key in keys.items()}
        if answer.get("rc"):
            self.out.record("mmpmon_mark", kind="failed", request=request, **answer)

    def close(self) -> None:
        """End the answer."""
        self._answer, self._rpc = {}, {}

    def values(
        self,
        answer: dict[str, Any],
        request: str,
        said: list[tuple[str, str]],
        *,
        line: int | None = None,
        part: str | None = None,
    ) -> None:
        """Record keywords for which there is no column."""
        for name, value in said:
            if name not in _ANSWER_KEYS:
                self.out.record(
                    "mmpmon_value", **answer | {"line": line or answer["line"]},
                    read_line=answer["line"], request=request, part=part,
                    name=name, value=value, number=number_or_none(value),
                )  # fmt: skip

    def half(self, line: int, parts: list[str]) -> None:
        """Take the reads or writes of an answer of the daemon's socket."""
        if not self._answer:
            raise NotUnderstood("reads or writes of an answer without its head")
        part = parts[0].strip("_")
        self.values(self._answer, self._request, pairs(parts[1:]), line=line, part=part)

    def rpc_head(self, line: int, parts: list[str]) -> None:
        """Take the message size or object that the next rows are of."""
        self._rpc.pop("object", None)  # also if this line turns out to be damaged
        said = pairs(parts[1:])
        if not self._rpc or not said or said[0][0] not in ("size", "obj"):
            raise NotUnderstood(" ".join(parts))
        name = said[0][1]
        self._rpc["object"] = name
        self._position = {}
        self.values(self._answer, self._request, said[1:], line=line, part=name)

    def rpc_row(self, line: int, parts: list[str]) -> None:
        """Take one window: the newest of a length comes first."""
        if "object" not in self._rpc:
            raise NotUnderstood("rows of rpc_s without their head")
        # Some of the numbers have a comma behind them.
        found = {key: value.rstrip(",") for key, value in pairs(parts[1:])}
        window = get(found, "tmu")
        position = self._position.get(window, 0)
        self._position[window] = position + 1
        self.out.record(
            "mmpmon_rpc", **self._answer | {"line": line}, **self._rpc, window=window,
            position=position, mean_ms=decimal(get(found, "av")), min_ms=decimal(get(found, "min")),
            max_ms=decimal(get(found, "max")), calls=unsigned(get(found, "cnt")),
        )  # fmt: skip
