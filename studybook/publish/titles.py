"""Titles that tell the pages of a staged book apart.

Studies are asked the same things: each has a page of its claims. At the side, in a search and in
the tab of a browser it would have the name of three others; so the study stands behind it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from studybook.engine.outputs import Record
from studybook.publish.notebook import write_notebook


def tell_apart(
    target: Path, records: Sequence[Record], name_of: Callable[[str], str]
) -> list[Record]:
    """Name the study in the titles of its pages that others have as well.

    Parameters
    ----------
    target : pathlib.Path
        The staged book: pages below ``book/<study>`` and ``notebooks/<study>``, written anew.
    records : sequence of Record
        Its figures.
    name_of : callable
        Gives the name of a study for readers.

    Returns
    -------
    list of Record
        The figures, with their titles as they are now.
    """
    pages = {path: _title(path) for path in _pages(target)}
    number = Counter(pages.values())
    named = dict[str, str]()
    for path, title in pages.items():
        folder, *study, _ = path.relative_to(target).parts
        if number[title] > 1 and study:
            name = name_of(study[0])
            said = f"{title} ({name})" if title.endswith("?") else f"{title}: {name}"
            _write(path, said)
            named[path.relative_to(target / folder).with_suffix("").as_posix()] = said
    return [replace(each, title=named.get(each.id, each.title)) for each in records]


def _pages(target: Path) -> list[Path]:
    return [*sorted(target.glob("book/**/*.md")), *sorted(target.glob("notebooks/**/*.ipynb"))]


def _title(path: Path) -> str:
    return _first_cell(path).partition("\n")[0].removeprefix("# ").strip()


def _first_cell(path: Path) -> str:
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    source: str | list[str] = json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"]
    return "".join(source)


def _write(path: Path, title: str) -> None:
    _, _, rest = _first_cell(path).partition("\n")
    if path.suffix == ".md":
        path.write_text(f"# {title}\n{rest}", encoding="utf-8")
        return
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["cells"][0]["source"] = f"# {title}\n{rest}"
    write_notebook(notebook, path)
