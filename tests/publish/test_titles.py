"""Pages of several studies with one title, and pages with many tables."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from studybook.engine.outputs import Record
from studybook.publish.decorate import MANY_TABLES, decorate_figure
from studybook.publish.titles import tell_apart
from studybook.table import Table


def record(figure: str, title: str) -> Record:
    return Record(figure, title, "ok", "", {}, "", {}, {}, {}, {})


def test_titles_that_pages_share_name_the_study(tmp_path: Path) -> None:
    for study, title in (("shop", "Claims"), ("bank", "Claims"), ("mill", "Loads")):
        path = tmp_path / "notebooks" / study / "claims.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(new_notebook(cells=[new_markdown_cell(f"# {title}\n\nAll.")]), path)
    (tmp_path / "book/shop").mkdir(parents=True)
    (tmp_path / "book/shop/loads.md").write_text("# Loads\n\nText.\n", encoding="utf-8")
    (tmp_path / "book/claims.md").write_text("# Claims\n", encoding="utf-8")
    records = [record("shop/claims", "Claims"), record("mill/loads", "Other")]
    found = tell_apart(tmp_path, records, lambda study: "The shop" if study == "shop" else study)
    assert [each.title for each in found] == ["Claims: The shop", "Other"]
    first = nbformat.read(tmp_path / "notebooks/bank/claims.ipynb", as_version=4).cells[0].source
    assert first == "# Claims: bank\n\nAll."
    assert (tmp_path / "book/shop/loads.md").read_text() == "# Loads: The shop\n\nText.\n"
    assert (tmp_path / "book/claims.md").read_text() == "# Claims\n"


def test_the_longer_of_many_tables_fold() -> None:
    def cell(rows: int) -> nbformat.NotebookNode:
        html = Table(["A"], [["a"]] * rows, "What there is.")._repr_html_()
        shown = [new_output("display_data", data={"text/html": html})]
        return nbformat.from_dict(new_code_cell("show()", outputs=shown))

    few, many = ([cell(3), *(cell(9) for _ in range(n))] for n in (2, MANY_TABLES))
    for cells, folds in ((few, 0), (many, MANY_TABLES)):
        notebook = new_notebook(cells=[new_markdown_cell("# Tables"), *cells])
        decorate_figure(notebook, record("shop/tables", "Tables"), "reference")
        text = str([each.get("outputs") for each in notebook.cells])
        assert text.count("<summary>What there is: 9 rows</summary>") == folds
        assert text.count("<caption>What there is.</caption>") == len(cells) - folds


def test_a_number_stays_together_with_its_unit_and_text_does_not() -> None:
    cells = ("13,900.5 requests/s", "−3 KiB", "a much longer text")
    page = Table(["value"], [[each] for each in cells])._repr_html_()
    kinds = re.findall(r"<td([^>]*?) data-label", page)
    assert kinds == [' class="short"', ' class="short"', ""]
