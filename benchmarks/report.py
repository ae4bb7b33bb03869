"""The results: as a table to read, as JSON, and in the README beside this file."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import Case, Measured, rate, ratios

README = Path(__file__).with_name("README.md")

_BEGIN, _END = "<!-- results: written by --readme, not by hand -->", "<!-- end of results -->"

_SPEED = (
    "loading",
    "MB",
    "processors",
    "s",
    "MB/s",
    "against",
    "MB/s",
    "ratio",
    "range",
    "target",
    "met",
)
_MEMORY = (
    "loading", "MB", "processors", "models s", "report s", "largest MiB", "together MiB", "target",
    "met",
)  # fmt: skip


@dataclass(frozen=True)
class Result:
    """A case, as measured with so many processors for each side."""

    case: Case
    processors: int
    measured: Measured


Results = Sequence[Result]
Table = tuple[Sequence[str], list[list[str]]]


def met(results: Results) -> bool:
    """Whether every target is met."""
    return all(row[-1] == "yes" for _, rows in tables(results) for row in rows)


def tables(results: Results) -> tuple[Table, Table]:
    """Speed and memory: headings and rows of text."""
    return (_SPEED, list(_speed(results))), (_MEMORY, list(_memory(results)))


def _speed(results: Results) -> Iterator[list[str]]:
    for result in results:
        case, measured = result.case, result.measured
        ours = measured[case.subject]
        for each in case.comparisons:
            found = ratios(each, measured)
            yield [
                case.title, _megabytes(case), str(result.processors),
                f"{median(ours.seconds):.2f}",
                f"{rate(case.subject, ours):.0f}", each.other.label,
                f"{rate(each.other, measured[each.other]):.0f}", f"{median(found):.2f}",
                f"{found[0]:.2f}–{found[-1]:.2f}", f"≥ {each.target:g}",
                "yes" if median(found) >= each.target else "NO",
            ]  # fmt: skip


def _memory(results: Results) -> Iterator[list[str]]:
    for result in results:
        case, ours = result.case, result.measured[result.case.subject]
        largest, together = max(ours.peak_mib), max(ours.together_mib)
        peak = max(largest, together)
        yield [
            case.title, _megabytes(case), str(result.processors),
            f"{median(ours.models_s):.2f}", f"{median(ours.report_s):.2f}",
            f"{largest:.0f}", f"{together:.0f}",
            f"< {case.peak_mib:g}", "yes" if peak < case.peak_mib else "NO",
        ]  # fmt: skip


def _megabytes(case: Case) -> str:
    size = case.subject.size / 1e6
    return f"{size:.0f}" if size >= 10 else f"{size:.1f}"


def text(results: Results) -> str:
    """The tables for a terminal."""
    return "\n\n".join(_aligned(heading, rows) for heading, rows in tables(results))


def _aligned(heading: Sequence[str], rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(heading, *rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if name in ("loading", "against") else cell.rjust(width)
            for name, cell, width in zip(heading, row, widths, strict=True)
        ).rstrip()
        for row in (heading, *rows)
    )


def conditions(repeat: int) -> dict[str, Any]:
    """When, where and with what it was measured."""
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": f"{_processor()}, {platform.system()} {platform.release()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("studybook", "duckdb", "pyarrow", "numpy")},
        "sysstat": _sysstat(),
        "repeat": repeat,
    }


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{len(models)} × {models[0]}" if models else platform.machine()


def _sysstat() -> str:
    try:
        done = subprocess.run(["sadf", "-V"], capture_output=True, text=True, check=True)  # noqa: S607 - where it is differs by distribution
    except (OSError, subprocess.CalledProcessError):
        return "not installed"
    return done.stdout.split()[2]


def as_json(results: Results, repeat: int) -> dict[str, Any]:
    """Everything that was measured."""
    return {
        "conditions": conditions(repeat),
        "cases": [
            {
                "case": result.case.title,
                "bytes": result.case.subject.size,
                "processors": result.processors,
                "tasks": [
                    {"label": task.label, "bytes": task.size, **asdict(taken)}
                    for task, taken in result.measured.items()
                ],
                "comparisons": [
                    {
                        "against": each.other.label,
                        "ratios": ratios(each, result.measured),
                        "target": each.target,
                    }
                    for each in result.case.comparisons
                ],
            }
            for result in results
        ],
    }


def write_readme(results: Results, repeat: int) -> None:
    """Put the results between the markers of the README."""
    about = conditions(repeat)
    measured = (
        f"Measured on {about['date']} on {about['machine']}; Python {about['python']}, DuckDB"
        f" {about['duckdb']}, pyarrow {about['pyarrow']}, NumPy {about['numpy']}, sysstat"
        f" {about['sysstat']}; {repeat} {'turn' if repeat == 1 else 'turns'}.\n"
    )
    parts = [measured, *(_markdown(heading, rows) for heading, rows in tables(results))]
    before, rest = README.read_text(encoding="utf-8").split(_BEGIN)
    after = rest.split(_END)[1]
    README.write_text(
        f"{before}{_BEGIN}\n\n" + "\n".join(parts) + f"\n{_END}{after}", encoding="utf-8"
    )


def _markdown(heading: Sequence[str], rows: list[list[str]]) -> str:
    left = ("loading", "against")
    rule = [":--" if name in left else "--:" for name in heading]
    return "".join("| " + " | ".join(row) + " |\n" for row in (heading, rule, *rows))
