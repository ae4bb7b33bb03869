"""What is to be said of a file once, with a count, and not for each line."""

from __future__ import annotations

from studybook.formats.contract import Reading


class Notes:
    """Collects repairs and remarks, and hands each on once."""

    def __init__(self, out: Reading) -> None:
        self._out = out
        self._repairs: dict[str, list[int]] = {}
        self._remarks: dict[str, list[int]] = {}

    def repaired(self, line: int, text: str) -> None:
        """Note a repair of a kind, at a line."""
        _count(self._repairs, line, text)

    def remark(self, line: int, text: str) -> None:
        """Note something to be known, at a line."""
        _count(self._remarks, line, text)

    def finish(self) -> None:
        """Hand all on."""
        for text, (line, number) in self._repairs.items():
            self._out.repaired(line, f"{text} ({number} in all)")
        for text, (line, number) in self._remarks.items():
            self._out.remark(line, f"{text} ({number} in all)")


def _count(found: dict[str, list[int]], line: int, text: str) -> None:
    found.setdefault(text, [line, 0])[1] += 1
