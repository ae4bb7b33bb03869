"""Whole books, cold: one as this project makes it, and the same notebooks for the tools of others.

The others get plain notebooks, none of them run, with parameters written in, and a book that
``jupyter-book`` renders without a part of this project: the chapters as they are, the same table of
contents, and no extension of ours.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat
import yaml

from benchmarks.measure import REPOSITORY
from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import REFERENCE, DataSet
from studybook.engine.notebooks import ALL, Notebook, figures, figures_of, load_notebook
from studybook.publish.leave_out import leave_out

#: What a book consists of, raw data apart.
_PARTS = ("_config.yml", "book", "data/published", "notebooks", "pipelines")
_OURS = "studybook."
#: Left out of a book of some figures: the studies of thousands of files, which take most of the
#: time to load, and the one that only figures of the library are of.
_LARGE = ("ecm-scaleout", "filenet-p8", "exports")
#: Left out of the whole book: of one run, a figure of two lacks data. This project says so on its
#: page; others stop.
_LACKING = ("exports",)
#: The figure of each study on which its chapters rest.
_NEEDED = "claims"


def reference(folder: Path, count: int) -> Path:
    """Copy the reference book.

    Parameters
    ----------
    folder : pathlib.Path
        Where to; made here.
    count : int
        How many figures to take, of the smaller studies; where it is 0, all of the studies that
        lack no data.

    Returns
    -------
    pathlib.Path
        The folder.
    """
    for part in _PARTS:
        source, target = REPOSITORY / part, folder / part
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    raw = Path("data/raw", REFERENCE)
    shutil.copytree(REPOSITORY / raw, folder / raw)
    left = _LARGE if count else _LACKING
    for study in left:
        shutil.rmtree(folder / raw / study)
        shutil.rmtree(folder / "notebooks" / study, ignore_errors=True)
    leave_out({*left, "exports.md"}, folder)
    if count:
        _keep(folder, count)
    return folder


def _keep(root: Path, count: int) -> None:
    """Leave only so many figures in a book, with the studies that they are of."""
    there = figures(root)
    needed = [each for each in there if each.path.stem == _NEEDED]
    others = [each for each in there if each.path.stem != _NEEDED]
    more = max(0, min(count - len(needed), len(others)))
    kept = [*needed, *(others[place * len(others) // more] for place in range(more))]
    gone = {each.id for each in there} - {each.id for each in kept}
    for id_ in gone:
        (root / f"notebooks/{id_}.ipynb").unlink()
    leave_out({f"{id_.split('/')[1]}.ipynb" for id_ in gone}, root)  # what leads there
    contents = root / "book/_toc.yml"
    stay = _without(yaml.safe_load(contents.read_text(encoding="utf-8")), gone)
    contents.write_text(yaml.safe_dump(stay, sort_keys=False), encoding="utf-8")


def _without(entry: Any, gone: set[str]) -> Any:
    """A table of contents without the pages of some figures."""
    if isinstance(entry, list):
        stay = (each for each in entry if each.get("file", "")[len("notebooks/") :] not in gone)
        return [found for each in stay if (found := _without(each, gone))]
    if not isinstance(entry, dict):
        return entry
    found = {name: _without(value, gone) for name, value in entry.items()}
    found = {name: value for name, value in found.items() if value != []}
    return found if set(found) - {"caption"} else None


def empty(folder: Path) -> Path:
    """Write an empty book into a folder, as a user begins one; the folder."""
    call = [sys.executable, "-m", "studybook", "new", "A service", str(folder)]
    subprocess.run(call, check=True, capture_output=True)  # noqa: S603 - our own
    return folder


def plain(root: Path, folder: Path) -> Path:
    """The same notebooks as those of a book, and its chapters, for ``jupyter-book`` alone.

    Parameters
    ----------
    root : pathlib.Path
        The book.
    folder : pathlib.Path
        Where to; made here.

    Returns
    -------
    pathlib.Path
        The folder.
    """
    shutil.copytree(root / "book", folder / "book", ignore=shutil.ignore_patterns("_toc.yml"))
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    extensions = config["sphinx"]["config"]["extensions"]
    config["sphinx"]["config"]["extensions"] = [x for x in extensions if not x.startswith(_OURS)]
    (folder / "_config.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
    data_set = DataSet(REFERENCE, root)
    inventory = take_inventory(data_set)
    chosen = figures_of(inventory)
    for each in chosen:
        parameters = {"data_set": REFERENCE, **each.given}
        _write(each, parameters, folder / f"notebooks/{each.id}.ipynb")
    load = load_notebook(root)
    for source in ("", *inventory.sources()):
        parameters = {"data_set": REFERENCE, "source": source}
        _write(load, parameters, folder / f"pipelines/load/{source or ALL}.ipynb")
    contents = yaml.safe_load((root / "book/_toc.yml").read_text(encoding="utf-8"))
    _list_all(contents, chosen)
    (folder / "_toc.yml").write_text(yaml.safe_dump(contents, sort_keys=False), encoding="utf-8")
    return folder


def _write(notebook: Notebook, parameters: Mapping[str, Any], path: Path) -> None:
    """Write a notebook without outputs; behind its cell of parameters, those of this run."""
    content = notebook.content
    for cell in content.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    own = notebook.injected(parameters)
    if own:
        place = next(
            number
            for number, cell in enumerate(content.cells)
            if "parameters" in cell.metadata.get("tags", [])
        )
        source = "\n".join(f"{name} = {value!r}" for name, value in own.items())
        content.cells.insert(place + 1, nbformat.v4.new_code_cell(source))
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(content, path)


def _list_all(contents: dict[str, Any], chosen: Iterable[Notebook]) -> None:
    """Give each figure a place in a table of contents, as this project does by itself."""
    listed = set(_files(contents))
    more = [f"notebooks/{each.id}" for each in chosen]
    more = [name for name in more if name not in listed]
    if more:
        contents["parts"].append({"caption": "More", "chapters": [{"file": x} for x in more]})


def _files(entry: Any) -> Iterator[str]:
    if isinstance(entry, list):
        for each in entry:
            yield from _files(each)
    elif isinstance(entry, dict):
        yield from (value for name, value in entry.items() if name == "file")
        for value in entry.values():
            yield from _files(value)
