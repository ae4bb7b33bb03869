"""The catalogue of tables and models: whole, and in the database as well."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import pytest

from studybook.checked_yaml import read_yaml
from studybook.dataset.paths import DataSet
from studybook.publish.stage import CATALOGUE, stage
from studybook.records.catalogue import LEDGER, catalogue
from studybook.records.meaning import Schema
from studybook.records.models import models_of
from studybook.records.schema import LEDGER as LEDGER_TABLES
from tests.conftest import REPOSITORY


class _Balanced(HTMLParser):
    """Elements that are closed in the order in which they were opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_it_has_every_table_and_model(database: duckdb.DuckDBPyConnection) -> None:
    page = catalogue(database, REPOSITORY)
    models = database.execute("SELECT DISTINCT name FROM model").fetchall()
    folded = re.findall(r'<details id="table-([\w-]+)"><summary><code>(\w+)</code>', page)
    assert {name for _, name in folded} == {*(name for (name,) in models), *LEDGER_TABLES}
    anchors = [anchor for anchor, _ in folded]
    assert len(anchors) == len(set(anchors))
    for (name,) in database.execute("SELECT DISTINCT name FROM record").fetchall():
        assert re.search(rf'data-label="Table">{name}<', page), name


def test_it_has_each_column_with_unit_and_meaning(database: duckdb.DuckDBPyConnection) -> None:
    page = catalogue(database, REPOSITORY)
    line = page[page.index('<details id="table-machine_use"') :].partition("</details>")[0]
    rows = re.findall(r"<tr>(<td.*?)</tr>", line)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in rows]
    assert [cell[0].split("<")[0] for cell in cells] == [
        row[0] for row in database.execute("DESCRIBE machine_use").fetchall()
    ]
    by_name = {cell[0].split("<")[0]: cell for cell in cells}
    model = models_of(None)["machine_use"]
    assert by_name["seconds"] == [
        "seconds<small>double, s</small>",
        f"{model.columns['seconds'].meaning}<small>never empty, 0 or more</small>",
    ]
    assert by_name["machine_busy_percent"][0].endswith("<small>double, %</small>")
    assert f"<summary><code>machine_use</code> {model.meaning.meaning}</summary>" in line
    assert re.search(r"\brun_id, host; [^;<]*\bcpu_use\b", line)


def test_markdown_leaves_its_tables_as_they_are(database: duckdb.DuckDBPyConnection) -> None:
    lines = catalogue(database, REPOSITORY).splitlines()
    for line in lines:
        assert not line or line.startswith(("## ", "<details")), line
        parser = _Balanced()
        parser.feed(line)
        assert parser.open == []
    titles = [line for line in lines if line.startswith("## ")]
    assert len(titles) == len(set(titles))


def test_the_database_says_what_models_mean(database: duckdb.DuckDBPyConnection) -> None:
    said = dict(
        database.execute(
            "SELECT view_name, comment FROM duckdb_views()"
            " WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal"
        ).fetchall()
    )
    models = models_of(None)
    # It is silent of those that have no rows.
    without = [name for name in models if not said[name]]
    assert "machine_use" not in without
    rows = " UNION ALL ".join(f"(SELECT '{name}' FROM main.{name} LIMIT 1)" for name in without)
    assert database.execute(rows).fetchall() == []
    assert {name: models[name].meaning.meaning for name in models if name not in without} == {
        name: text for name, text in said.items() if text and name in models
    }
    columns = database.execute(
        "SELECT column_name, comment FROM duckdb_columns()"
        " WHERE database_name = current_database() AND schema_name = 'main'"
        " AND table_name = 'machine_use'"
    ).fetchall()
    assert dict(columns)["seconds"] == "The time that the intervals cover. [s]"
    assert dict(columns)["run_id"] == models["machine_use"].columns["run_id"].meaning


def test_every_table_of_runs_and_files_is_described(database: duckdb.DuckDBPyConnection) -> None:
    schema = read_yaml(LEDGER, Schema)
    assert list(schema.models) == list(LEDGER_TABLES)
    for name, meaning in schema.models.items():
        there = {row[0] for row in database.execute(f"DESCRIBE main.{name}").fetchall()}
        assert there <= {*schema.columns, *meaning.columns}, name
        assert {*meaning.columns, *meaning.key} <= there, name


@pytest.mark.book
def test_the_page_of_the_book_has_it(tmp_path: Path) -> None:
    stage(DataSet("reference", REPOSITORY), [], tmp_path / "source")
    page = (tmp_path / "source" / "book/catalogue.md").read_text(encoding="utf-8")
    assert CATALOGUE not in page
    assert 'id="table-stable_phase"' in page
