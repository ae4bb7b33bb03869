"""What the book adds to an executed notebook, and where."""

from __future__ import annotations

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from studybook.charts.renderer import MIME_TYPE
from studybook.engine.outputs import Record
from studybook.frames.words import Reading
from studybook.publish.decorate import decorate_figure

RECORD = Record("shop/pages", "Pages", "ok", "", {}, "", {}, {}, {}, {}, finding="It holds")


def cell(source: str, **data: object) -> nbformat.NotebookNode:
    return new_code_cell(source, outputs=[new_output("display_data", data=data)] if data else [])


def notebook(*after: nbformat.NotebookNode, head: str = "# Pages") -> nbformat.NotebookNode:
    chart = cell("draw()", **{MIME_TYPE: {}})
    return new_notebook(cells=[new_markdown_cell(head), cell("import altair"), chart, *after])


def test_the_reading_stands_straight_below_its_chart() -> None:
    reading = {"text/html": Reading("All of it holds.")._repr_html_()}
    found = notebook(cell("Reading()", **reading), cell("verdicts()", **{"text/html": "<table>"}))
    decorate_figure(found, RECORD, "reference")
    _, chart, provenance, verdicts = found.cells
    assert chart.source == "import altair\n\ndraw()\n\nReading()"
    assert [*chart.outputs[0].data] == [MIME_TYPE]
    assert "All of it holds." in chart.outputs[1].data["text/html"]
    assert provenance.id == "provenance"
    assert verdicts.source == "verdicts()"


def test_what_is_no_reading_stays_where_it_is() -> None:
    found = notebook(cell("verdicts()", **{"text/html": "<table>"}))
    decorate_figure(found, RECORD, "reference")
    assert [each.cell_type for each in found.cells] == ["markdown", "code", "markdown", "code"]


def test_a_page_begins_with_its_chart_and_not_with_how_it_was_made() -> None:
    found = notebook(head="# Pages\n\nDots are runs.\n\nAll of them.")
    decorate_figure(found, RECORD, "reference")
    heading, chart, below = found.cells
    assert heading.source == "# Pages"
    assert chart.outputs
    assert below.source.startswith("Dots are runs.\n\nAll of them.\n\n:::{div} study-meta")


def test_a_chart_within_a_section_of_its_own_stays_there() -> None:
    head = "# Pages\n\nDots are runs.\n\n## All of them"
    found = notebook(head=head)
    decorate_figure(found, RECORD, "reference")
    assert found.cells[0].source == head
