"""Additions of the book to an executed notebook: under each figure, where it comes from.

The committed notebook stays as it is; its page gets the origin of the data, the document,
downloads, the command that makes the figure again, and the files behind it.
"""

from __future__ import annotations

import html
import re

import nbformat

from studybook.charts.renderer import MIME_TYPE
from studybook.engine.outputs import METADATA, Record
from studybook.frames.words import READING
from studybook.study.scope import RUN, Scope, texts
from studybook.table import badge
from studybook.text import counted

#: How a table begins; see :mod:`studybook.table`.
_TABLE = '<div class="study-table"'

#: Cell tags by which Jupyter Book folds the code of a cell.
FOLD = "hide-input"

#: On a page with more tables than the first number, those with more rows than the second fold.
MANY_TABLES, FEW_ROWS = 12, 4

_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def decorate_figure(notebook: nbformat.NotebookNode, record: Record, data_set: str) -> None:
    """Add the block of origin, downloads and provenance under the figure, in place.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        The executed notebook.
    record : Record
        What made the figure.
    data_set : str
        Name of the data set, for the command.
    """
    _explain_errors(notebook, record)
    _fold_code(notebook)
    _fold_tables(notebook)
    _join_reading(notebook)
    method = _method_taken(notebook) if record.finding else ""
    _say_excluded(notebook, record)
    cell = nbformat.v4.new_markdown_cell(f"{method}\n\n{_meta(record, data_set)}".lstrip())
    cell.id = "provenance"
    notebook.cells.insert(_place(notebook), cell)


def decorate_report(notebook: nbformat.NotebookNode, source: str) -> None:
    """Name the source in the heading of a loading report, and fold its code, in place.

    The sentence that it prints stands straight below the heading: it is what was found.
    """
    head = notebook.cells[0]
    first, _, rest = head.source.partition("\n")
    printed = [
        (cell, output)
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.get("name") == "stdout"
    ]
    finding = ""
    for cell, first_printed in printed[:1]:
        finding = f"\n{first_printed.text.strip()}\n"
        cell.outputs.remove(first_printed)
    head.source = f"{first}: {source}\n{finding}{rest}"
    _fold_code(notebook)


def _fold_code(notebook: nbformat.NotebookNode) -> None:
    """Make one folded cell of code cells that follow each other: one fold is enough to read by."""
    cells: list[nbformat.NotebookNode] = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.metadata.tags = [FOLD]
            if cells and cells[-1].cell_type == "code" and not cells[-1].outputs:
                cell.source = f"{cells.pop().source}\n\n{cell.source}"
        cells.append(cell)
    notebook.cells = cells


def _say_excluded(notebook: nbformat.NotebookNode, record: Record) -> None:
    """Say before all else which of the runs that a page shows by name do not count."""
    named = _named(record)
    for run in (run for run in record.excluded if run in named):
        title = "This run" if len(named) == 1 else _escaped(run)
        said = f":::{{admonition}} {title} does not count\n:class: warning\n"
        notebook.cells[0].source += f"\n\n{said}{_escaped(record.excluded[run])}\n:::"


def _named(record: Record) -> set[str]:
    """The ids of the runs that a figure asks for by name."""
    return {
        f"{scope.study}/{run}"
        for scope in map(Scope.from_record, record.scopes)
        for run in texts(scope.runs.get(RUN))
    }


def _fold_tables(notebook: nbformat.NotebookNode) -> None:
    """Fold the longer tables of a page that has many, so that one can see what there is."""
    shown = [
        output.data
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if _TABLE in output.get("data", {}).get("text/html", "")
    ]
    for data in shown if len(shown) > MANY_TABLES else ():
        page = data["text/html"]
        rows = page.partition("<tbody>")[2].count("<tr")
        if rows > FEW_ROWS:
            found = re.search(r"<caption>(.*?)</caption>", page)
            named = f"{found[1].rstrip('.')}: " if found else ""
            data["text/html"] = (
                f'<details class="study-fold"><summary>{named}{counted(rows, "row")}</summary>'
                f"{page.replace(found[0] if found else '', '')}</details>"
            )


def _join_reading(notebook: nbformat.NotebookNode) -> None:
    """Put the reading of a chart straight below it: their code is one fold, above both."""
    number = _place(notebook)
    if number < len(notebook.cells):
        chart, reading = notebook.cells[number - 1 : number + 1]
        found = (
            output.get("data", {}).get("text/html", "") for output in reading.get("outputs", [])
        )
        if any(READING in html for html in found):
            chart.source = f"{chart.source}\n\n{reading.source}"
            chart.outputs += reading.outputs
            del notebook.cells[number]


