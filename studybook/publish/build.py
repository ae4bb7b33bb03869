"""Building the book with Jupyter Book, and whether it needs building."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from studybook.code import LIBRARY, code_digest
from studybook.dataset.paths import DataSet, usual_data_set
from studybook.engine.notebooks import Notebook
from studybook.engine.outputs import expected_outputs, read_record
from studybook.engine.stale import differences
from studybook.errors import StudyBookError
from studybook.memory import content_sha256
from studybook.publish.lighten import lighten
from studybook.publish.names import give_names
from studybook.records import store
from studybook.study.provenance import stack_versions

_WARNING = re.compile(r"(WARNING|ERROR|CRITICAL): ")
#: What the system refused while pages were written; of some of it Sphinx only warns.
_NOT_WRITTEN = re.compile(r"\bOSError\(\d+|\[Errno \d+\]")
#: The line of a traceback that says what went wrong.
_ERROR = re.compile(r"^(?:[\w.]+Error|[\w.]+Exception): .*", re.MULTILINE)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")

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
    """

    warnings: tuple[str, ...]
    failed: tuple[str, ...]
    as_before: bool = False


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
    from studybook.publish.stage import stage

    source, work = data_set.build / "source", data_set.build / "work"
    drawings, begun = data_set.build / "drawings", time.time()
    os.environ[DRAWINGS_VARIABLE] = str(drawings)  # for this process, and for Sphinx
    records = stage(data_set, chosen, source, sections())
    failed = tuple(record.id for record in records if record.state == "failed")
    noted = {"follows": follows, "staged": _staged(source), "failed": failed}
    if not force and made and made.get("staged") == noted["staged"] and _is_whole(data_set, made):
        _note(data_set, chosen, noted, made["files"])
        return Result((), failed, as_before=True)
    making()
    # Pages of an earlier build would stay, though nothing leads to them.
    shutil.rmtree(work, ignore_errors=True)
    log = data_set.build / "book.log"
    command = [
        # Beside this Python: the one on the PATH may be another.
        str(Path(sys.executable).with_name("jupyter-book")),
        *("build", str(source), "--path-output", str(work), "--toc", str(source / "book/_toc.yml")),
        *("--warningiserror", "--keep-going", "--all", "--quiet"),
    ]
    environment = os.environ | {
        "PYTHONWARNINGS": "ignore",
        "JUPYTER_PLATFORM_DIRS": "1",
        # The look of the charts is that of this package, wherever another one is installed.
        "PYTHONPATH": str(LIBRARY.parent),
    }
    done = subprocess.run(  # noqa: S603 - own command, no shell
        command, capture_output=True, text=True, env=environment, check=False, cwd=data_set.root
    )
    output = _COLOUR.sub("", done.stdout + done.stderr)
    log.write_text(output, encoding="utf-8")
    html = work / "_build/html"
    if lost := [line for line in output.splitlines() if _NOT_WRITTEN.search(line)]:
        raise StudyBookError(
            f"Jupyter Book could not write all pages: {lost[-1].strip()}\nthe pages are as they"
            f" were before\n  → make room on the disk, and build the book again; see {log}"
        )
    if not (html / "index.html").is_file():
        said = _ERROR.findall(output) or [line for line in output.splitlines() if line.strip()]
        why = f": {said[-1].strip()}" if said else ""
        raise StudyBookError(f"Jupyter Book made no pages{why}\n  → see {log}")
    warnings = tuple(line for line in output.splitlines() if _WARNING.search(line))
    if done.returncode and not warnings:
        warnings = (f"Jupyter Book ended with {done.returncode}: see {log}",)
    keep_used(drawings, begun)
    lighten(html)
    give_names(html)
    _replace_tree(html, data_set.html)
    _inputs_file(data_set).unlink(missing_ok=True)
    if not warnings:
        _note(data_set, chosen, noted, _built(data_set))
    return Result(warnings, failed)


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
    parts += [f"{name} {version}" for name, version in stack_versions().items()]
    parts += [store.digest_noted(data_set.database), usual_data_set(root)]
    parts += [figure.id for figure in chosen]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _staged(source: Path) -> str:
    """Hash of all that Jupyter Book makes pages from: their source, our code in it, and itself."""
    files = sorted(path for path in source.rglob("*") if path.is_file())
    parts = [f"{path.relative_to(source).as_posix()} {content_sha256(path)}" for path in files]
    parts += [f"{name} {digest}" for name, digest in _of_library().items()]
    parts += [f"{name} {version}" for name, version in stack_versions().items()]
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
    return dict(sorted((found | _of_library()).items()))


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
