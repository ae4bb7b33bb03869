"""Running recorded notebooks once more, by nbval: each output must come out the same."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as Xml
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path

from studybook.errors import StudyBookError
from studybook.process.scratch import scratch
from studybook.text import counted

#: Colours of pytest, as XML holds them.
_COLOUR = re.compile(r"(?:\x1b|#x1B)\[[0-9;]*m")

#: Lines of a difference that are told of a figure.
_MOST_LINES = 12


@dataclass(frozen=True)
class Moved:
    """A figure of which outputs are not those that were recorded.

    ``cells`` are the names of its cells, ``how`` the lines of what nbval says of the first.
    """

    figure: str
    cells: tuple[str, ...]
    how: tuple[str, ...]


def guard(root: Path, notebooks: Mapping[str, Path]) -> list[Moved]:
    """Run notebooks under a strict comparison of their outputs.

    Parameters
    ----------
    root : pathlib.Path
        The project.
    notebooks : mapping
        Id of a figure to its recorded notebook.

    Returns
    -------
    list of Moved
        Empty if every output came out the same.

    Raises
    ------
    StudyBookError
        If nbval could not run.
    """
    names = {path.relative_to(root).as_posix(): id_ for id_, path in notebooks.items()}
    with scratch() as folder:
        report = folder / "report.xml"
        command = [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("-p", "studybook.engine.kernels", "--nbval", "--nbval-current-env"),
            *("--rootdir", str(root), "-o", "junit_family=xunit2"),
            *("-c", os.devnull, "--junit-xml", str(report), *names),
        ]
        done = subprocess.run(  # noqa: S603 - own command, no shell
            command, cwd=root, capture_output=True, text=True, check=False
        )
        if done.returncode not in (0, 1) or not report.is_file():
            said = (done.stdout + done.stderr).strip()[-2000:]
            raise StudyBookError(f"nbval could not run\n{said}\n  → pip install nbval")
        cases = list(Xml.parse(report).iter("testcase"))  # noqa: S314 - written by pytest, for us
    moved: dict[str, Moved] = {}
    for case in cases:
        fault = case.find("failure")
        fault = case.find("error") if fault is None else fault
        if fault is None:
            continue
        figure = next((id_ for name, id_ in names.items() if _of(case, name)), "")
        first = Moved(figure, (), _difference(fault.text or fault.get("message") or ""))
        before = moved.get(figure, first)
        cell = case.get("name", "").removeprefix("Cell ")
        moved[figure] = replace(before, cells=(*before.cells, cell))
    return list(moved.values())


def rows_moved(recorded: Path, now: Path) -> list[str]:
    """The lines by which the rows of a chart differ from those recorded, the first of them."""
    if not (recorded.is_file() and now.is_file()):
        return []
    before, after = (path.read_text(encoding="utf-8").splitlines() for path in (recorded, now))
    lines = [
        line
        for line in unified_diff(before, after, lineterm="", n=0)
        if not line.startswith(("---", "+++", "@@"))
    ]
    more = [f"… and {counted(len(lines) - _MOST_LINES, 'line')} more"]
    if not lines:
        return []
    return [before[0], *lines[:_MOST_LINES], *(more if len(lines) > _MOST_LINES else [])]


def _of(case: Xml.Element, name: str) -> bool:
    """Whether a case is of a notebook: pytest has dots for the slashes of its path."""
    return case.get("classname", "").replace("/", ".") in (
        name.replace("/", "."),
        name.removesuffix(".ipynb").replace("/", "."),
    )


def _difference(text: str) -> tuple[str, ...]:
    lines = [line for line in _COLOUR.sub("", text).splitlines() if line.strip()]
    begin = next((n for n, line in enumerate(lines) if "mismatch" in line or "Error" in line), 0)
    return tuple(line[:200] for line in lines[begin : begin + _MOST_LINES])
