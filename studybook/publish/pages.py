"""Having Jupyter Book make pages from a staged source: all, or those that a change concerns.

What Sphinx has read stays beside the pages, and it makes those anew whose source is younger; what
a page takes of others, our extension tells it (:mod:`studybook.publish.others`). All are made from
nothing where something else than the text of pages and what they offer for download has changed,
such as which pages there are, their contents, the configuration, our code or a library; and after
a build that was broken off, or that had something to complain of: Sphinx does not say it twice.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import time
import traceback
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from warnings import catch_warnings, simplefilter

from jupyter_book.sphinx import build_sphinx

from studybook.errors import StudyBookError
from studybook.publish.lighten import lighten
from studybook.publish.names import give_names

_WARNING = re.compile(r"(WARNING|ERROR|CRITICAL): ")
#: What the system refused while pages were written; of some of it Sphinx only warns.
_NOT_WRITTEN = re.compile(r"\bOSError\(\d+|\[Errno \d+\]")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")

#: What may change in a source without all being made anew: pages, and folders of what they load.
_PAGES, _LOADED = (".md", ".ipynb"), ("figures/", "explore/")


@dataclass(frozen=True)
class Pages:
    """What was made.

    Attributes
    ----------
    html : pathlib.Path
        The folder of the pages.
    anew : bool
        Whether all of them were made.
    warnings : tuple of str
        What was complained of.
    made, there : int
        The number of pages that were made now, and of all that there are.
    """

    html: Path
    anew: bool
    warnings: tuple[str, ...]
    made: int
    there: int


def make_pages(source: Path, made_of: Mapping[str, str], work: Path, log: Path) -> Pages:
    """Make pages from a source.

    Parameters
    ----------
    source : pathlib.Path
        The staged source; it is moved below the next folder.
    made_of : mapping
        Hash of each of its files by its name there, and of all else that pages are made of.
    work : pathlib.Path
        What Sphinx works with, from one time to the next.
    log : pathlib.Path
        Where to write what it says.

    Raises
    ------
    StudyBookError
        If there are no pages, or not all.
    """
    kept, html, noted = work / "source", work / "_build/html", work / "made_of.json"
    changed = pages_changed(noted, made_of)
    if changed:
        noted.unlink()
        for name in changed:
            (source / name).replace(kept / name)
        shutil.rmtree(source)
        # Made at the end of a build: from nothing, no page has a checksum of it in its address.
        for path in (html / "_static").glob("mystnb.*.css"):
            path.unlink()
    else:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        source.replace(kept)
    before = _pages_in(html)
    ended, said = _run_sphinx(kept, html)
    log.write_text(said, encoding="utf-8")
    lines = said.splitlines()
    if lost := [line for line in lines if _NOT_WRITTEN.search(line)]:
        raise StudyBookError(
            f"Jupyter Book could not write all pages: {lost[-1].strip()}\nthe pages are as they"
            f" were before\n  → make room on the disk, and build the book again; see {log}"
        )
    if isinstance(ended, BaseException) or not (html / "index.html").is_file():
        raise StudyBookError(f"Jupyter Book made no pages: {ended}\n  → see {log}")
    warnings = [line for line in lines if _WARNING.search(line)]
    if ended and not warnings:
        warnings = [f"Jupyter Book ended with {ended}: see {log}"]
    now = _pages_in(html)
    made = {path for path, state in now.items() if state != before.get(path)}
    lighten(html, made)
    give_names(made)
    if not warnings:
        noted.write_text(json.dumps(made_of), encoding="utf-8")
    return Pages(html, not changed, tuple(warnings), len(made), len(now))


def _pages_in(html: Path) -> dict[Path, tuple[int, int]]:
    """The pages in a folder, and what tells whether Sphinx has made them since."""
    # What lies in _static are templates of the theme.
    pages = (path for path in html.rglob("*.html") if path.parts[len(html.parts)] != "_static")
    stats = {path: path.stat() for path in pages}
    return {path: (stat.st_mtime_ns, stat.st_ino) for path, stat in stats.items()}


def pages_changed(noted: Path, made_of: Mapping[str, str]) -> list[str]:
    """The pages and downloads that are others; none where all must be made from nothing.

    Parameters
    ----------
    noted : pathlib.Path
        What pages were made of, if their build came to its end.
    made_of : mapping
        What they are to be made of.
    """
    try:
        before = json.loads(noted.read_text(encoding="utf-8"))
        # Sphinx goes by the times of files: the clock must not have been set back meanwhile.
        if before.keys() != made_of.keys() or noted.stat().st_mtime > time.time():
            return []
    except (OSError, ValueError, AttributeError):  # broken off, or cut
        return []
    changed = [name for name, digest in made_of.items() if before[name] != digest]
    good = all(name.endswith(_PAGES) or name.startswith(_LOADED) for name in changed)
    return changed if good else []


def _run_sphinx(source: Path, html: Path) -> tuple[int | BaseException, str]:
    """Run Sphinx as ``jupyter-book build`` does; how it ended, and what it said.

    It does so in this process, which has most of the libraries that it needs.
    """
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said), catch_warnings():
        simplefilter("ignore")
        try:
            ended = build_sphinx(
                source,
                html,
                noconfig=True,
                path_config=source / "_config.yml",
                confoverrides={
                    "external_toc_path": (source / "book/_toc.yml").as_posix(),
                    "latex_individualpages": False,
                },
                quiet=True,
                warningiserror=True,
                keep_going=True,
            )
        except Exception as error:  # what it says of settings that it cannot take
            ended = error
    if isinstance(ended, BaseException):
        said.writelines(traceback.format_exception(ended))
    return ended, _COLOUR.sub("", said.getvalue())
