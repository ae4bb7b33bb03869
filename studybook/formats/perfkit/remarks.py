"""What is said of reports beside their values: what their layout rests on, and what is odd."""

from __future__ import annotations

from studybook.formats.contract import Certainty, Reading
from studybook.formats.perfkit.cells import has_suffix
from studybook.formats.perfkit.known import KnownReport, headings

_BASES: dict[Certainty, str] = {
    "from memory": "is known from memory of the manuals and was never checked against a real one",
    "inferred": "is inferred from a real one that had lost its blanks",
    "documented": "is printed in the documentation",
    "seen": "was seen in real ones",
}

_ODD = {
    "overflow": "too wide for their column (NULL)",
    "not a number": "that hold no number (NULL)",
    "suffix of unknown size": "with K or M, which may be 1000 or 1024 here (NULL)",
}

#: What headings.yml assumes of K and M; an error shows for each power of it.
_ASSUMED = {
    1000: "with K or M, assumed to be 1000 and 1000000 (were it 1024 and its square, the values"
    " would be 2.4 % and 4.9 % higher)",
    1024: "with K or M, assumed to be 1024 and 1048576 (were it 1000 and its square, the values"
    " would be 2.3 % and 4.6 % lower)",
}


class Remarks:
    """Remarks on the reports of one kind in a file; each is made once, cells are counted.

    Parameters
    ----------
    out : Reading
        Where they go.
    line : int
        Where the first of the reports begins.
    report : str
        Their number, such as FCX225.
    name : str, optional
        Their name as printed.
    """

    def __init__(self, out: Reading, line: int, report: str, name: str | None) -> None:
        known = headings().reports.get(report, KnownReport())
        self.out = out
        self.name = " ".join(filter(None, (report, name or known.name)))
        self._told: set[str] = set()
        self._odd: dict[str, tuple[int, str, int]] = {}
        out.remark(line, f"{self.name}: the layout of this report {_BASES[known.certainty]}")
        if report not in headings().reports:
            out.remark(
                line, f"{self.name} is not in the table of headings: its columns have no names here"
            )

    def once(self, line: int, kind: str, text: str) -> None:
        """Make a remark unless one of its kind was made."""
        if kind not in self._told:
            self._told.add(kind)
            self.out.remark(line, f"{self.name}: {text}")

    def cell(self, line: int, reason: str | None, text: str, k: int | None) -> None:
        """Count a cell that should be a number and is none, or that has a suffix."""
        kind = _ODD.get(reason or "")
        if k and has_suffix(text):
            kind = _ASSUMED[k]
        if kind:
            first, shown, count = self._odd.get(kind, (line, text, 0))
            self._odd[kind] = (first, shown, count + 1)

    def close(self) -> None:
        """Say how many cells were odd."""
        for kind, (first, text, count) in self._odd.items():
            self.out.remark(first, f"{self.name}: cells {kind}: {count}, the first {text!r}")
