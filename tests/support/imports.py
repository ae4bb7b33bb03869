"""Which module imports which: read from the code, wherever in it the import stands."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path


def imports(root: Path, packages: tuple[str, ...]) -> dict[str, set[str]]:
    """Read what every module of these packages imports of them.

    Imports within a function or below ``if TYPE_CHECKING`` count as any other.

    Parameters
    ----------
    root : pathlib.Path
        The folder that holds the packages.
    packages : tuple of str
        Their names.

    Returns
    -------
    dict of str to set of str
        Dotted name of each module to those of the modules that it imports. A package is the
        module of its ``__init__.py``.
    """
    files = {_dotted(path, root): path for name in packages for path in (root / name).rglob("*.py")}
    found = {}
    for name, path in files.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = {_longest(each, files) for each in _named(tree, package)}
        found[name] = {each for each in named if each} - {name}
    return found


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Find modules that import each other in a circle.

    Returns
    -------
    list of str
        Each is imported by the next, and the last is the first; empty where there is no circle.
    """
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def upwards(graph: dict[str, set[str]], floors: tuple[tuple[str, ...], ...]) -> list[str]:
    """Find imports that do not lead down in a house.

    Parameters
    ----------
    graph : dict
        As :func:`imports` gives it.
    floors : tuple of tuple of str
        The rooms from the ground up: packages or modules. Those of one floor do not know each
        other; on the ground floor they do.

    Returns
    -------
    list of str
        One line for each import, and for each module that is in no room.
    """
    level = {room: number for number, floor in enumerate(floors) for room in floor}
    faults = []
    for module, used in graph.items():
        here = _longest(module, level)
        if not here:
            faults.append(f"{module} is in no room: give its room a floor")
            continue
        for other in used:
            there = _longest(other, level)
            down = there and (level[there] < level[here] or level[there] == 0)
            if there and there != here and not down:
                faults.append(f"{module} imports {other}")
    return sorted(faults)


def _dotted(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def _longest(name: str, known: Collection[str]) -> str:
    """Return the module or room that a dotted name leads into; nothing where there is none."""
    parts = name.split(".")
    names = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((each for each in names if each in known), "")


def _named(tree: ast.Module, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package.split(".")[: -(node.level - 1) or None] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)
