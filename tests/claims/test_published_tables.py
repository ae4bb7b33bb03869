"""The tables of a document as data: complete, well-formed, and beside what captures say."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
import yaml

from studybook.checked_yaml import read_yaml
from studybook.claims import published_tables
from studybook.claims.published_tables import Datum, PublishedTables, Tables
from studybook.claims.published_values import read_published
from studybook.errors import StudyBookError
from studybook.formats.raw import sha256
from studybook.study import provenance
from studybook.units import metric
from tests.conftest import REPOSITORY
from tests.support.captured import add_changed, add_reference, good_hosts, opened, project

#: The numbers that the tables of each document have.
NUMBERS = {
    "ecm-scaleout": [*range(1, 21)],
    "filenet-p8": [
        1, "2.1", "2.2", "3.1", "3.2", "4.1", "4.2", "5.1", "5.2", 6, "7.1", "7.2", "8.1", "8.2",
        *range(9, 16),
    ],
}  # fmt: skip
FILES = {study: REPOSITORY / f"data/published/{study}/tables.yml" for study in NUMBERS}
CONTENTS = {study: read_yaml(path, PublishedTables) for study, path in FILES.items()}
FACTORS = {study: read_published(REPOSITORY, study).definition.factors for study in NUMBERS}

STUDY = "ecm-scaleout"
FILE, CONTENT = FILES[STUDY], CONTENTS[STUDY]
PUBLISHED = read_published(REPOSITORY, STUDY)

#: What a metric has of its own, beside the factors of its run.
OWN_FACTORS = {"designation", "role"}

DATA = [
    (study, table.number, row, datum)
    for study, content in CONTENTS.items()
    for table in content.tables
    for row in table.rows
    for datum in row.data
]

every_study = pytest.mark.parametrize("study", NUMBERS)


# --- what is committed ----------------------------------------------------------------------


@every_study
def test_all_tables_are_there(study: str) -> None:
    content = CONTENTS[study]
    assert content.study == study
    assert [table.number for table in content.tables] == NUMBERS[study]
    for table in content.tables:
        assert re.search(r"\b(chapter|section)\b", table.place)
        assert all(cell.strip() for row in table.rows for cell in row.cells)


@pytest.mark.parametrize(("study", "number", "row", "datum"), DATA)
def test_what_is_compared_is_what_the_row_says(
    study: str, number: int | str, row: published_tables.Row, datum: Datum
) -> None:
    said = " ".join(row.cells).replace(",", "")
    for published in (datum.value, datum.at_least, datum.at_most):
        if published is None:
            continue
        # Page pools are published in GiB, and compared in MiB.
        unit = 1024 if metric(datum.metric).unit == "MiB" else 1
        text = published if isinstance(published, str) else f"{published / unit:g}"
        assert re.search(rf"(?<![\d.]){re.escape(text)}(?![\d.]*\d)", said), (number, said, text)
    for factor, value in datum.of.items():
        assert factor in FACTORS[study] or factor in OWN_FACTORS
        if factor in FACTORS[study]:
            assert not FACTORS[study][factor].fault(value)


@every_study
def test_the_notebook_shows_each_table_under_its_title(study: str) -> None:
    cells = nbformat.read(REPOSITORY / f"notebooks/{study}/tables.ipynb", as_version=4).cells
    sources = [cell.source for cell in cells]
    tables = CONTENTS[study].tables
    start = sources.index("## Table 1. " + tables[0].title)
    expected = []
    for table in tables:
        named = json.dumps(table.number)
        expected += [f"## Table {table.number}. {table.title}", f"document.table({named})"]
    assert sources[start:] == expected


# --- what may not be written ------------------------------------------------------------------


def faulty(folder: Path, change: Callable[[dict[str, Any]], None]) -> str:
    """Read the committed tables with something changed; return what is said of it."""
    content = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    change(content)
    path = folder / "tables.yml"
    path.write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True), encoding="utf-8")
    with pytest.raises(StudyBookError) as error:
        read_yaml(path, PublishedTables)
    assert str(path) in str(error.value)
    return str(error.value)


def row(content: dict[str, Any], table: int) -> dict[str, Any]:
    found: dict[str, Any] = content["tables"][table - 1]["rows"][0]
    return found


def test_faults_are_named(tmp_path: Path) -> None:
    said = faulty(tmp_path, lambda content: row(content, 1)["cells"].pop())
    assert re.search(r"row 1\b.*\b2 cells .*\b3 columns", said)
    said = faulty(tmp_path, lambda content: row(content, 2)["data"][0].update(metric="host_cpu"))
    assert "line " in said
    assert "'host_cpu' is not a metric" in said
    said = faulty(tmp_path, lambda content: row(content, 20)["data"][0].update(at_most=9))
    assert "give a value or bounds, not both" in said
    said = faulty(tmp_path, lambda content: content["tables"][3].update(number=3))
    assert "none may stand there twice" in said
    said = faulty(tmp_path, lambda content: content["tables"][2].update(number="1.2"))
    assert "their numbers must rise" in said
    said = faulty(tmp_path, lambda content: content["tables"][2].update(number=2.5))
    assert "a whole number" in said
    said = faulty(tmp_path, lambda content: content["tables"][2].update(number="2."))
    assert "should match pattern" in said
    said = faulty(tmp_path, lambda content: content["tables"][0].update(titel="x"))
    assert "titel is not a known key" in said
    said = faulty(tmp_path, lambda content: row(content, 2)["cells"].append(4))
    assert "text, between quotation marks" in said


@pytest.mark.parametrize(
    ("datum", "mean", "text", "agrees"),
    [
        ({"metric": "host_cpus", "value": 8}, 8, "", True),
        ({"metric": "host_cpus", "value": 8}, 6, "", False),
        ({"metric": "total_ifl", "at_most": 10}, 9.9, "", True),
        ({"metric": "total_ifl", "at_most": 10}, 10.1, "", False),
        ({"metric": "total_ifl", "at_least": 10, "at_most": 15}, 9, "", False),
        ({"metric": "total_ifl", "at_least": 20}, 24, "", True),
        ({"metric": "release_level", "value": "4.2.0.0"}, 0, "4.2.0.0", True),
        ({"metric": "release_level", "value": "4.2.0.0"}, 0, "4.2.0.1", False),
        ({"metric": "designated_nodes"}, 3, "a, b, c", None),
    ],
)
def test_comparison(datum: dict[str, Any], mean: float, text: str, agrees: bool | None) -> None:
    assert Datum.model_validate(datum).agrees(mean, text) is agrees


# --- beside captures ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    root = project(tmp_path_factory.mktemp("tables"))
    add_reference(root, "ecm-scaleout/configuration-*")
    with opened(root, STUDY) as study:
        yield Tables(study, PUBLISHED, CONTENT)


def shown(tables: Tables, number: int) -> dict[str, list[str]]:
    """The last three cells of each row, by its first."""
    table = tables.table(number)
    assert table.columns[-3:] == ["In the data", "Origin", "Compared"]
    return {each[0]: each[-3:] for each in table.rows}


def test_captured_values_stand_beside_published_ones(tables: Tables) -> None:
    node = shown(tables, 2)
    assert node["Members of the cluster"] == ["4", "simulated", "as published"]
    assert node["Virtual CPUs"] == ["8", "simulated", "as published"]
    assert node["Memory"] == ["16.0 GiB", "simulated", "as published"]
    assert node["Disks of the file storage area"][0] == "6"
    assert node["Network"] == ["–", "", ""]
    assert shown(tables, 4)["Virtual CPUs"] == ["2", "simulated", "as published"]
    parameters = shown(tables, 17)
    assert parameters["pagepool, NSD servers"] == ["1,024 MiB", "simulated", "as published"]
    assert parameters["maxFilesToCache"][0] == "20,000 (shared disk); 20,000 (NSD)"
    quorum = shown(tables, 19)["quorum"]
    assert quorum[0].startswith("3: ECMnod1, ECMnod2, ECMnod3 (shared disk); 3: NSDsrv1,")
    assert quorum[2] == ""


@pytest.mark.parametrize("number", [3, 5])
def test_a_version_is_not_held_against_the_level_of_the_cluster(
    tables: Tables, number: int
) -> None:
    table = tables.table(number)
    assert table.columns == ["Software", "Level"]
    assert ["Spectrum Scale", "4.2.0.0"] in [list(row) for row in table.rows]


def test_what_the_data_do_not_say_is_said(tables: Tables) -> None:
    cell, origin, compared = shown(tables, 14)["CPUs"]
    assert cell.startswith("–\nno run at hand gives “")
    assert (origin, compared) == ("", "not in the data")
    # Load levels need runs under load, and here are captures only.
    assert shown(tables, 20)["low"][2] == "not in the data"


def test_a_table_of_which_the_data_can_say_nothing_is_as_published(tables: Tables) -> None:
    table = tables.table(1)
    assert table.columns == ["Symbol", "Unit", "Meaning"]
    assert table.caption.startswith("Table 1 as published: “Notational conventions”")
    with pytest.raises(StudyBookError, match="no Table 21"):
        tables.table(21)


def test_a_table_may_have_a_number_of_two_parts(tables: Tables) -> None:
    parts = Tables(tables.study, PUBLISHED, CONTENTS["filenet-p8"])
    assert parts.table("2.2").caption.startswith("Table 2.2 as published: section “FileNet")
    assert parts.table("8.2").rows[0][0] == "logon"
    with pytest.raises(StudyBookError, match=r"no Table 8\.3\n  → its last is 15"):
        parts.table("8.3")


def test_values_of_ones_own_are_measured_and_compared(tmp_path: Path) -> None:
    root = project(tmp_path / "project")
    factors = {"nodes": 4, "file_system": "spectrum-scale", "cluster": "shared-disk"}
    hosts = good_hosts(**{f"ECMnod{number}": {"cpus": 6} for number in range(1, 5)})
    add_changed(root, "run", {"run.yml": {"factors": factors, "hosts": hosts}})
    with opened(root, "lab") as study:
        own = Tables(study, PUBLISHED, CONTENT)
        cells = shown(own, 2)
        html = own.table(2)._repr_html_()
    assert cells["Virtual CPUs"] == ["6", "measured", "differs"]
    assert cells["Memory"] == ["16.0 GiB", "measured", "as published"]
    # A difference is visible.
    assert '<span class="verdict-fails">differs</span>' in html
    assert '<span class="origin-measured">measured</span>' in html


def test_the_page_knows_its_file_and_its_document(
    tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDYBOOK_HOME", str(REPOSITORY))
    monkeypatch.setenv(provenance.NOTES_VARIABLE, str(tmp_path / "notes.json"))
    published_tables.read(tables.study, PUBLISHED).table(5)
    notes = json.loads((tmp_path / "notes.json").read_text(encoding="utf-8"))
    assert notes["published"][f"data/published/{STUDY}/tables.yml"] == sha256(FILE)
    assert "published" in notes["origins"]
    places = notes["documents"][PUBLISHED.document.title]
    assert "Table 5, “Spectrum Scale NSD servers”, chapter 4" in places