def _method_taken(notebook: nbformat.NotebookNode) -> str:
    """Take what stands between a heading and its chart: a reader wants the answer first."""
    number = _place(notebook)
    before = [cell for cell in notebook.cells[: number - 1] if cell.cell_type == "markdown"]
    heading, _, method = before[0].source.partition("\n") if before else ("", "", "")
    texts = [method.strip(), *(cell.source for cell in before[1:])]
    if not heading.startswith("# ") or any(re.search("^#", text, re.M) for text in texts):
        return ""  # the chart has a section of its own, which says what it is about
    before[0].source = heading
    notebook.cells = [cell for cell in notebook.cells if cell not in before[1:]]
    return "\n\n".join(filter(None, texts))


def _place(notebook: nbformat.NotebookNode) -> int:
    for number, cell in enumerate(notebook.cells):
        if any(MIME_TYPE in output.get("data", {}) for output in cell.get("outputs", [])):
            return number + 1
    return len(notebook.cells)


def _explain_errors(notebook: nbformat.NotebookNode, record: Record) -> None:
    """Put the reason in the place of the error, as HTML: nothing in it is taken for Markdown."""
    if record.state == "ok":
        return
    for number, cell in enumerate(notebook.cells):
        errors = [o for o in cell.get("outputs", []) if o.output_type == "error"]
        if errors:
            traceback = _ANSI.sub("", "\n".join(errors[0].traceback))
            cell.outputs = [output for output in cell.outputs if output.output_type != "error"]
            # What comes after the error did not run.
            notebook.cells = notebook.cells[: number + 1]
            break
    else:
        # The kernel died: the last cell that did not end cannot be told.
        cell, traceback = nbformat.v4.new_code_cell("", id="error"), ""
        notebook.cells = [notebook.cells[0], cell]
    page = {"text/html": _error(record, traceback), "text/plain": record.message}
    cell.outputs.append(nbformat.v4.new_output("display_data", data=page))


def _error(record: Record, traceback: str) -> str:
    failed = record.state == "failed"
    title = "This figure failed" if failed else "Not in this data set"
    details = f"<details><summary>Traceback</summary><pre>{html.escape(traceback)}</pre></details>"
    return (
        f'<div class="admonition {"error" if failed else "note"}">'
        f'<p class="admonition-title">{title}</p><pre>{html.escape(record.message)}</pre>'
        f"{details if failed and traceback else ''}</div>"
    )


def _meta(record: Record, data_set: str) -> str:
    options = "" if data_set == "reference" else f" --data-set {data_set}"
    command = f"studybook figures {record.id}{options} --force"
    origins = " ".join(badge(origin) for origin in record.origins)
    # What a model says is told from what was computed from the raw exports that one wrote.
    by_model_alone = record.model and not record.inputs
    source = ", by the model of the testbed: no raw file" if by_model_alone else ""
    lines = [f"**Data** {origins or 'none'}{source}"]
    named = _named(record)
    lines += [
        f"**{'Shown, but does' if run in named else 'Does'} not count** {_escaped(run)}:"
        f" {_escaped(why)}"
        for run, why in record.excluded.items()
    ]
    lines += [_document(title, places) for title, places in record.documents.items()]
    if record.finding:
        base = f"/figures/{record.id}"
        lines.append(
            f"**Download** {{download}}`data (CSV) <{base}.csv>` · "
            f"{{download}}`its columns and units (CSVW) <{base}.csv{METADATA}>` · "
            f"{{download}}`chart (SVG) <{base}.svg>` · "
            f"{{download}}`specification (Vega-Lite) <{base}.vl.json>`"
        )
    lines += [f"**Make it again** `{command}`", _provenance(record)]
    return ":::{div} study-meta\n" + "\n\n".join(lines) + "\n:::"


def _document(title: str, places: list[str]) -> str:
    if not places:
        return f"**Document** {_escaped(title)}"
    if len(places) == 1:
        return f"**Document** {_escaped(title)}: {_escaped(places[0])}"
    rows = "".join(f"<li>{html.escape(' '.join(place.split()))}</li>" for place in places)
    return (
        f"**Document** {_escaped(title)}"
        f"<details><summary>{len(places)} places in it</summary><ul>{rows}</ul></details>"
    )


def _escaped(text: str) -> str:
    """Text in Markdown, as it is: on one line, and without a meaning of its own."""
    return re.sub(r"([\\`*_{}\[\]<>#|$])", r"\\\1", " ".join(text.split()))


def _provenance(record: Record) -> str:
    files = {**record.inputs, **record.published, **record.model}
    rows = "".join(
        f"<tr><td>{html.escape(name)}</td><td><code>{digest[:12]}</code></td></tr>"
        for name, digest in files.items()
    )
    parameters = ", ".join(f"{name} = {value!r}" for name, value in record.parameters.items())
    versions = ", ".join(f"{name} {version}" for name, version in record.versions.items())
    count = counted(len(files), "file")
    return (
        f"<details><summary>Provenance: {count}, studybook {record.package},"
        f" notebook <code>{record.code[:12]}</code></summary>"
        f"<table><thead><tr><th>File</th><th>SHA-256</th></tr></thead><tbody>{rows}</tbody></table>"
        f"<p>Parameters: {html.escape(parameters)}</p><p>{html.escape(versions)}</p></details>"
    )
