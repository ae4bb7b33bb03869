"""Formats that are no part of the library: of installed packages, and of the book."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from studybook.errors import StudyBookError
from studybook.formats.contract import ARROW_TYPES, Format
from studybook.plugins import FOLDER, GROUP

_DO = "compare it with “A format of your own” in the docs of the book"


def of_packages() -> Iterator[tuple[Format, Path]]:
    """The formats of installed packages, each with the file that it stands in.

    Raises
    ------
    StudyBookError
        If a package names what is no format, or cannot be imported.
    """
    for entry in entry_points(group=GROUP):
        where = f"the package {entry.dist.name if entry.dist else entry.module}, {entry.value}"
        try:
            given = entry.load()
        except Exception as error:
            raise StudyBookError(
                f"{where}: cannot be imported: {type(error).__name__}: {error}\n"
                "  → update the package, or uninstall it"
            ) from error
        path = Path(sys.modules[entry.module].__file__ or "")
        for each in _checked(given if isinstance(given, list | tuple) else [given], where):
            yield each, path


def of_book(root: Path) -> Iterator[tuple[Format, Path]]:
    """The formats in ``pipelines/formats/`` of a book, each with the file that it stands in.

    Parameters
    ----------
    root : pathlib.Path
        The folder of the book.

    Raises
    ------
    StudyBookError
        If a file there cannot be imported, has no format, or lies elsewhere.
    """
    folder = root / FOLDER
    for path in sorted(folder.glob("*.py")) + sorted(folder.glob("*/__init__.py")):
        if path.name.startswith("_") and path.name != "__init__.py":
            continue
        if not path.resolve().is_relative_to(folder.resolve()):
            raise StudyBookError(
                f"{path}: leads out of {FOLDER.as_posix()}\n  → copy it: only code that lies there"
                " is run"
            )
        module = _module(path)
        given = list(getattr(module, "FORMATS", []))
        given += [module.FORMAT] if hasattr(module, "FORMAT") else []
        if not given:
            raise StudyBookError(f"{path}: has neither FORMAT nor FORMATS\n  → {_DO}")
        for each in _checked(given, str(path)):
            yield each, path


def _module(path: Path) -> ModuleType:
    is_package = path.name == "__init__.py"
    stem = path.parent.name if is_package else path.stem
    name = f"book_{hashlib.sha256(str(path.parent).encode()).hexdigest()[:8]}_{stem}"
    spec = importlib.util.spec_from_file_location(
        name, path, submodule_search_locations=[str(path.parent)] if is_package else None
    )
    if spec is None or spec.loader is None:
        raise StudyBookError(f"{path}: cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        line = _line_in(error, path)
        raise StudyBookError(
            f"{path}{f', line {line}' if line else ''}: cannot be imported:"
            f" {type(error).__name__}: {error}\n  → {_DO}"
        ) from error
    return module


def _line_in(error: Exception, path: Path) -> int | None:
    """The line of a file at which an error arose."""
    if isinstance(error, SyntaxError):
        return error.lineno
    found, step = None, error.__traceback__
    while step:
        if step.tb_frame.f_code.co_filename == str(path):
            found = step.tb_lineno
        step = step.tb_next
    return found


def _checked(given: Iterable[object], where: str) -> Iterator[Format]:
    """Formats that hold to the contract, as far as that can be told without a file."""
    for each in given:
        if not isinstance(each, Format):
            raise StudyBookError(f"{where}: {each!r} is no Format\n  → {_DO}")
        if not each.tables:
            raise StudyBookError(f"{where}: {each.name} has no tables\n  → {_DO}")
        for table in each.tables:
            fault = ""
            if not table.name.startswith(f"{each.source}_"):
                fault = f"is no name that begins with {each.source}_"
            elif "line" not in table.columns:
                fault = "has no column line, by which each row is found in its file"
            elif odd := sorted({*table.columns.values()} - {*ARROW_TYPES}):
                fault = f"has columns of {', '.join(odd)}; known: {', '.join(ARROW_TYPES)}"
            if fault:
                raise StudyBookError(f"{where}: the table {table.name} {fault}\n  → {_DO}")
        yield each


def together(
    library: Iterable[Format], plugged: Iterable[tuple[Format, Path]]
) -> list[tuple[Format, Path | None]]:
    """All formats in the order of their names, with the file of those that were plugged in.

    Raises
    ------
    StudyBookError
        If one has the name of another, or a table that another has otherwise.
    """
    found: dict[str, tuple[Format, Path | None]] = {each.name: (each, None) for each in library}
    tables = {table.name: table for each, _ in found.values() for table in each.tables}
    for each, path in plugged:
        if each.name in found:
            raise StudyBookError(
                f"{path}: there is another format of the name {each.name}\n  → give it another name"
            )
        for table in each.tables:
            if tables.setdefault(table.name, table) != table:
                raise StudyBookError(
                    f"{path}: there is another table of the name {table.name}\n"
                    "  → give it another name"
                )
        found[each.name] = (each, path)
    return [found[name] for name in sorted(found)]
