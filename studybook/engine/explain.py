"""The chain that a figure follows from, link by link: each would make it stale."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from studybook.dataset import definition
from studybook.dataset.paths import DataSet
from studybook.engine.outputs import Record
from studybook.records.models import models_of
from studybook.text import counted


def explain(data_set: DataSet, record: Record) -> Iterator[tuple[str, str]]:
    """Say what a figure was made from when it last ran.

    Parameters
    ----------
    data_set : DataSet
        Whose figure it is.
    record : Record
        That of the figure.

    Yields
    ------
    what, which : str
        The kind of thing, and its names.
    """
    yield (
        "parameters",
        ", ".join(f"{name} = {value!r}" for name, value in record.parameters.items()),
    )
    yield "code", _listed(sorted(record.modules))
    for name in sorted(record.published):
        yield "published values", name
    for name in sorted(record.model):
        yield "model of the testbed", name
    for study in sorted({name.partition(".")[0] for name in record.models}):
        models = models_of(definition.folder(data_set.root, study))
        asked = [name.partition(".")[2] for name in record.models if name.startswith(f"{study}.")]
        for name in sorted(asked):
            # Of what a model unites, only what the figure asked it for counts.
            below = sorted(models[name].reads) if name in models else []
            reads = [each for each in below if each in asked or each not in models]
            yield "model", f"{name} ← {_listed(reads) or 'gone'}"
    yield "readers", _listed(sorted(record.formats)) or "none"
    manifests = sum(Path(name).name == "run.yml" for name in record.inputs)
    files = counted(len(record.inputs) - manifests, "file")
    yield "raw files", f"{files} of {counted(manifests, 'run')}"
    yield "libraries", ", ".join(f"{name} {version}" for name, version in record.versions.items())


def _listed(names: list[str]) -> str:
    return ", ".join(names)
