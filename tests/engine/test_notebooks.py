"""The committed notebooks: thin, recorded, in the book, and free of this machine."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path

import nbformat
import pytest
import yaml

from studybook.code import LIBRARY
from studybook.engine import notebooks
from studybook.engine.execute import Task, run_all
from studybook.engine.normalise import assignments, injected, normalise
from studybook.engine.notebooks import (
    RECORDED,
    Notebook,
    figures,
    figures_of_any,
    load_notebook,
)
from studybook.engine.outputs import chart_spec
from tests.conftest import REPOSITORY

FIGURES = figures(REPOSITORY)
#: Those of the library, which fit any study.
OF_ANY = figures_of_any("exports")
#: Those of them that the run of the book feeds.
DRAWN = [each for each in OF_ANY if each.path.parent.name == "any-study"]
#: Pages of tables.
TABLES_ONLY = ("settings", "claims", "tables", "disagreements")
LOADS = [load_notebook(REPOSITORY)]

#: Those that run the notebook of another figure.
SHARED = [each for each in FIGURES if each.listed]

every = pytest.mark.parametrize("notebook", [*FIGURES, *OF_ANY, *LOADS], ids=lambda each: each.id)
every_recorded = pytest.mark.parametrize(
    "notebook", [*FIGURES, *DRAWN, *LOADS], ids=lambda each: each.id
)
every_figure = pytest.mark.parametrize("notebook", [*FIGURES, *DRAWN], ids=lambda each: each.id)


def recorded(notebook: Notebook) -> nbformat.NotebookNode:
    """The notebook with the outputs that are committed."""
    return nbformat.read(notebook.recorded, as_version=4)


def test_there_are_figures() -> None:
    assert len(FIGURES) >= 7


def test_each_run_has_a_page_of_its_own_name() -> None:
    found = [each for each in figures_of_any("shop", ["mon", "tue"]) if each.study == "shop"]
    of_runs = [each for each in found if each.path.parent.name == "any-run"]
    assert [each.title for each in of_runs] == ["Run mon", "Run tue"]
    # What is recorded of one run does not give its name to all.
    assert nbformat.read(of_runs[0].path, as_version=4).cells[0].source.startswith("# A run\n")


@every
def test_it_takes_the_data_set_as_parameter(notebook: Notebook) -> None:
    assert notebook.defaults["data_set"] == "reference"


@every_recorded
def test_every_cell_ran_and_none_failed(notebook: Notebook) -> None:
    cells = recorded(notebook).cells
    counts = [c.execution_count for c in cells if c.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1)), "run: make record"
    # A loading report prints what it found, and nothing writes to stderr.
    kinds = {o.get("name", o.output_type) for c in cells for o in c.get("outputs", [])}
    assert kinds <= {"execute_result", "display_data", "stdout"}, kinds


@pytest.mark.parametrize("notebook", SHARED, ids=lambda each: each.id)
def test_what_is_recorded_of_a_shared_notebook_is_a_run_of_it(notebook: Notebook) -> None:
    """So it cannot drift from the notebook that people edit."""
    cells = recorded(notebook).cells
    given = injected(recorded(notebook))
    assert given == [assignments(notebook.injected(notebook.given))]
    ran = [cell.source for cell in cells if cell.source not in given]
    assert ran == [cell.source for cell in notebook.content.cells]


def test_all_that_is_recorded_is_of_a_figure() -> None:
    there = {*(REPOSITORY / "notebooks").glob(f"*/{RECORDED}/*")}
    assert there == {each.recorded for each in SHARED}


@every_recorded
def test_it_is_in_normal_form(notebook: Notebook) -> None:
    text = notebook.recorded.read_text(encoding="utf-8")
    content = nbformat.reads(text, as_version=4)
    normalise(content, notebook.injected(notebook.given) if notebook.listed else None)
    assert nbformat.writes(content) + "\n" == text, "run: make record"
    nbformat.validate(content)


@every_recorded
def test_it_carries_no_path_of_a_machine(notebook: Notebook) -> None:
    text = notebook.recorded.read_text(encoding="utf-8")
    assert not re.search(r"(?<![\w.])/(root|tmp|work|home|Users)/", text)


@every
def test_it_is_thin(notebook: Notebook) -> None:
    code = [c.source for c in notebook.content.cells if c.cell_type == "code"]
    # A chart in plain sight, and what it says, take some 40 lines more than a call that hides it.
    assert sum(source.count("\n") + 1 for source in code) <= 150
    assert not any(re.search(r"^(def|class|for) ", source, re.MULTILINE) for source in code)
    assert sum("SELECT" in source for source in code) <= 3


@every
def test_it_begins_with_its_title(notebook: Notebook) -> None:
    assert notebook.content.cells[0].source.startswith("# ")


@every_figure
def test_a_chart_holds_its_finding_and_description(notebook: Notebook) -> None:
    spec = chart_spec(recorded(notebook))
    if spec is None:
        assert notebook.id.split("/")[1] in TABLES_ONLY, "draws no chart"
        return
    assert spec["description"]
    assert spec["title"]["text"]
    assert len(spec["datasets"]) == 1


@pytest.mark.parametrize("notebook", FIGURES, ids=lambda each: each.id)
def test_it_is_listed_or_will_be_added_to_its_study(notebook: Notebook) -> None:
    toc = yaml.safe_load((REPOSITORY / "book/_toc.yml").read_text(encoding="utf-8"))
    assert f"notebooks/{notebook.id.split('/')[0]}/" in str(toc)


def test_the_notebook_that_loads_is_that_of_the_library() -> None:
    """A book that has none of its own loads by that one."""
    of_library = LIBRARY / "template/pipelines/load.ipynb"
    sources = [
        [cell.source for cell in nbformat.read(path, as_version=4).cells]
        for path in (LOADS[0].path, of_library)
    ]
    assert sources[0] == sources[1]


def test_every_listed_page_exists() -> None:
    toc = yaml.safe_load((REPOSITORY / "book/_toc.yml").read_text(encoding="utf-8"))
    listed = [*re.findall(r"'file': '([^']+)'", str(toc)), toc["root"]]
    notebooks = {f"notebooks/{each.id}" for each in FIGURES}
    for name in listed:
        assert name in notebooks or Path(REPOSITORY, name).with_suffix(".md").is_file(), name


def test_a_notebook_that_names_no_kernel_is_one_of_python(tmp_path: Path) -> None:
    """As Jupyter takes it: who writes one by hand, or by a program, may leave that out."""
    path, output = tmp_path / "new.ipynb", tmp_path / "out/new.ipynb"
    cells = [nbformat.v4.new_code_cell(each) for each in ('data_set = "main"', "data_set")]
    cells[0].metadata.tags = ["parameters"]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    Notebook("shop/new", path).check_parameters({"data_set": "other"})
    (outcome,) = run_all([Task("new", path, output, {"data_set": "other"}, tmp_path)], 1, str)
    assert (outcome.state, outcome.message) == ("ok", "")
    assert "'other'" in output.read_text()


def test_a_notebook_that_many_figures_share_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []
    real = notebooks.read_headed

    def counted(path: Path, heading: str = "") -> nbformat.NotebookNode:
        read.append(path)
        return real(path, heading)

    monkeypatch.setattr(notebooks, "read_headed", counted)
    path = tmp_path / "run.ipynb"
    shutil.copy(LIBRARY / "template/notebooks/any-run/run.ipynb", path)
    shared = [Notebook(f"lab/run-{n}", path, {}, f"# Run {n}\n\nText") for n in range(50)]
    assert [each.title for each in shared] == [f"Run {n}" for n in range(50)]
    assert len({each.code for each in shared}) == 50
    assert {tuple(each.written_defaults) for each in shared} == {tuple(shared[0].written_defaults)}
    assert len(read) == 1
    # What is asked of all of it at once says the same.
    cells = [(cell.cell_type, cell.source) for cell in shared[7].content.cells]
    assert shared[7].code == hashlib.sha256(repr(cells).encode()).hexdigest()
