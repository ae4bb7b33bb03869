"""The whole way on a copy of the project: what is stale and why, reruns, failures, other data."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import nbformat
import pytest
from pypdf import PdfReader

from studybook.dataset.paths import DataSet
from studybook.engine.normalise import injected
from studybook.engine.notebooks import Notebook
from studybook.engine.record import record_into_notebooks
from studybook.errors import StudyBookError
from tests.conftest import REPOSITORY
from tests.support.browser import chromium, served, visit
from tests.support.labels import complaints
from tests.support.processes import family, is_there, started, wait_until
from tests.support.project import Project, book_of_three, copy_project
from tests.support.shared import made_once

RAW = "data/raw/reference/flexible-scale"

#: The figures that open the IOR outputs.
OF_IOR = {
    f"flexible-scale/{name}" for name in ("bandwidth", "claims", "efficiency", "settings", "spread")
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return book_of_three(tmp_path_factory)


@pytest.fixture
def project(made: Project, tmp_path: Path) -> Project:
    return Project(Path(shutil.copytree(made.root, tmp_path / "project")))


@pytest.fixture(scope="module")
def mine(made: Project, tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, str]:
    """Return a project with the book of another data set and a notebook that fails, and its log."""

    def make(folder: Path) -> None:
        project = Project(Path(shutil.copytree(made.root, folder)))
        run = project.root / "data/raw/mine/flexible-scale/first-run"
        run.mkdir(parents=True)
        text = (project.root / RAW / "1-system-read/ior.txt").read_text()
        (run / "ior.txt").write_text(text.replace("8194.47", "9000.00"))
        (run / "run.yml").write_text(
            "study: flexible-scale\nrun: first-run\ntitle: mine\norigin: measured\n"
            "time_zone: UTC\nfactors: {storage_systems: 1, operation: read}\n"
            "files:\n  - path: ior.txt\n"
        )
        project.change(
            "notebooks/flexible-scale/mixed.ipynb", "look.use()", "look.use(); 1 / 0 # <b>"
        )
        done = project.run("book", "--data-set", "mine", code=1)
        (folder / "said.txt").write_text(done.stdout)

    folder = made_once(tmp_path_factory, "rerun-mine", make)
    own = shutil.copytree(folder, tmp_path_factory.mktemp("mine") / "project")
    return Project(own), (folder / "said.txt").read_text()


def stale(
    project: Project, data_set: str = "reference", *, own_process: bool = False
) -> dict[str, list[str]]:
    """What is stale, and why.

    In a process of its own where the library of the project was changed, or its book is large:
    a command begins with what the book remembers.
    """
    ask = project.run if own_process else project.call
    done = ask("status", "--json", "--data-set", data_set, code=None)
    found = {name: reasons for name, reasons in json.loads(done.stdout).items() if reasons}
    assert done.returncode == (3 if found else 0)
    return found


def plotted(project: Project, figure: str) -> list[dict[str, str]]:
    with (project.build / f"figures/flexible-scale/{figure}.csv").open() as stream:
        return list(csv.DictReader(stream))


def change_a_digit(project: Project) -> str:
    """Change a mean in an IOR output; return how that is named."""
    # The mean of the row only; the same digits stand in the column of operations.
    project.change(f"{RAW}/6-systems-read/ior.txt", "41456.85    41804.58", "41456.85    41804.68")
    return "data changed: flexible-scale/6-systems-read/ior.txt"


@pytest.mark.book
def test_a_changed_digit_makes_exactly_its_figures_stale(tmp_path: Path) -> None:
    """Of the whole reference data set and all figures there are."""
    project = copy_project(tmp_path / "project", built=True)
    before = stale(project, own_process=True)
    why = change_a_digit(project)
    after = stale(project, own_process=True)
    assert {name for name in after if why in after[name]} == {"database"} | OF_IOR
    others = {name: [each for each in after[name] if each != why] for name in after}
    changed = {name for name in others if others[name] != before.get(name, [])}
    assert changed <= {"book"}


@pytest.mark.browser
def test_the_book_is_printed_as_one_tagged_pdf(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, page = tmp_path / "the book.pdf", tmp_path / "printed.html"
    # The browser as it is, and the page that it was given.
    first = tmp_path / "bin/chromium"
    first.parent.mkdir()
    first.write_text(
        f'#!/bin/sh\nfor each; do :; done\ncp "${{each#file://}}" "{page}"\n'
        f'exec "{shutil.which("chromium")}" "$@"\n'
    )
    first.chmod(0o755)
    monkeypatch.setenv("PATH", str(first.parent), prepend=os.pathsep)
    said = project.call("pdf", "--output", str(target)).stdout
    assert "loading reports" in said
    pdf = PdfReader(target)
    assert {"/MarkInfo", "/StructTreeRoot"} <= pdf.root_object.keys()  # tagged
    told = "From 1 to 6 storage systems".encode("utf-16-be").hex().upper()
    assert f"/Alt <FEFF{told}".encode() in target.read_bytes()

    def outline(of: list[Any]) -> Iterator[tuple[str, int]]:
        for each in of:
            if isinstance(each, list):
                yield from outline(each)
            else:
                title = str(each.title).replace("\u00a0", " ")  # as extracted text has it
                yield title, (pdf.get_destination_page_number(each) or 0) + 1

    at = dict(outline(pdf.outline))
    contents = pdf.pages[1].extract_text()
    lines = re.findall(r"^(.+?) (\d+)$", contents, re.MULTILINE)
    assert [title for title, _ in lines][:4] == [
        "A small book",
        "Flexible",
        "All figures",
        "How much bandwidth do more storage systems give?",
    ]
    assert {title: at[title] for title, _ in lines} == {title: int(n) for title, n in lines}
    assert len(set(at.values())) > 3

    links = [note.get_object() for page in pdf.pages for note in page.get("/Annots", ())]
    inner = {str(link["/Dest"]) for link in links if "/Dest" in link}
    assert inner
    assert inner <= set(pdf.named_destinations)
    assert b"file:" not in target.read_bytes()

    with (
        chromium() as browser,
        served(tmp_path) as address,
        visit(browser, f"{address}/{page.name}") as seen,
    ):
        assert seen.page.locator(".study-chart-view svg").count() > 1
        assert not [said for said in complaints(seen) if "touches" in said or "on a line" in said]

    monkeypatch.setenv("PATH", "")
    refused = project.call("pdf", "--output", str(target), code=1).stderr
    assert "apt install chromium" in refused


def nbval(project: Project, notebook: str) -> subprocess.CompletedProcess[str]:
    """Run a notebook of the project under a strict comparison of its outputs."""
    return subprocess.run(
        [
            # What differs stands in no order, and is cut unless asked for whole.
            *(sys.executable, "-m", "pytest", "-vv", "-p", "no:cacheprovider"),
            *("--nbval", "--nbval-current-env", notebook),
        ],
        cwd=project.root,
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_is_stale_is_run_and_nothing_else(project: Project) -> None:
    assert stale(project) == {}
    why = change_a_digit(project)
    found = stale(project)
    figures = {"flexible-scale/bandwidth", "flexible-scale/claims"}
    assert set(found) == {"database", "book", *figures}
    assert found["database"] == [why]

    before = plotted(project, "bandwidth")
    done = project.call("figures")
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["ok", name] for name in sorted(figures)
    ]
    after = plotted(project, "bandwidth")
    changed = [(b, a) for b, a in zip(before, after, strict=True) if b != a]
    assert len(changed) == 1
    assert float(changed[0][1]["mean_gb_s"]) == pytest.approx(41804.68 * 1048576 / 1e9)
    assert set(stale(project)) == {"book"}

    # nbval compares the committed outputs with what the changed data give.
    checked = nbval(project, "notebooks/flexible-scale/bandwidth.ipynb")
    assert checked.returncode == 1, checked.stdout
    # The chart does, by the values that it plots, the reading of it, and the verdict by a bound of
    # an interval, which is rounded the other way; all other cells pass.
    failed = re.findall(r"^FAILED (\S+ \d+)", checked.stdout, re.MULTILINE)
    cells = [f"notebooks/flexible-scale/bandwidth.ipynb::Cell {number}" for number in (3, 4, 5)]
    assert failed == cells
    told = re.sub(r"\x1b\[[0-9;]*m", "", checked.stdout)
    assert "Cell 3: Cell outputs differ" in told
    assert "{'datasets': " in told


def test_a_page_that_was_altered_is_built_again(project: Project) -> None:
    project.change("build/reference/html/book/intro.html", "</h1>", " it is not</h1>")
    (project.build / "html/notes-of-mine.txt").write_text("none of the book's")
    assert stale(project) == {"book": ["built file changed: book/intro.html"]}
    page = project.build / "html/book/intro.html"
    assert "as they were" not in project.run("book").stderr
    assert " it is not</h1>" not in page.read_text()

    # Nothing is built where the same pages would come out, and what others put there stays.
    (project.build / "html/notes-of-mine.txt").write_text("none of the book's")
    built = page.stat().st_mtime_ns
    assert "as they were" in project.run("book").stderr
    assert page.stat().st_mtime_ns == built
    assert stale(project) == {}
    assert (project.build / "html/notes-of-mine.txt").is_file()

    (project.build / "book.json").write_text("null")
    assert stale(project) == {"book": ["never built"]}


def test_a_saved_chapter_reaches_a_page_that_is_open(project: Project) -> None:
    """While the book is served, and watched; Ctrl-C ends that with all that it has started."""
    arguments = ("serve", "--watch", "--port", "0")
    with started("-m", "studybook", *arguments, cwd=project.root) as process:
        assert process.stdout
        address = process.stdout.readline().split()[0]

        def said(what: str) -> None:
            assert process.stdout
            assert any(line.startswith(what) for line in iter(process.stdout.readline, ""))

        def page() -> str:
            with urlopen(f"{address}book/intro.html") as answer:  # noqa: S310 - our own
                assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
                return str(answer.read().decode())

        said("watching")
        (edition,) = re.findall(r'src="/-/reload.js" data-edition="(\S+)"', page())
        with urlopen(f"{address}-/changes") as news:  # noqa: S310 - our own

            def told() -> dict[str, str]:
                # A page hears something every quarter of a minute: this ends some day.
                line = next(each for each in islice(news, 100) if each.startswith(b"data: "))
                return dict(json.loads(line.removeprefix(b"data: ")))

            assert told() == {"edition": edition, "fault": ""}
            intro = project.root / "book/intro.md"
            text = intro.read_text()
            intro.write_text(f"{text}\nSaved while it is read.\n")
            after = told()
            assert after["edition"] != edition
            assert after["fault"] == ""
            assert "Saved while it is read." in page()
            built = project.build / "html/book/intro.html"
            assert "reload.js" not in built.read_text()

            # What cannot be built is told, and the pages before stay.
            toc = project.root / "book/_toc.yml"
            whole = toc.read_text()
            toc.write_text("nothing")
            fault = "studybook book ended with exit code 1: see the terminal"
            assert told() == {**after, "fault": fault}
            assert "Saved while it is read." in page()

        said("changed    book/_toc.yml")
        said("watching")
        toc.write_text(whole)
        wait_until(lambda: family(process), process, every=0.01)
        children = family(process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
        assert process.returncode == 0
        assert "Traceback" not in err
        assert not any(is_there(each) for each in children)


@pytest.mark.parametrize("most_kib", [300, 900])
def test_a_full_disk_while_pages_are_built_is_told(project: Project, most_kib: int) -> None:
    """Here: a file may not grow beyond some size. The theme has files of a megabyte."""
    page = project.build / "html/book/intro.html"
    before = page.read_bytes()
    project.change("book/intro.md", "# ", "# My ")
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f {most_kib}; exec {sys.executable} -m studybook book"],
        cwd=project.root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "File too large" in done.stderr
    assert page.read_bytes() == before
    assert set(stale(project)) == {"book"}


def test_each_kind_of_change_is_named(project: Project) -> None:
    project.change(f"{RAW}/1-system-read/run.yml", "title: ", "title: My ")
    project.change("data/published/flexible-scale.yml", "value: 8.6\n", "value: 8.7\n")
    project.change("notebooks/flexible-scale/mixed.ipynb", "published marks only", "just that")
    model = "studybook/models/staging/scale/nsd_server.sql"
    project.change(model, "SELECT", "SELECT DISTINCT")
    project.change("book/intro.md", "How high", "How very high")
    (project.raw / "parameters.yml").write_text("flexible-scale/bandwidth: {level: 0.99}\n")
    record = project.build / "figures/flexible-scale/balance.json"
    content = json.loads(record.read_text())
    content["versions"]["duckdb"] = "0.0.1"
    record.write_text(json.dumps(content))
    found = stale(project, own_process=True)
    run = "data changed: flexible-scale/1-system-read/run.yml"
    assert run in found["flexible-scale/bandwidth"]
    assert run not in found["flexible-scale/balance"]
    published = "published values changed: data/published/flexible-scale.yml"
    assert published in found["flexible-scale/mixed"]
    changed = "notebook changed: notebooks/flexible-scale/mixed.ipynb"
    assert changed in found["flexible-scale/mixed"]
    assert "model changed: flexible-scale.nsd_server" in found["flexible-scale/balance"]
    assert "model changed: flexible-scale.nsd_server" in found["database"]
    assert "parameter changed: level was 0.95, is 0.99" in found["flexible-scale/bandwidth"]
    assert any(
        r.startswith("library changed: duckdb 0.0.1 →") for r in found["flexible-scale/balance"]
    )
    assert "page changed: book/intro.md" in found["book"]


def test_parameters_reach_the_figure(project: Project) -> None:
    def width() -> float:
        row = plotted(project, "bandwidth")[0]
        return float(row["high"]) - float(row["low"])

    before = width()
    project.call("figures", "bandwidth", "-p", "level=0.99")
    # t(9) at 99.5 % over t(9) at 97.5 %
    assert width() / before == pytest.approx(3.249836 / 2.262157, rel=1e-5)
    assert stale(project)["flexible-scale/bandwidth"] == [
        "parameter changed: level was 0.99, is 0.95"
    ]
    notebook = nbformat.read(project.build / "notebooks/flexible-scale/bandwidth.ipynb", 4)
    assert injected(notebook) == ["# Parameters of this run\nlevel = 0.99"]
    done = project.call("figures", "bandwidth", "-p", "levle=0.9", code=1)
    assert "did you mean level?" in done.stderr
    done = project.call("figures", "bandwith", code=1)
    assert "did you mean bandwidth?" in done.stderr
    assert project.call("figures", "bandwidth", "-p", "level", code=2).stderr


FIG19 = "ecm-scaleout/fig19-user-curve"


@pytest.mark.parametrize(
    ("name", "good", "bad", "said"),
    [
        ("load_levels", {100: "low"}, [100], r"\[100\]\n  → give a map, such as \{250: low"),
        ("users", 0.5, "9", r"'9'\n  → give a number, such as 1000"),
        ("users", 5, True, "True\n  → give a number"),
        ("data_set", "15", 15, "15\n  → give a text, between quotation marks"),
        ("data_set", "mine", None, "None\n  → give a text"),
    ],
)
def test_a_parameter_is_of_the_kind_of_its_default(
    name: str, good: object, bad: object, said: str
) -> None:
    figure = Notebook(FIG19, REPOSITORY / f"notebooks/{FIG19}.ipynb")
    figure.check_parameters({name: good})
    with pytest.raises(StudyBookError, match=f"{name} is {said}"):
        figure.check_parameters({name: bad})


def test_a_failed_figure_shows_its_error_and_the_others_are_built(
    mine: tuple[Project, str],
) -> None:
    project, log = mine
    assert "failed     flexible-scale/mixed: ZeroDivisionError" in log
    html = project.root / "build/mine/html"
    page = (html / "notebooks/flexible-scale/mixed.html").read_text()
    assert "This figure failed" in page
    assert "ZeroDivisionError: division by zero" in page
    assert "<strong>failed</strong>" in (html / "book/figures.html").read_text()
    assert "study-chart" in (html / "notebooks/flexible-scale/bandwidth.html").read_text()
    # Nothing has changed, but what failed is not fresh; running it again fails again.
    found = stale(project, "mine")
    assert set(found) == {"flexible-scale/mixed", "book"}
    assert "failed: ZeroDivisionError" in found["flexible-scale/mixed"][0]
    again = project.run("figures", "--data-set", "mine", code=1)
    assert "failed     flexible-scale/mixed: ZeroDivisionError" in again.stdout


def test_if_no_file_may_be_left_out_everything_stays_as_it_was(project: Project) -> None:
    database = (project.build / "study.duckdb").read_bytes()
    reports = sorted((project.build / "load").iterdir())
    path = project.root / RAW / "1-system-write/ior.txt"
    path.write_text("IOR-3.1.0: MPI Coordinated Test of Parallel I/O\n\nior ERROR: no\n")
    done = project.call("load", "--strict", code=1)
    assert str(path) in done.stderr
    assert (project.build / "study.duckdb").read_bytes() == database
    assert sorted((project.build / "load").iterdir()) == reports
    assert not list(project.build.glob("loading-*"))


def test_another_data_set_gives_another_book(mine: tuple[Project, str]) -> None:
    project, log = mine
    states = {
        line[10:].split("flexible-scale/")[1].split(":")[0]: line[:10].strip()
        for line in log.splitlines()
        if line[11:].startswith("flexible-scale/")
    }
    # The notebook of the claims was taken out: the page of the library judges them.
    assert states == {
        "balance": "needs data", "bandwidth": "ok", "claims": "ok", "mixed": "failed"
    }  # fmt: skip
    html = project.root / "build/mine/html/notebooks/flexible-scale"
    balance = (html / "balance.html").read_text()
    assert "Not in this data set" in balance
    assert "mmlsnsd" in balance
    assert "Traceback" not in balance
    assert "9.44" in (html / "bandwidth.html").read_text()  # 9000 MiB/s in GB/s
    bare = re.sub(r"<[^>]+>", "", (html / "bandwidth.html").read_text())
    # Below the default, in the fold of the code, which its reader runs again.
    code = unescape(bare)
    code = code[code.index('data_set = "reference"') : code.index("open_study(")]
    assert '# Parameters of this run\ndata_set = "mine"' in code
    assert "studybook figures flexible-scale/bandwidth --data-set mine --force" in bare
    # The reference data set is what it was, but for the notebook that fails.
    assert set(stale(project)) == {"flexible-scale/mixed", "book"}


def test_a_source_has_a_report_as_long_as_it_has_files(project: Project) -> None:
    def reports() -> list[str]:
        return sorted(path.stem for path in (project.build / "load").iterdir())

    assert reports() == ["all", "ior", "scale"]
    assert (project.build / "html/pipelines/load/scale.html").is_file()
    for path in sorted((project.raw / "flexible-scale").glob("*/")):
        if not (path / "ior.txt").exists():
            shutil.rmtree(path)
    project.call("load")
    assert reports() == ["all", "ior"]
    assert stale(project)["book"][-1].startswith("page removed: build/reference/load/scale.ipynb")


def clear(path: Path) -> None:
    """Take the outputs out of a notebook."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.write(notebook, path)


