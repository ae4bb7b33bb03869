"""The provenance of a figure, noted while its notebook runs.

The command that runs a notebook names a file in ``STUDYBOOK_NOTES``; the notebook's kernel
writes there which raw files it could see, which published values it drew, which model it asked
and which modules of this package it used. Without that variable (in JupyterLab, under nbval)
nothing is noted.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

from studybook.code import LIBRARY, code_digest
from studybook.dataset.paths import project_root

NOTES_VARIABLE = "STUDYBOOK_NOTES"

#: The libraries whose version may change what a figure shows.
STACK = (
    "altair",
    "duckdb",
    "numpy",
    "pandas",
    "papermill",
    "pyarrow",
    "scipy",
    "vl-convert-python",
)

_notes: dict[str, Any] = {
    "scopes": [],
    "inputs": {},
    "origins": [],
    "documents": {},
    "excluded": {},
    "published": {},
    "models": {},
    "formats": [],
    "model": [],
    "judgements": {},
    "goals": {},
    "answer": "",
}

#: The modules that were there when it was noted which are in use.
_looked_at: dict[str, ModuleType] = {}


def note_scope(
    scope: dict[str, Any],
    *,
    inputs: Mapping[str, str],
    origins: Iterable[str],
    documents: Mapping[str, Iterable[str]],
    excluded: Mapping[str, str],
    models: Mapping[str, str],
    formats: Iterable[str],
) -> None:
    """Note what a notebook has asked of a study so far.

    Parameters
    ----------
    scope : dict
        The runs, and the sources of the tables that were asked.
    inputs : mapping
        Content hash of each raw file behind them, and of the manifests, as loaded.
    origins, documents
        Where these come from, and the documents that tell of the runs.
    excluded : mapping
        Runs that a person has excluded, with the reason.
    models : mapping
        Digest of each model, ``<study>.<name>``.
    formats : iterable of str
        The formats of the raw files.
    """
    same = [
        each
        for each in _notes["scopes"]
        if all(each[key] == scope[key] for key in scope if key != "sources")
    ]
    for each in same:
        _notes["scopes"].remove(each)
    _notes["scopes"].append(scope)
    _notes["inputs"] |= inputs
    _notes["excluded"] |= excluded
    _notes["models"] |= models
    _notes["formats"] = sorted({*_notes["formats"], *formats})
    _note(origins, documents)


def note_excluded(runs: Mapping[str, str]) -> None:
    """Note runs of another data set that a person has excluded, with the reason."""
    _notes["excluded"] |= runs
    _write()


def note_published(name: str, digest: str, document: str) -> None:
    """Note a file of published values that a notebook used."""
    _notes["published"][name] = digest
    _note([], {document: []})


def note_definition(name: str, digest: str) -> None:
    """Note the file with the words of a study, where the notebook may show them."""
    _notes["published"][name] = digest
    _write()


def note_published_marks(document: str, places: Iterable[str]) -> None:
    """Note that the figure draws published values beside, or instead of, its own."""
    _note(["published"], {document: places})


def note_judgements(judgements: Mapping[str, Mapping[str, str]]) -> None:
    """Note what the notebook says of each claim of its study, by the claim's id, as texts."""
    _notes["judgements"] |= judgements
    _write()


def note_goals(judgements: Mapping[str, Mapping[str, str]]) -> None:
    """Note what the notebook says of each goal of its study, by its sentence, as texts."""
    _notes["goals"] |= judgements
    _write()


def note_answer(said: str) -> None:
    """Note what a page without a chart says, in a sentence."""
    _notes["answer"] = said
    _write()


def note_model(files: Iterable[Path]) -> None:
    """Note that the figure shows what a model of this package says, and which files it reads.

    Parameters
    ----------
    files : iterable of pathlib.Path
        Files beside the code, such as that of the parameters. The code notes
        itself: see :func:`modules_in_use`.
    """
    _notes["model"] = sorted({*_notes["model"], *_names(files)})
    _note(["simulated"], {})


def _note(origins: Iterable[str], documents: Mapping[str, Iterable[str]]) -> None:
    _notes["origins"] = sorted({*_notes["origins"], *origins})
    for title, places in documents.items():
        _notes["documents"][title] = sorted({*_notes["documents"].get(title, []), *places})
    _write()


def _write(*_: object) -> None:
    target = os.environ.get(NOTES_VARIABLE)
    if not target:
        return
    # Two thousand modules, after each cell: they are looked at again where others have come.
    if _looked_at != sys.modules:
        _notes["modules"] = modules_in_use()
        _looked_at.clear()
        _looked_at.update(sys.modules)
    aside = Path(f"{target}.tmp")  # the process may be killed while it writes
    aside.write_text(json.dumps(_notes, sort_keys=True), encoding="utf-8")
    aside.replace(target)
    # Modules may still be imported in later cells: write again after each.
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and not _notes.get("hooked"):
        _notes["hooked"] = True
        shell.events.register("post_run_cell", _write)


def modules_in_use() -> list[str]:
    """The files of the library and of the book that the process has imported."""
    return sorted({file for _, file in _modules(project_root())})


def forget_modules(root: Path) -> None:
    """Forget what was imported of the library, and of the book at a place: what follows counts."""
    for name, _ in [*_modules(root)]:
        if name != "__main__":  # the program itself, which a notebook takes the place of
            del sys.modules[name]


def _modules(root: Path) -> Iterator[tuple[str, str]]:
    """The modules of the library and of the book, each with its file by its name there."""
    own = _own(root)
    for name, module in [*sys.modules.items()]:
        file = getattr(module, "__file__", None)
        if file and (found := own(file)):
            yield name, found


def _names(paths: Iterable[Path]) -> list[str]:
    """The files of the library, and of the book, by their names there; of others none."""
    own = _own(project_root())
    return sorted({name for path in paths if (name := own(str(path)))})


def _own(root: Path) -> Callable[[str], str]:
    """What tells a file of the library or of the book by its name there; others have none."""
    library, book = f"{LIBRARY}{os.sep}", f"{root}{os.sep}"

    # Asked after each cell, of two thousand modules: what is neither is told by its letters, and no
    # path is made of it, which would take a tenth of the time of a figure. Most lie below the book,
    # too, where its virtual environment does.
    def name(file: str) -> str:
        if file.startswith(library):
            return str(Path(file).relative_to(LIBRARY.parent))
        if file.startswith(book) and f"{os.sep}site-packages{os.sep}" not in file:
            return str(Path(file).relative_to(root))
        return ""

    return name


def hash_modules(names: list[str]) -> dict[str, str]:
    """Hash of what files of the library and of the book say; a file that is gone has none."""
    root = project_root()
    found = {
        name: _digest_in(LIBRARY.parent if name.startswith(f"{LIBRARY.name}/") else root, name)
        for name in names
    }
    return {name: digest for name, digest in found.items() if digest}


@cache
def _digest_in(root: Path, name: str) -> str:
    """What a file says, which most figures ask of the same ones; empty where there is none."""
    path = root / name
    return code_digest(path) if path.is_file() else ""


def stack_versions() -> dict[str, str]:
    """Versions of Python and of the libraries that a figure depends on."""
    python = ".".join(str(part) for part in sys.version_info[:3])
    return {"python": python} | {name: _version(name) for name in STACK}


#: Asked for each figure, and looked up in files: once is enough for a process.
_version = cache(version)
