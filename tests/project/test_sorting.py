"""Rows that are alike stay in their order, on any machine.

What NumPy and pandas do with them by default depends on the instructions that a processor has: the
first of several rows, and a sum over them, would be another one elsewhere, with the same data.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator

import pytest

from tests.conftest import REPOSITORY

#: Where code stands of which results are kept.
ROOMS = ("studybook", "pipelines", "notebooks", "testbed", "benchmarks")

#: What sorts by a way that may be named.
SORTS = {"sort_values", "sort_index", "argsort"}


def unstable(code: str) -> list[int]:
    """The lines of code that sort by a way that leaves open what becomes of rows that are alike."""
    return [
        call.lineno
        for call in ast.walk(ast.parse(code))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in SORTS
        and not _is_stable(call)
    ]


def _is_stable(call: ast.Call) -> bool:
    by = call.args[0] if call.args else None
    several = isinstance(by, ast.List) and len(by.elts) > 1  # pandas sorts by these in turn
    kinds = [each.value for each in call.keywords if each.arg == "kind"]
    return several or [ast.unparse(kind) for kind in kinds] == ["'stable'"]


def codes() -> Iterator[tuple[str, str]]:
    for room in ROOMS:
        for path in sorted((REPOSITORY / room).rglob("*.py")):
            yield str(path.relative_to(REPOSITORY)), path.read_text(encoding="utf-8")
        for path in sorted((REPOSITORY / room).rglob("*.ipynb")):
            for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
                if cell["cell_type"] == "code":
                    name = f"{path.relative_to(REPOSITORY)}, cell {number}"
                    yield name, "".join(cell["source"])


def test_nothing_is_sorted_as_the_processor_has_it() -> None:
    found = [f"{name}, line {line}" for name, code in codes() for line in unstable(code)]
    assert found == [], "say kind='stable'"


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("a.sort_values('x')", [1]),
        ("a.sort_values(by)\nnumpy.argsort(b)", [1, 2]),
        ("a.sort_values(['x'], ascending=False)", [1]),
        ("a.sort_values('x', kind='quicksort')", [1]),
        ("a.sort_values(['x', 'y'])", []),
        ("a.sort_values('x', kind='stable').sort_index(kind='stable')", []),
    ],
)
def test_what_sorts_so_is_found(code: str, lines: list[int]) -> None:
    assert unstable(code) == lines
