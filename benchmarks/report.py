"""The results as tables: for a terminal, and for the README beside this file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.results import Found
from studybook.text import counted

README = Path(__file__).with_name("README.md")

BEGIN, END = "<!-- results: written by --readme, not by hand -->", "<!-- end of results -->"

#: What loading may take of memory for each processor, however large the files; what a loading
#: report may take of time; and how many times as fast two processors are to be.
PEAK_MIB, REPORT_S, TWO_PROCESSORS = 600, 1, 1.8

YES, NO = "yes", "NO"

#: The load average for each processor beyond which a machine has other work than what is measured.
_BUSY = 1.5

#: Headings of columns that hold words.
_WORDS = ("loading", "against", "whole book", "what", "with", "target of")


@dataclass(frozen=True)
class Table:
    """Rows of text under their headings; the last cell of each says whether its target is met."""

    heading: Sequence[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class Claim:
    """A ratio with its target, as tables, chart and sentences have it.

    ``seconds`` and ``other_s`` are what both sides took, ``size`` the bytes of ours and
    ``other_size`` those of the other.
    """

    what: str
    against: str
    processors: int
    whole: bool
    ratios: Sequence[float]
    target: float
    seconds: float
    other_s: float
    size: int
    other_size: int

    @property
    def ratio(self) -> float:
        """How many times as fast ours is."""
        return median(self.ratios)

    @property
    def met(self) -> bool:
        """Whether it is what was aimed at."""
        return self.ratio >= self.target


def claims(found: Found) -> list[Claim]:
    """All ratios that were measured against others."""
    return list(_claims(found))


def _claims(found: Found) -> Iterator[Claim]:
    for case in found["cases"]:
        ours, *others = case["tasks"]
        by_label = {each["label"]: each for each in others}
        for each in case["comparisons"]:
            other = by_label[each["against"]]
            yield Claim(
                case["case"], each["against"], case["processors"], case["whole"],
                sorted(each["ratios"]), each["target"], median(ours["seconds"]),
                median(other["seconds"]), ours["bytes"], other["bytes"],
            )  # fmt: skip


def two_processors(found: Found) -> list[Claim]:
    """Each load with all processors against the same with one, models and report with it."""
    loads = [case for case in found["cases"] if not case["whole"]]
    alone = {case["case"]: case for case in loads if case["processors"] == 1}
    return [
        Claim(
            case["case"], "one processor", case["processors"], False,
            sorted(one / more for one, more in zip(_all_s(alone[name]), _all_s(case), strict=True)),
            TWO_PROCESSORS, median(_all_s(case)), median(_all_s(alone[name])), case["bytes"],
            case["bytes"],
        )
        for case in loads
        if case["processors"] > 1 and (name := case["case"]) in alone
    ]  # fmt: skip


def _all_s(case: dict[str, Any]) -> list[float]:
    ours = case["tasks"][0]
    parts = zip(ours["seconds"], ours["models_s"], ours["report_s"], strict=True)
    return [sum(each) for each in parts]


def met(found: Found) -> bool:
    """Whether every target is met."""
    return all(row[-1] == YES for table in tables(found) for row in table.rows)


def tables(found: Found) -> list[Table]:
    """Speed, whole books, processors, reports and memory; those of which anything was measured."""
    every = (_speed(found), _books(found), _processors(found), _reports(found), _memory(found))
    return [table for table in every if table.rows]


def _speed(found: Found) -> Table:
    heading = (
        "loading", "MB", "processors", "s", "MB/s", "against", "MB/s", "ratio", "range", "target",
        "met",
    )  # fmt: skip
    rows = [
        [
            each.what, megabytes(each.size), str(each.processors), f"{each.seconds:.2f}",
            f"{each.size / 1e6 / each.seconds:.0f}", each.against,
            f"{each.other_size / 1e6 / each.other_s:.0f}", *_judged(each),
        ]
        for each in claims(found)
        if not each.whole
    ]  # fmt: skip
    return Table(heading, rows)


def _books(found: Found) -> Table:
    heading = (
        "whole book", "processors", "s", "against", "s", "ratio", "range", "target", "met",
    )  # fmt: skip
    rows = [
        [
            each.what, str(each.processors), f"{each.seconds:.1f}", each.against,
            f"{each.other_s:.1f}", *_judged(each),
        ]
        for each in claims(found)
        if each.whole
    ]  # fmt: skip
    return Table(heading, rows)


def _processors(found: Found) -> Table:
    heading = ("loading", "MB", "with", "s", "with one, s", "ratio", "range", "target", "met")
    rows = [
        [
            each.what, megabytes(each.size), f"{each.processors} processors",
            f"{each.seconds:.2f}", f"{each.other_s:.2f}", *_judged(each),
        ]
        for each in two_processors(found)
    ]  # fmt: skip
    return Table(heading, rows)


def _judged(claim: Claim) -> list[str]:
    return [
        f"{claim.ratio:.2f}", f"{claim.ratios[0]:.2f}–{claim.ratios[-1]:.2f}",
        f"≥ {claim.target:g}", YES if claim.met else NO,
    ]  # fmt: skip


def _reports(found: Found) -> Table:
    rows = []
    for case in found["cases"]:
        if not case["whole"]:
            ours = case["tasks"][0]
            took = median(ours["report_s"])
            rows.append(
                [
                    case["case"], megabytes(case["bytes"]), str(case["processors"]),
                    f"{median(ours['models_s']):.2f}", f"{took:.2f}", f"≤ {REPORT_S}",
                    YES if took <= REPORT_S else NO,
                ]
            )  # fmt: skip
    heading = ("loading", "MB", "processors", "models s", "report s", "target", "met")
    return Table(heading, rows)


def _memory(found: Found) -> Table:
    rows = []
    for case in found["cases"]:
        if not case["whole"]:
            ours, processors = case["tasks"][0], case["processors"]
            largest, together = max(ours["peak_mib"]), max(ours["together_mib"])
            held = max(largest, together) <= PEAK_MIB * processors
            rows.append(
                [
                    case["case"], megabytes(case["bytes"]), str(processors), f"{largest:.0f}",
                    f"{together:.0f}", f"≤ {PEAK_MIB} per processor", YES if held else NO,
                ]
            )  # fmt: skip
    heading = ("loading", "MB", "processors", "largest MiB", "together MiB", "target", "met")
    return Table(heading, rows)


def megabytes(size: int) -> str:
    """A size in bytes, in MB."""
    return f"{size / 1e6:.0f}" if size >= 1e7 else f"{size / 1e6:.1f}"


def text(found: Found) -> str:
    """The tables for a terminal."""
    left_out = [f"left out: {each}" for each in found["left_out"]]
    return "\n\n".join([*map(_aligned, tables(found)), *left_out])


def _aligned(table: Table) -> str:
    widths = [max(map(len, column)) for column in zip(table.heading, *table.rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if name in _WORDS else cell.rjust(width)
            for name, cell, width in zip(table.heading, row, widths, strict=True)
        ).rstrip()
        for row in (table.heading, *table.rows)
    )


def measured(found: Found) -> str:
    """A sentence on when, where and with what it was measured."""
    about = found["conditions"]
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    turns = sorted({len(each["ratios"]) for case in found["cases"] for each in case["comparisons"]})
    often = f"{' or '.join(map(str, turns))} {'turn' if turns == [1] else 'turns'}"
    taken = f"; {often}" if turns else ""
    return f"Measured on {about['date']} on {about['machine']}; {versions}{taken}.{_busy(found)}"


def _busy(found: Found) -> str:
    """What to say of a machine that had other work while it measured; else nothing."""
    loads = [load for case in found["cases"] for task in case["tasks"] for load in task["load"]]
    most = max((case["processors"] for case in found["cases"]), default=1)
    if max(loads, default=0) <= _BUSY * most:
        return ""
    return (
        f" The machine had other work meanwhile, a load of up to {max(loads):.0f} on"
        f" {counted(most, 'processor')}: these numbers say that the benchmark runs, and no more."
    )


def markdown(table: Table) -> str:
    """A table as Markdown."""
    rule = [":--" if name in _WORDS else "--:" for name in table.heading]
    return "".join("| " + " | ".join(row) + " |\n" for row in (table.heading, rule, *table.rows))


def left_out(found: Found) -> str:
    """What was not measured, and why, as a list; empty if there is nothing."""
    return "".join(f"- Left out: {each}\n" for each in found["left_out"])


def of_readme(found: Found) -> str:
    """What stands between the markers of the README."""
    parts = [measured(found) + "\n", *map(markdown, tables(found)), left_out(found)]
    return "\n".join(filter(None, parts))


def put(path: Path, results: str) -> None:
    """Put results between the markers of a page."""
    before, rest = path.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    path.write_text(f"{before}{BEGIN}\n\n{results}\n{END}{after}", encoding="utf-8")


def between(path: Path) -> str:
    """The results that stand between the markers of a page."""
    return path.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0].strip("\n") + "\n"
