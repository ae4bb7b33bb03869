"""Which figures are stale, and why.

A figure is stale when its notebook, the code that it reached, its parameters, the raw files behind
what it asked, their readers, the models that it asked, the published values, the files of a model
of the testbed or the versions of the libraries are not what they were when it ran. Raw files are
compared by content, straight from the raw folder; code by what it says, comments aside.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Any

from studybook.code import LIBRARY
from studybook.dataset import definition
from studybook.dataset.inventory import Inventory
from studybook.dataset.paths import DataSet
from studybook.engine.notebooks import ALL, Notebook, load_notebook
from studybook.engine.outputs import as_stored, expected_outputs, outputs_now, read_record
from studybook.errors import StudyBookError
from studybook.formats import known_names
from studybook.memory import content_sha256
from studybook.records import compute, ledger, store
from studybook.records.models import models_of
from studybook.records.parts import parts_of
from studybook.records.readers import format_code
from studybook.study.provenance import hash_modules, stack_versions
from studybook.study.scope import Scope

_ALTERED = "the database was altered or damaged"
_UNREADABLE = "the database cannot be opened"
_OF_ANOTHER_VERSION = "the database is of another version of studybook"

#: Reasons for which nothing of a database can be kept: all is loaded anew.
KEEP_NOTHING = frozenset({_ALTERED, _UNREADABLE, _OF_ANOTHER_VERSION})


def load_reasons(data_set: DataSet, inventory: Inventory) -> list[str]:
    """Why the database is not what loading would make of the raw files now.

    Returns
    -------
    list of str
        Empty if the database is up to date.
    """
    if not data_set.database.is_file():
        return ["never loaded"]
    if store.is_altered(data_set.database):
        return [_ALTERED]
    try:
        loaded = ledger.loaded(data_set.database)
    except StudyBookError:
        # It is derived: what cannot be opened is made again.
        return [_UNREADABLE]
    if loaded is None:
        return [_OF_ANOTHER_VERSION]
    missing = [
        f"output missing: load/{name}.ipynb"
        for name in (ALL, *inventory.sources())
        if not (data_set.load_reports / f"{name}.ipynb").is_file()
    ]
    if missing:
        return missing
    if _code_of(load_notebook(data_set.root).path) - _code_of(
        data_set.load_reports / f"{ALL}.ipynb"
    ):
        return ["the notebook of the loading reports changed"]
    now = inventory.file_hashes | inventory.run_hashes | inventory.words
    reasons = differences("data", loaded.files, now)
    # Of files that have changed, that is said already.
    now_read = {part.folder: part for part in parts_of(inventory, inventory.sources())}
    known = {code for _, code in loaded.parts.values()}
    others = {part.source for part in now_read.values() if part.code not in known}
    reasons += [f"code changed: other readers loaded {source}" for source in sorted(others)]
    if not reasons and now_read.keys() != loaded.parts.keys():
        reasons.append("the records are of other files")
    altered = store.altered(data_set.database, "records", loaded.parts)
    reasons += [f"records altered or damaged: {folder}" for folder in sorted(altered)]
    altered = store.altered(data_set.database, "models", loaded.groups)
    reasons += [f"models altered or damaged: {folder}" for folder in sorted(altered)]
    return reasons + [
        f"model changed: {name}" for name in compute.stale(loaded.models, data_set.root)
    ]


def _code_of(notebook: Path) -> set[str]:
    # plain JSON: nbformat takes longer to import than all else that is asked here
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return {"".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}


def figure_reasons(
    data_set: DataSet, notebook: Notebook, parameters: Mapping[str, Any], inventory: Inventory
) -> list[str]:
    """Why a figure is not what running its notebook would make of it now.

    Returns
    -------
    list of str
        Empty if the figure is up to date.
    """
    record = read_record(data_set, notebook.id)
    if record is None:
        return ["never run"]
    executed = data_set.notebooks / f"{notebook.id}.ipynb"
    wanted_files = [executed, *expected_outputs(data_set, record)]
    missing = [path for path in wanted_files if not path.is_file()]
    if missing:
        return [f"output missing: {path.relative_to(data_set.build)}" for path in missing]
    reasons = differences("output", record.outputs, outputs_now(data_set, record))
    published = {
        name: content_sha256(path) if (path := data_set.root / name).is_file() else ""
        for name in record.published
    }
    wanted = as_stored(notebook.defaults | dict(parameters))
    inputs = _scope_inputs(record.scopes, inventory)
    reasons += differences("data", record.inputs, inputs, there=inventory.file_hashes)
    reasons += differences("model", record.models, models_now(data_set.root, record.models))
    reasons += differences("reader", record.formats, formats_now(record.formats))
    reasons += differences_of_words(record.published, published)
    reasons += differences("model", record.model, hash_modules(list(record.model)))
    if record.code != notebook.code:
        files = [path for path in (notebook.path, notebook.listed) if path]
        names = " or ".join(str(_short(path, data_set.root)) for path in files)
        reasons.append(f"notebook changed: {names}")
    reasons += [
        f"parameter changed: {name} was {record.parameters.get(name)!r}, is {wanted.get(name)!r}"
        for name in sorted({*record.parameters, *wanted})
        if record.parameters.get(name) != wanted.get(name)
    ]
    reasons += differences("code", record.modules, hash_modules(list(record.modules)))
    reasons += differences("library", record.versions, stack_versions(), values=True)
    if record.state == "failed" and not reasons:
        reasons.append(f"failed: {record.message.splitlines()[0] if record.message else ''}")
    return reasons


def _short(path: Path, root: Path) -> Path:
    return path.relative_to(root if path.is_relative_to(root) else LIBRARY.parent)


def _scope_inputs(scopes: Iterable[Mapping[str, Any]], inventory: Inventory) -> dict[str, str]:
    """Hashes of the raw files and manifests that the scopes cover now."""
    found: dict[str, str] = {}
    for scope in scopes:
        found |= Scope.from_record(scope).inputs(inventory, scope["sources"])
    return dict(sorted(found.items()))


def models_now(root: Path, names: Iterable[str]) -> dict[str, str]:
    """The digests of models, ``<study>.<name>``, as the code and the book have them now."""
    found = {}
    for each in names:
        study, _, name = each.partition(".")
        model = models_of(definition.folder(root, study)).get(name)
        if model:
            found[each] = model.digest
    return found


def formats_now(names: Iterable[str]) -> dict[str, str]:
    """Hashes of the code that reads formats; a format that is gone has none."""
    there = known_names()
    return {name: format_code(name) for name in names if name in there}


def differences_of_words(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What differs in what people have written of a study: published values, goals, its words.

    Parameters
    ----------
    before, now : mapping
        Hashes of the files, by their names in the book.
    """
    kinds = {"goals.yml": "goals", "study.yml": "words of the study"}
    found = []
    for what in ("published values", *kinds.values()):
        pair = (
            {
                name: each
                for name, each in of.items()
                if kinds.get(Path(name).name, "published values") == what
            }
            for of in (before, now)
        )
        found += differences(what, *pair)
    return found


def differences(
    what: str,
    before: Mapping[str, str],
    now: Mapping[str, str],
    *,
    there: Container[str] = (),
    values: bool = False,
) -> list[str]:
    """Say in words what was added, removed and changed between two lists of hashes.

    What is no longer listed, but ``there``, is of a run that a person has excluded or given other
    factors.
    """
    reasons = []
    for name in sorted({*before, *now}):
        if name not in now:
            gone = "does not count any more" if name in there else "removed"
            reasons.append(f"{what} {gone}: {name}")
        elif name not in before:
            reasons.append(f"{what} added: {name}")
        elif before[name] != now[name]:
            change = f" {before[name]} → {now[name]}" if values else ""
            reasons.append(f"{what} changed: {name}{change}")
    return reasons
