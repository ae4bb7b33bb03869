"""The registry of raw formats: which there are, by their names."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

from studybook.code import text_digest
from studybook.formats.contract import Format
from studybook.formats.mapped import MAPPED
from studybook.formats.plugged import of_book, of_packages, together
from studybook.memory import recall
from studybook.plugins import book

#: Where the formats of the library lie.
FOLDER = Path(__file__).parent


def all_formats() -> tuple[Format, ...]:
    """Every format that is recognised by content, in alphabetical order of its name.

    Those of the library, of installed packages, and of the book that this process works on.

    Raises
    ------
    StudyBookError
        If a format that is no part of the library cannot be had.
    """
    return _known(book())


def plugged_in(name: str) -> Path | None:
    """The file of a format that is no part of the library; None of all others."""
    return {each.name: path for each, path in _plugged(book())}.get(name)


def plugged_files() -> list[Path]:
    """The files of all formats that are no part of the library."""
    return sorted({path for _, path in _plugged(book())})


@cache
def _known(root: Path | None) -> tuple[Format, ...]:
    found = together([*_of_library(), *MAPPED], _plugged(root))
    return tuple(each for each, _ in found if each not in MAPPED)


@cache
def _plugged(root: Path | None) -> tuple[tuple[Format, Path], ...]:
    return (*of_packages(), *(of_book(root) if root else ()))


@cache
def _of_library() -> tuple[Format, ...]:
    return tuple(each for info in pkgutil.iter_modules([str(FOLDER)]) for each in _in(info.name))


def _in(tool: str) -> tuple[Format, ...]:
    """The formats of a tool of the library; none of a module that helps others."""
    module = importlib.import_module(f"{__package__}.{tool}")
    own = [module.FORMAT] if hasattr(module, "FORMAT") else []
    return (*getattr(module, "FORMATS", ()), *own)


class Summary(NamedTuple):
    """What is said of a format of the library without importing it."""

    tool: str
    source: str
    reader: str
    title: str
    certainty: str
    tables: list[str]

    @classmethod
    def of(cls, each: Format, tool: str) -> Summary:
        """The summary of a format."""
        reader = _reader(each, tool).relative_to(FOLDER).as_posix() if tool else ""
        tables = [table.name for table in each.tables]
        return cls(tool, each.source, reader, each.title, each.certainty, tables)


@cache
def _kept() -> dict[str, Summary]:
    """The formats of the library: importing all takes longer than many a command has to do."""

    def work_out() -> dict[str, Summary]:
        tools = [info.name for info in pkgutil.iter_modules([str(FOLDER)])]
        return {each.name: Summary.of(each, tool) for tool in tools for each in _in(tool)}

    kept = recall("summaries of formats", text_digest(FOLDER).encode(), work_out)
    return {name: Summary(*each) for name, each in kept.items()}


def summaries() -> dict[str, Summary]:
    """All formats that are recognised by content, in alphabetical order of their names."""
    own = {each.name: Summary.of(each, "") for each, _ in _plugged(book())}
    return dict(sorted((_kept() | own).items()))


def every_format() -> tuple[Format, ...]:
    """Every format that can be read: those that are recognised, and tables that are mapped."""
    return (*all_formats(), *MAPPED)


def known_names() -> set[str]:
    """The names of all formats that can be read."""
    others = [*(each for each, _ in _plugged(book())), *MAPPED]
    return {*_kept(), *(each.name for each in others)}


def named(name: str) -> Format:
    """The format of a name that is known."""
    return _named(name, book())


@cache
def _named(name: str, _of_book: Path | None) -> Format:
    of_library = name in _kept() and not _plugged(book())
    known = _in(_kept()[name].tool) if of_library else every_format()
    return next(each for each in known if each.name == name)


def source_of(name: str) -> str:
    """The source of a format that is known."""
    return _kept()[name].source if name in _kept() else named(name).source


def reader_file(name: str) -> Path:
    """The module that reads a format, and names in its imports all that it is made of.

    That of the tool, where its rules are read by a module that others share.
    """
    if name in _kept():
        return FOLDER / _kept()[name].reader
    return plugged_in(name) or _reader(named(name), "mapped")


def _reader(form: Format, tool: str) -> Path:
    module, package = form.read.__module__, f"{__package__}.{tool}"
    of_tool = f"{module}.".startswith(f"{package}.")
    return Path(str(sys.modules[module if of_tool else package].__file__))