def test_recording_stores_what_nbval_guards(project: Project) -> None:
    path = project.root / "notebooks/flexible-scale/bandwidth.ipynb"
    recorded = path.read_text()
    clear(path)
    assert path.read_text() != recorded
    done = project.call("record", "bandwidth")
    assert "recorded   notebooks/flexible-scale/bandwidth.ipynb" in done.stdout
    assert path.read_text() == recorded


SHARED = """\
notebook: flexible-scale/bandwidth
heading: |
  # Bandwidth with narrow intervals

  The same as before, less sure.
parameters: {level: 0.5}
"""


def test_a_figure_can_share_the_notebook_of_another(project: Project) -> None:
    listed = project.root / "notebooks/flexible-scale/narrow.yml"
    listed.write_text(SHARED)
    committed = project.root / "notebooks/flexible-scale/bandwidth.ipynb"
    before = committed.read_text()
    done = project.call("record", "narrow")
    assert "recorded   notebooks/flexible-scale/recorded/narrow.ipynb" in done.stdout
    assert committed.read_text() == before
    assert "flexible-scale/narrow" not in stale(project)
    wide, narrow = plotted(project, "bandwidth"), plotted(project, "narrow")
    assert [row["mean_gb_s"] for row in narrow] == [row["mean_gb_s"] for row in wide]
    assert narrow != wide
    # It is run as it lies there, so its outputs are guarded as those of any notebook.
    checked = nbval(project, "notebooks/flexible-scale/recorded/narrow.ipynb")
    assert checked.returncode == 0, checked.stdout
    project.run("book")
    page = (project.build / "html/notebooks/flexible-scale/narrow.html").read_text()
    assert "less sure" in page
    assert "Bandwidth with narrow intervals" in page
    listed.write_text(SHARED.replace("less", "no less"))
    assert stale(project)["flexible-scale/narrow"] == [
        "notebook changed: notebooks/flexible-scale/bandwidth.ipynb"
        " or notebooks/flexible-scale/narrow.yml"
    ]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("scale/bandwidth", "scale/bandwith", "narrow.yml: there is no notebook 'flexible-scale/b"),
        ("{level: 0.5}", "{levels: 0.5}", "flexible-scale/narrow has no parameter 'levels'"),
        ("# Band", "Band", "narrow.yml, line 2: heading: its first line must be the title"),
        ("{level: 0.5}", "{}", "narrow.yml, line 6: parameters: it must have at least 1 entry"),
    ],
)
def test_what_is_wrong_with_a_shared_notebook_is_named(
    project: Project, before: str, after: str, said: str
) -> None:
    text = SHARED.replace(before, after)
    (project.root / "notebooks/flexible-scale/narrow.yml").write_text(text)
    assert said in project.call("figures", "narrow", code=1).stderr


