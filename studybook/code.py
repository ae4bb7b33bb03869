"""Code apart from its comments: what it says, and what it reaches.

Figures and records are stale when the code behind them says something else; a comment, a docstring
or another layout says nothing else.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType

from studybook.memory import recall

#: The library.
LIBRARY = Path(__file__).parent

#: Files of a package that its code reads.
_DATA = (".yml",)


@cache
def code_digest(path: Path) -> str:
    """Hash of what a file says: of Python its code without comments; of others its bytes."""
    content = path.read_bytes()
    if path.suffix != ".py":
        return hashlib.sha256(content).hexdigest()
    return str(recall("code digest", content, lambda: _digest(content)))


@cache
def text_digest(folder: Path) -> str:
    """Hash of all that is written in the Python files of a folder, comments included."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _digest(content: bytes) -> str:
    code = compile(content, "", "exec", dont_inherit=True, optimize=2)
    return hashlib.sha256("\n".join(_said(code)).encode()).hexdigest()


def _said(code: CodeType) -> Iterator[str]:
    """The parts of compiled code that say what it does, wherever in its file it stands."""
    yield repr((code.co_name, code.co_argcount, code.co_kwonlyargcount, code.co_flags))
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars))
    yield code.co_code.hex()
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _said(each)
        else:  # a set has its members in another order in each process
            yield repr(sorted(map(repr, each)) if isinstance(each, frozenset) else each)


@cache
def reach(path: Path) -> frozenset[Path]:
    """The files of the library that a module of it is made of: itself, and all that it imports.

    Tables that lie beside a module of a format (``.yml``) belong to it.
    """
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += _imported(each)
    of_formats = {each.parent for each in found if each.is_relative_to(LIBRARY / "formats")}
    beside = {path for folder in of_formats for path in folder.glob("*.*") if path.suffix in _DATA}
    return frozenset(found | beside)


@cache
def reach_digest(path: Path) -> str:
    """Hash of everything that a module reaches: all of its package, where that is another one."""
    own = [path] if path.is_relative_to(LIBRARY) else _package(path)
    reached = {each for one in own for each in (reach(one) if one.suffix == ".py" else (one,))}
    names = sorted(
        (each.relative_to(LIBRARY if each.is_relative_to(LIBRARY) else top).as_posix(), each)
        for top in [_top(path)]
        for each in reached
    )
    parts = [f"{name} {code_digest(each)}" for name, each in names]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _top(path: Path) -> Path:
    """The folder that holds the package of a module, or the module where it is in none."""
    folder = path.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _package(path: Path) -> list[Path]:
    """The code of the package that a module is in, and tables beside it; the module alone else."""
    if not (path.parent / "__init__.py").is_file():
        return [path]
    top = _top(path)
    package = top / path.relative_to(top).parts[0]
    return sorted(each for each in package.rglob("*") if each.suffix in (".py", *_DATA))


@cache
def _imported(path: Path) -> frozenset[Path]:
    """The files of the library that a module names in its imports, wherever they stand in it."""
    content = path.read_bytes()
    names = recall("names of imports", content, lambda: [*_names(content)])
    return frozenset(file for name in names for file in _files(name))


def _names(content: bytes) -> Iterator[str]:
    """The modules, and things in them, that a module names in its imports."""
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _files(name: str) -> Iterator[Path]:
    """The file of a module of the library, or of the one that has a thing of this name."""
    first, *rest = name.split(".")
    while first == LIBRARY.name and rest:
        place = LIBRARY.joinpath(*rest)
        found = [
            each for each in (place.with_suffix(".py"), place / "__init__.py") if each.is_file()
        ]
        if found:
            yield from found
            return
        rest.pop()
