"""What was measured, as JSON: the file ``results.json``, from which all tables are written."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.measure import Case, Measured, ratios
from benchmarks.tools import VERSIONS

FILE = Path(__file__).with_name("results.json")

#: What was measured, as it stands in the file.
Found = dict[str, Any]


@dataclass(frozen=True)
class Result:
    """A case, as measured with so many processors for each side."""

    case: Case
    processors: int
    measured: Measured


def conditions() -> Found:
    """When, where and with what it was measured."""
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": f"{_processor()}, {platform.system()} {platform.release()}",
        "versions": {
            "Python": platform.python_version(),
            **{
                title: version(name)
                for title, name in (
                    ("studybook", "studybook"), ("DuckDB", "duckdb"), ("pyarrow", "pyarrow"),
                    ("NumPy", "numpy"), ("pandas", "pandas"), ("papermill", "papermill"),
                    ("jupyter-book", "jupyter-book"), ("jupyter-cache", "jupyter-cache"),
                )
            },
            **VERSIONS,
            "sysstat": _sysstat(),
        },
    }  # fmt: skip


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


def as_json(results: Sequence[Result], left_out: Sequence[str] = ()) -> Found:
    """Everything that was measured.

    Parameters
    ----------
    results : sequence of Result
        The cases.
    left_out : sequence of str
        The cases that were not measured, and why.
    """
    of_cases = dict.fromkeys(each for result in results for each in result.case.left_out)
    return {
        "conditions": conditions(),
        "left_out": [*left_out, *of_cases],
        "cases": [
            {
                "case": result.case.title,
                "whole": result.case.whole,
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


def write(found: Found, path: Path = FILE) -> None:
    """Write what was measured into a file."""
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read(path: Path = FILE) -> Found:
    """What was measured when the file was written."""
    found: Found = json.loads(path.read_text(encoding="utf-8"))
    return found