def test_a_figure_has_one_file(project: Project) -> None:
    (project.root / "notebooks/flexible-scale/balance.yml").write_text(SHARED)
    said = project.call("figures", "narrow", code=1).stderr
    assert re.search(r"balance\.yml: .*balance\.ipynb.*\n  → ", said)


def test_recording_takes_the_loading_report_along(project: Project) -> None:
    path = project.root / "pipelines/load.ipynb"
    clear(path)
    data_set = DataSet("reference", project.root)
    assert record_into_notebooks(data_set, []) == [Path("pipelines/load.ipynb")]
    assert record_into_notebooks(data_set, []) == []
    assert "ior-text" in path.read_text()


def test_a_comment_or_what_a_figure_has_no_use_for_makes_nothing_stale(project: Project) -> None:
    project.change("studybook/charts/look.py", '"""The look of a figure', '"""A look of a figure')
    project.change("studybook/study/study.py", "# One thread:", "# No more than one thread:")
    project.change("studybook/models/staging/scale/nsd_server.sql", "SELECT", "-- A remark\nSELECT")
    assert stale(project, own_process=True) == {}
    # A reader of another format, and a model that no figure asks.
    project.change("studybook/formats/dbench/reader.py", "import re\n", "import re\nUNUSED = 1\n")
    assert stale(project, own_process=True) == {}


