"""Building the book with Jupyter Book, and whether it needs building."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from studybook.code import LIBRARY, code_digest, reach_digest
from studybook.dataset.paths import DataSet, usual_data_set
from studybook.engine.notebooks import Notebook
from studybook.engine.outputs import expected_outputs, read_record
from studybook.engine.stale import differences
from studybook.memory import content_sha256
from studybook.publish.explore import package
from studybook.records import store

#: What a team writes of a book, beside its raw files: folders below its own.
OF_BOOK = ("book", "data/published", "notebooks", "pipelines")


@dataclass(frozen=True)
class Result:
    """The outcome of a build.

    Attributes
    ----------
    warnings : tuple of str
        What Sphinx complained of.
    failed : tuple of str
        The ids of figures that failed.
    as_before : bool
        Whether the pages are those of the build before, as nothing of which they are made has
        changed.
    made, pages : int
        The number of pages that were made, and of all that there are.
    """

    warnings: tuple[str, ...]
    failed: tuple[str, ...]
    as_before: bool = False
    made: int = 0
    pages: int = 0


def build(
    data_set: DataSet,
    chosen: Sequence[Notebook],
    sections: Callable[[], Mapping[str, Callable[[], str]]],
    *,
    force: bool = False,
    making: Callable[[], object] = lambda: None,
) -> Result:
    """Build the book from the data set's executed notebooks; nothing is executed here.

    Where the source of the pages is what it was, and so are the pages, they stay.

    Parameters
    ----------
    data_set : DataSet
        The data set.
    chosen : sequence of Notebook
        The figures that belong into its book.
    sections : callable
        What takes the place of further markers in its pages; not called where no page is made.
    force : bool
        Whether the pages are made in any case.
    making : callable, optional
        Called before pages are made; not where they stay.

    Raises
    ------
    StudyBookError
        If Jupyter Book made no pages; its output is named.
    """
    follows, made = _follows(data_set, chosen), _made(data_set)
    if not force and made and made.get("follows") == follows and _is_whole(data_set, made):
        return Result((), tuple(made["failed"]), as_before=True)
    # With libraries that only building needs.
    from studybook.charts.page import DRAWINGS_VARIABLE, keep_used
    from studybook.publish.pages import make_pages
    from studybook.publish.stage import stage

    source, work = data_set.build / "source", data_set.build / "work"
    drawings, begun = data_set.build / "drawings", time.time()
    os.environ[DRAWINGS_VARIABLE] = str(drawings)  # for this process, and for all that it starts
    records = stage(data_set, chosen, source, sections())
    failed = tuple(record.id for record in records if record.state == "failed")
    made_of = _made_of(source)
    noted = {"follows": follows, "staged": _digest(map(str, made_of.items())), "failed": failed}
    if not force and made and made.get("staged") == noted["staged"] and _is_whole(data_set, made):
        shutil.rmtree(source)
        _note(data_set, chosen, noted, made["files"])
        return Result((), failed, as_before=True)
    making()
    pages = make_pages(source, made_of, work, data_set.build / "book.log")
    if pages.anew:
        keep_used(drawings, begun)
    _put_beside(work / "source", pages.html)
    _replace_tree(pages.html, data_set.html)
    _inputs_file(data_set).unlink(missing_ok=True)
    if not pages.warnings:
        _note(data_set, chosen, noted, _built(data_set))
    return Result(pages.warnings, failed, made=pages.made, pages=pages.there)


def _follows(data_set: DataSet, chosen: Sequence[Notebook]) -> str:
    """Hash of all that the source of the pages could follow from: it is not even laid out then.

    That is more than any page does, so that nothing has to know what each depends on.
    """
    root = data_set.root
    places = (*(root / name for name in OF_BOOK), LIBRARY)
    files = {path for place in places for path in place.rglob("*") if path.is_file()}
    files = {path for path in files if path.suffix != ".pyc"}
    parts = [f"{path} {content_sha256(path)}" for path in sorted(files)]
    parts += [f"{name} {digest}" for name, digest in _inputs(data_set, chosen).items()]
    parts += [_libraries(), store.digest_noted(data_set.database), usual_data_set(root)]
    return _digest([*parts, *(figure.id for figure in chosen)])


def _made_of(source: Path) -> dict[str, str]:
    """Hash of all that pages are made of: their source, our code in Sphinx, and all libraries."""
    files = sorted(path for path in source.rglob("*") if path.is_file())
    found = {path.relative_to(source).as_posix(): content_sha256(path) for path in files}
    code = [reach_digest(LIBRARY / name) for name in ("charts/sphinx.py", "publish/sphinx.py")]
    return found | _of_library() | {"code": _digest(code), "libraries": _libraries()}


@cache
def _libraries() -> str:
    """Hash of the names and versions of all packages of this Python: Sphinx runs some of them."""
    folders = {Path(place) for place in sys.path if place}
    names = sorted(path.name for folder in folders for path in folder.glob("*.dist-info"))
    return _digest([sys.version, *names])


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _is_whole(data_set: DataSet, made: Mapping[str, Any]) -> bool:
    """Whether the pages are there as they were built; what others put beside them is theirs."""
    return bool(made["files"] == _built(data_set, made["files"]))


def _note(
    data_set: DataSet,
    chosen: Sequence[Notebook],
    said: Mapping[str, Any],
    files: Mapping[str, str],
) -> None:
    """Note what the pages were made from, and what they are."""
    made = {"from": _inputs(data_set, chosen), "files": files, **said}
    _inputs_file(data_set).write_text(json.dumps(made, indent=1), encoding="utf-8")


def _made(data_set: DataSet) -> dict[str, Any] | None:
    """What was noted of the pages; None where nothing was, or it cannot be read."""
    try:
        made = json.loads(_inputs_file(data_set).read_text(encoding="utf-8"))
        dict(made["from"]), dict(made["files"])
    except (OSError, ValueError, TypeError, KeyError):  # cut, or of another version
        return None
    return dict(made)


def edition(data_set: DataSet) -> str:
    """What differs once other pages have taken the place of those that there are."""
    try:
        there = data_set.html.stat()
    except OSError:  # just now, they do
        return ""
    return f"{there.st_ino}-{there.st_ctime_ns}"


def _put_beside(source: Path, html: Path) -> None:
    """Put the files beside the pages that one of them loads when it is asked."""
    from studybook.publish.explore.page import FOLDER

    shutil.rmtree(html / FOLDER, ignore_errors=True)
    if (source / FOLDER).is_dir():
        shutil.copytree(source / FOLDER, html / FOLDER)


def _replace_tree(new: Path, target: Path) -> None:
    fresh, old = target.with_name("html.new"), target.with_name("html.old")
    for path in (fresh, old):
        shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(new, fresh)
    if target.exists():
        target.replace(old)
    fresh.replace(target)
    shutil.rmtree(old, ignore_errors=True)


def book_reasons(data_set: DataSet, chosen: Sequence[Notebook], stale: list[str]) -> list[str]:
    """Why the book is not what building would make of its pages and figures now.

    Parameters
    ----------
    data_set : DataSet
        The data set.
    chosen : sequence of Notebook
        The figures that belong into its book.
    stale : list of str
        Figures, or the database, that are stale themselves.

    Returns
    -------
    list of str
        Empty if the book is up to date.
    """
    made = _made(data_set)
    if not data_set.html.is_dir() or made is None:
        return ["never built"]
    reasons = [f"{name} is stale" for name in stale]
    reasons += differences("page", made["from"], _inputs(data_set, chosen))
    return reasons + differences("built file", made["files"], _built(data_set, made["files"]))


def _inputs_file(data_set: DataSet) -> Path:
    return data_set.build / "book.json"


def _built(data_set: DataSet, names: Iterable[str] | None = None) -> dict[str, str]:
    """Content hash of files of the built book, by their names in it; all by default."""
    html = data_set.html
    if names is None:
        names = sorted(p.relative_to(html).as_posix() for p in html.rglob("*") if p.is_file())
    return {name: content_sha256(html / name) for name in names if (html / name).is_file()}


def _inputs(data_set: DataSet, chosen: Sequence[Notebook]) -> dict[str, str]:
    """Content hash of everything that goes into the book, by its name in the project."""
    root = data_set.root
    files = [(root / "_config.yml", root)]
    for folder in (root / "book", data_set.load_reports):
        files += [(path, root) for path in folder.rglob("*.*")]
    for figure in chosen:
        files.append((data_set.notebooks / f"{figure.id}.ipynb", root))
        if record := read_record(data_set, figure.id):
            files += [(path, root) for path in expected_outputs(data_set, record)]
    found = {
        str(path.relative_to(base)): content_sha256(path) for path, base in files if path.is_file()
    }
    explored = {"DuckDB for browsers": package.VERSION} if package.is_there() else {}
    return dict(sorted((found | _of_library() | explored).items()))


@cache
def _of_library() -> dict[str, str]:
    """Content hash of our code that pages go through, by its name in the project."""
    # The package may be installed elsewhere than in the project.
    files = [path for name in ("publish", "charts") for path in (LIBRARY / name).glob("*.*")]
    return {
        str(path.relative_to(LIBRARY.parent)): code_digest(path)
        if path.suffix == ".py"
        else content_sha256(path)
        for path in sorted(files)
    }
