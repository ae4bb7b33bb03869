"""The files of a figure beside its notebook: data, specification, picture, and a record.

The record says what made the figure; it is what the check for stale figures goes by.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studybook import __version__
from studybook.dataset.paths import DataSet
from studybook.engine.execute import Outcome
from studybook.engine.notebooks import Notebook
from studybook.memory import content_sha256
from studybook.records.readers import format_code
from studybook.study.provenance import hash_modules, stack_versions

if TYPE_CHECKING:
    pass

#: The code that makes the files of a figure of an executed notebook, beside what that used.
_OWN_MODULES = (
    "studybook/charts/drawing.py", "studybook/charts/labels.py",
    "studybook/engine/cells.py", "studybook/engine/csv_table.py", "studybook/engine/execute.py",
    "studybook/engine/normalise.py", "studybook/engine/outputs.py",
    "studybook/topology/layout.py",
)  # fmt: skip

#: What the name of the file that says what columns mean adds to that of the CSV.
METADATA = "-metadata.json"

#: Data, what their columns mean, picture and specification of a chart.
CHART_SUFFIXES = (".csv", f".csv{METADATA}", ".svg", ".vl.json")


@dataclass(frozen=True)
class Record:
    """The record of a figure: its ingredients and its outcome.

    Attributes
    ----------
    id, title : str
        The figure.
    state, message : str
        ``ok``, ``failed`` or ``needs data``, and the reason.
    parameters : dict
        All parameters with which the notebook ran.
    code : str
        Hash of the notebook's cells.
    modules, published, inputs, versions : dict
        Name to hash of the library's files that it reached, of the published values, of the raw
        files and manifests; name to version of the libraries.
    scopes : list
        Which runs the notebook declared, and the sources behind what it asked of them.
    models, formats : dict
        Name to digest of the models that it asked, with all that they build on, and of the code
        that read the raw files.
    model : dict
        Name to hash of the files that a model of the package reads, where the figure asks one.
    origins : list
        Where the data come from.
    documents : dict
        Title of a document to the places in it.
    excluded : dict
        Runs that a person has excluded, with the reason.
    finding : str
        The title of its chart; empty where it shows tables only.
    outputs : dict
        Name to hash of the files that it left: the executed notebook and those of the chart.
    judgements : dict
        Of the page of all claims: what it says of each, as texts that the book's prose quotes.
    goals : dict
        Of the page of goals: what it says of each, by its sentence.
    answer : str
        What a page without a chart says, where it does so in a sentence.
    """

    id: str
    title: str
    state: str
    message: str
    parameters: dict[str, Any]
    code: str
    modules: dict[str, str]
    published: dict[str, str]
    inputs: dict[str, str]
    versions: dict[str, str]
    scopes: list[dict[str, Any]] = field(default_factory=list)
    models: dict[str, str] = field(default_factory=dict)
    formats: dict[str, str] = field(default_factory=dict)
    model: dict[str, str] = field(default_factory=dict)
    origins: list[str] = field(default_factory=list)
    documents: dict[str, list[str]] = field(default_factory=dict)
    excluded: dict[str, str] = field(default_factory=dict)
    finding: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    judgements: dict[str, dict[str, str]] = field(default_factory=dict)
    goals: dict[str, dict[str, str]] = field(default_factory=dict)
    answer: str = ""
    package: str = __version__


def record_path(data_set: DataSet, figure: str) -> Path:
    """The file with the record of a figure; data and picture lie beside it."""
    return data_set.figures / f"{figure}.json"


def expected_outputs(data_set: DataSet, record: Record) -> list[Path]:
    """The files that a figure leaves: its record and, if it drew a chart, those of the chart."""
    path = record_path(data_set, record.id)
    return [path, *(path.with_suffix(suffix) for suffix in CHART_SUFFIXES if record.finding)]


def outputs_now(data_set: DataSet, record: Record) -> dict[str, str]:
    """Hash of each file that a figure leaves and that is there, but for its record."""
    drawn = expected_outputs(data_set, record)[1:]
    return {
        path.relative_to(data_set.build).as_posix(): content_sha256(path)
        for path in (data_set.notebooks / f"{record.id}.ipynb", *drawn)
        if path.is_file()
    }


def read_record(data_set: DataSet, figure: str) -> Record | None:
    """The record of the last run of a figure; None if it never ran or is of another version."""
    path = record_path(data_set, figure)
    if not path.is_file():
        return None
    try:
        return Record(**json.loads(path.read_text(encoding="utf-8")))
    except (TypeError, ValueError):
        return None


def as_stored(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as a record holds them: JSON, in which a key is a text and a date, too."""
    stored: dict[str, Any] = json.loads(json.dumps(parameters, default=str))
    return stored


def keep(data_set: DataSet, notebook: Notebook, outcome: Outcome) -> Record:
    """Write down what a run brought: chart files from its notebook, and the record."""
    # Libraries of charts take long to import, and most commands draw none.
    from studybook.charts.drawing import standalone
    from studybook.charts.renderer import headings, table, titles
    from studybook.engine import csv_table

    notes = outcome.notes
    import nbformat  # takes a while, and most commands read no notebook

    spec = chart_spec(nbformat.read(outcome.task.output, as_version=4))
    record = Record(
        id=notebook.id,
        title=notebook.title,
        state=outcome.state,
        message=outcome.message,
        parameters=as_stored(notebook.defaults | outcome.task.parameters),
        code=notebook.code,
        modules=hash_modules([*notes.get("modules", []), *_OWN_MODULES]),
        published=notes.get("published", {}),
        inputs=notes.get("inputs", {}),
        versions=stack_versions(),
        scopes=notes.get("scopes", []),
        models=notes.get("models", {}),
        formats={name: format_code(name) for name in notes.get("formats", [])},
        model=hash_modules(notes.get("model", [])),
        origins=notes.get("origins", []),
        documents=notes.get("documents", {}),
        excluded=notes.get("excluded", {}),
        finding=headings(spec)[0] if spec else "",
        judgements=notes.get("judgements", {}),
        goals=notes.get("goals", {}),
        answer=notes.get("answer", ""),
    )
    path = record_path(data_set, notebook.id)
    path.parent.mkdir(parents=True, exist_ok=True)
    for suffix in (".json", *CHART_SUFFIXES):
        path.with_suffix(suffix).unlink(missing_ok=True)
    if spec is not None:
        path.with_suffix(".vl.json").write_text(json.dumps(spec, indent=1), encoding="utf-8")
        path.with_suffix(".svg").write_text(standalone(spec), encoding="utf-8")
        named: dict[str, list[str]] = {}
        for column, title in titles(spec):
            named.setdefault(column, []).append(title)
        says = spec.get("usermeta", {})
        data, beside = path.with_suffix(".csv"), path.with_suffix(f".csv{METADATA}")
        csv_table.write(data, beside, table(spec), says, named, record.finding)
    record = replace(record, outputs=outputs_now(data_set, record))
    # Last of all, and at once: a record speaks of files that are there.
    aside = path.with_name(f"{path.name}.part")
    aside.write_text(json.dumps(asdict(record), indent=1, default=str), encoding="utf-8")
    aside.replace(path)
    return record


def chart_specs(notebook: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The Vega-Lite specifications of the charts in an executed notebook."""
    from studybook.charts.renderer import MIME_TYPE

    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if MIME_TYPE in output.get("data", {}):
                yield dict(output["data"][MIME_TYPE])


def chart_spec(notebook: Mapping[str, Any]) -> dict[str, Any] | None:
    """The first of them, which is that of the figure, if there is one."""
    return next(chart_specs(notebook), None)