def test_what_a_figure_follows_from_is_explained(project: Project) -> None:
    told = project.call("status", "--explain", "flexible-scale/balance").stdout
    assert told.startswith("fresh  flexible-scale/balance")
    assert re.search(r"^ +nsd_server ← raw_file, scale_nsd$", told, re.MULTILINE)
    assert re.search(r"^  readers +.*scale-text", told, re.MULTILINE)
    project.change("studybook/models/staging/scale/nsd_server.sql", "SELECT", "SELECT DISTINCT")
    told = project.run("status", "--explain", "flexible-scale/balance", code=3).stdout
    assert "model changed: flexible-scale.nsd_server" in told


def test_recording_refuses_a_figure_with_parameters_of_its_own(project: Project) -> None:
    path = project.root / "notebooks/flexible-scale/bandwidth.ipynb"
    recorded = path.read_text()
    (project.raw / "parameters.yml").write_text("flexible-scale/bandwidth: {level: 0.9}\n")
    done = project.call("record", "bandwidth", code=1)
    assert re.search(r"bandwidth\.ipynb: .*\blevel = 0\.9\b", done.stderr)
    advice = done.stderr.split("→")[1]
    assert "flexible-scale/bandwidth" in advice
    assert "data/raw/reference/parameters.yml" in advice
    assert path.read_text() == recorded
