"""Histograms of request size and latency (``rhist s``) and their pattern (``rhist p``)."""

from __future__ import annotations

from typing import Any

from studybook.formats.contract import Reading
from studybook.formats.mmpmon.notes import Notes
from studybook.formats.mmpmon.values import NotUnderstood


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
