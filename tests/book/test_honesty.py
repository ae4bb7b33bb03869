"""What must never be taken together, left out silently, or shown as something else."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import pytest

from studybook.claims.judge import CannotJudge, evaluate, evidence
from studybook.claims.published_values import Claim
from studybook.claims.verdict import Verdict
from studybook.dataset.inventory import take_inventory
from studybook.dataset.manifest import read_run
from studybook.dataset.paths import DataSet
from studybook.engine.notebooks import declared_parameters, figures
from studybook.engine.outputs import Record
from studybook.engine.stale import figure_reasons, load_reasons
from studybook.errors import NeedsData, StudyBookError
from studybook.frames import figure_data
from studybook.publish.decorate import decorate_figure
from studybook.records import ledger
from studybook.records.load import load
from studybook.records.report import LoadReport
from studybook.study.study import Study, open_study
from tests.conftest import REPOSITORY
from tests.support.project import Project, bare_project

READ = REPOSITORY / "data/raw/reference/flexible-scale/1-system-read/ior.txt"
NSD = REPOSITORY / "data/raw/reference/flexible-scale/6-systems-configuration/mmlsnsd.txt"
ABORTED = sorted((REPOSITORY / "tests/data/ior").glob("*aborted*.txt"))[0]
CSV = next(
    path
    for path in sorted((REPOSITORY / "tests/data/ior").glob("*.csv"))
    if path.read_text().startswith("access,bw")
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = bare_project(tmp_path / "project")
    monkeypatch.setenv("STUDYBOOK_HOME", str(project.root))
    return project


def add_run(project: Project, name: str, files: dict[str, str], **keys: Any) -> None:
    folder = project.root / "data/raw/mine" / keys.get("study", "flexible-scale") / name
    folder.mkdir(parents=True)
    for file, text in files.items():
        (folder / file).write_text(text)
    content = {"study": "flexible-scale", "run": name, "title": "t", "origin": "measured"}
    listed = ", ".join(f"{{path: {file}}}" for file in files)
    content |= {"time_zone": "UTC", "factors": "{}", "files": f"[{listed}]"} | keys
    (folder / "run.yml").write_text("".join(f"{k}: {v}\n" for k, v in content.items()))


def reads(storage_systems: int) -> str:
    return f"{{storage_systems: {storage_systems}, operation: read}}"


@dataclass(frozen=True)
class Mine:
    """A data set in which each number of storage systems is a case of its own."""

    project: Project
    study: Study
    ior: LoadReport


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Mine:
    """Return it loaded and opened, once for all tests that only ask."""
    project, text = bare_project(tmp_path_factory.mktemp("mine") / "project"), READ.read_text()
    add_run(project, "one", {"ior.txt": text}, factors=reads(1))
    add_run(project, "real", {"ior.txt": text}, factors=reads(2))
    add_run(project, "model", {"ior.txt": text.replace("8194.47", "4000.00")},
            factors=reads(2), origin="simulated")  # fmt: skip
    more = text.replace("10 (1 per node)", "20 (2 per node)").replace("320 GiB", "640 GiB")
    add_run(project, "ten-tasks", {"ior.txt": text}, factors=reads(3))
    add_run(project, "twenty-tasks", {"ior.txt": more}, factors=reads(3))
    add_run(project, "first", {"ior.txt": text}, factors=reads(4))
    add_run(project, "second", {"ior.txt": text}, factors=reads(4))
    add_run(project, "config", {"before.txt": NSD.read_text(), "after.txt": NSD.read_text()})
    add_run(project, "csv", {"ior.csv": CSV.read_text()})
    add_run(project, "cut", {"ior.txt": ABORTED.read_text()})
    with pytest.MonkeyPatch.context() as context:
        context.setenv("STUDYBOOK_HOME", str(project.root))
        load("scale", data_set="mine")
        ior = load("ior", data_set="mine")
        return Mine(project, open_study("flexible-scale", data_set="mine"), ior)


def read_claim(**changes: Any) -> Claim:
    base: dict[str, Any] = {"id": "c", "statement": "s", "place": "p", "figure": "bandwidth"}
    base |= {"kind": "value", "metric": "bandwidth_gb_s", "operator": "=", "value": 8.6}
    base |= {"unit": "GB/s", "of": {"operation": "read", "storage_systems": 1}}
    base |= {"tolerance": {"absolute": 0.1}, "tolerance_because": "a test"}
    return Claim.model_validate(base | changes)


def test_measured_and_simulated_runs_are_not_taken_together(mine: Mine) -> None:
    found = evaluate(mine.study, read_claim(of={"operation": "read", "storage_systems": 2}))
    assert found.verdict is Verdict.UNJUDGED
    assert "measured; simulated" in found.why


def test_a_ratio_never_has_two_origins() -> None:
    columns = ["origin", "workload", "systems", "n", "mean", "sd"]
    rows = [("measured", "read", 1, 9, 2.0, 0.1), ("simulated", "read", 6, 9, 9.0, 0.1)]
    frame = pd.DataFrame(rows, columns=columns)
    found = figure_data.scaling_efficiency(frame, group="workload", size="systems")
    assert found.empty


def test_different_tests_are_not_repetitions(mine: Mine) -> None:
    with pytest.raises(CannotJudge, match=r"tests: .*10 tasks.*20 tasks"):
        evidence(mine.study, "bandwidth_gb_s", {"operation": "read", "storage_systems": 3})
    frame = mine.study.query(
        "SELECT operation, test FROM bandwidth WHERE run_id LIKE '%-tasks' ORDER BY test"
    )
    assert len(frame) == 2
    with pytest.raises(NeedsData, match=r"10 tasks.*20 tasks"):
        figure_data.one_test(frame, ["operation"], ["test"])


def test_two_runs_of_one_test_are_pooled(mine: Mine) -> None:
    found = evidence(mine.study, "bandwidth_gb_s", {"storage_systems": 4})
    assert found.sample.n == 20
    assert found.sample.mean == pytest.approx(8194.47 * 1048576 / 1e9)


def test_a_disk_that_was_captured_twice_counts_once(mine: Mine) -> None:
    frame = mine.study.query("SELECT first_disks, disks FROM nsd_server ORDER BY server")
    assert frame["first_disks"].tolist() == [9, 9, 9, 9]
    assert frame["disks"].tolist() == [18, 18, 18, 18]


def test_csv_reaches_the_figures_and_aborted_runs_are_named(mine: Mine) -> None:
    runs = mine.study.query("SELECT DISTINCT run_id FROM bandwidth")["run_id"].tolist()
    assert "flexible-scale/csv" in runs
    assert "flexible-scale/cut" not in runs
    assert mine.ior.left_out["file"].tolist() == ["flexible-scale/cut/ior.txt"]
    assert mine.ior.left_out["status"].tolist() == ["aborted"]
    with pytest.raises(NeedsData, match=r"Left out: flexible-scale/cut/ior.txt \(aborted\)"):
        mine.study.require("SELECT 1 WHERE false", "something else")


def test_provenance_is_what_was_loaded_not_what_lies_there_now(mine: Mine, tmp_path: Path) -> None:
    now_there = DataSet("mine", Path(shutil.copytree(mine.project.root, tmp_path / "project")))
    path = now_there.raw / "flexible-scale/one/ior.txt"
    path.write_text(READ.read_text().replace("8194.47", "8294.47"))
    for table in ("ior_summary", "gpfsperf_run", "scale_nsd"):
        mine.study.query(f"SELECT count(*) FROM {table}")
    now = mine.study.scope.inputs(take_inventory(now_there), mine.study.sources)
    then = mine.study.inputs()
    files = [path for path in now_there.raw.rglob("*.*") if path.is_file()]
    assert len(files) == 21
    assert set(now) == set(then) == {str(path.relative_to(now_there.raw)) for path in files}
    assert [name for name in now if now[name] != then[name]] == ["flexible-scale/one/ior.txt"]


def test_what_is_declared_is_what_is_seen(project: Project) -> None:
    # Without the list of factors of the study, which would not take all of these.
    (project.root / "pipelines/flexible-scale/study.yml").unlink()
    for name, written in {"whole": "1", "text": '"1"', "float": "1.0", "other": "2"}.items():
        factors = f"{{storage_systems: {written}}}"
        add_run(project, name, {"ior.txt": READ.read_text()}, factors=factors)
    load("ior", data_set="mine")
    study = open_study("flexible-scale", data_set="mine", runs={"storage_systems": 1})
    names = study.query("SELECT run_id FROM ior_summary JOIN raw_file USING (file_id) ORDER BY ALL")
    seen = [f"flexible-scale/{name}" for name in ("float", "text", "whole")]
    assert names["run_id"].tolist() == seen
    assert study.inputs() == study.scope.inputs(
        take_inventory(DataSet.named("mine")), study.sources
    )


def test_a_query_cannot_leave_its_scope(mine: Mine) -> None:
    for query in (
        "FROM store.raw_file",
        'FROM "store".run',
        "FROM Derived . run_metric",
        "FROM read_text('/etc/hostname')",
        "ATTACH 'x.db'",
    ):
        with pytest.raises(StudyBookError):
            mine.study.query(query)


@pytest.mark.parametrize(
    ("factors", "said"),
    [
        ("{storage_systems: 1.5}", "storage_systems is 1.5"),
        ("{storage_systems: 0}", "expected a whole number from 1 on"),
        ("{storage_systems: one}", "storage_systems is 'one'"),
        ("{operation: wriet}", "expected read or write"),
        ("{storage_system: 1}", "did you mean storage_systems?"),
    ],
)
def test_factors_are_held_against_those_of_the_study(
    project: Project, factors: str, said: str
) -> None:
    add_run(project, "one", {"ior.txt": READ.read_text()}, factors=factors)
    with pytest.raises(StudyBookError) as error:
        take_inventory(DataSet.named("mine"))
    assert re.search(r"one/run\.yml, line \d+: factors\.", str(error.value))
    assert said in str(error.value)


def test_a_host_that_run_yml_does_not_list_is_told(project: Project) -> None:
    """Figures that go by roles would leave it out, and nobody would know."""
    text = (REPOSITORY / "tests/data/sar/sar-tabs.txt").read_text()
    add_run(project, "misspelt", {"sar.txt": text}, hosts="[{name: curlews, role: driver}]")
    add_run(project, "listed", {"sar.txt": text}, hosts="[{name: curlew, role: driver}]")
    add_run(project, "without", {"sar.txt": text})
    load("sar", data_set="mine")
    found = ledger.hosts_not_listed(DataSet.named("mine").database)
    assert found == [("curlew", "flexible-scale/misspelt/sar.txt")]


@pytest.mark.parametrize(
    ("operator", "value", "verdict"),
    [
        (">", 36, Verdict.FAILS),
        ("<", 36, Verdict.FAILS),
        (">=", 36, Verdict.HOLDS),
        ("<=", 36, Verdict.HOLDS),
        (">", 35, Verdict.HOLDS),
    ],
)
def test_strict_operators_are_strict(
    mine: Mine, operator: str, value: int, verdict: Verdict
) -> None:
    claim = read_claim(
        metric="nsd_disks", of={}, unit="disks", tolerance=None, operator=operator, value=value
    )
    assert evaluate(mine.study, claim).verdict is verdict


def test_a_claim_that_its_document_cannot_back_is_judged_where_data_can(mine: Mine) -> None:
    assert evaluate(mine.study, read_claim(cannot_be_judged="no output")).verdict is Verdict.HOLDS
    absent = read_claim(cannot_be_judged="no output", of={"operation": "write"})
    assert evaluate(mine.study, absent).why == "no output"


def test_a_claim_in_another_unit_is_refused() -> None:
    with pytest.raises(ValueError, match=r"bandwidth_gb_s .*GB/s.*'MiB/s'"):
        read_claim(unit="MiB/s")


@pytest.mark.parametrize("level", [0, 1, 2, -1, "much"])
def test_a_level_that_is_none_is_refused(level: object) -> None:
    frame = pd.DataFrame({"n": [3], "mean": [1.0], "sd": [0.1]})
    with pytest.raises(StudyBookError, match="between 0 and 1"):
        figure_data.with_interval(frame, level)  # type: ignore[arg-type]


def test_a_figure_stays_in_its_data_set(project: Project) -> None:
    add_run(project, "one", {"ior.txt": READ.read_text()})
    (project.root / "data/raw/mine/parameters.yml").write_text(
        "flexible-scale/bandwidth: {data_set: reference}\n"
    )
    with pytest.raises(StudyBookError, match="that which it lies in"):
        declared_parameters(DataSet.named("mine"))
    Project(REPOSITORY).run("figures", "-p", "data_set=mine", code=2)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("- a\n", ": holds no keys"),
        ("flexible-scale/bandwith: {}\n", r"line 1: there is no figure .*\n  → .*/bandwidth"),
        ("flexible-scale/bandwidth: 5\n", r"line 1: .*: parameters are expected\n  → write as"),
        ("\nflexible-scale/bandwidth: {levl: 1}\n", r"line 2: .* no parameter 'levl'\n  → .*level"),
    ],
)
def test_parameters_of_a_data_set_are_refused_by_line(
    project: Project, written: str, said: str
) -> None:
    add_run(project, "one", {"ior.txt": READ.read_text()})
    (project.root / "data/raw/mine/parameters.yml").write_text(written)
    with pytest.raises(StudyBookError, match=rf"/mine/parameters\.yml.*{said}"):
        declared_parameters(DataSet.named("mine"))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("title: t", "title: t\ntitle: u", "title is given twice"),
        ("time_zone: UTC", "time_zone: UTC\nstart: 2016", "start: a date and time"),
        ("path: ior.txt", "path: ./ior.txt", "inside the run's folder"),
    ],
)
def test_a_manifest_says_one_thing(project: Project, before: str, after: str, said: str) -> None:
    add_run(project, "one", {"ior.txt": READ.read_text()})
    path = project.root / "data/raw/mine/flexible-scale/one/run.yml"
    path.write_text(path.read_text().replace(before, after))
    with pytest.raises(StudyBookError, match=said):
        read_run(path)


@pytest.mark.book
def test_missing_products_are_stale(tmp_path: Path) -> None:
    built = bare_project(tmp_path / "project", "flexible-scale")
    for name in ("figures/flexible-scale", "notebooks/flexible-scale", "load"):
        shutil.copytree(REPOSITORY / "build/reference" / name, built.build / name)
    shutil.copy2(REPOSITORY / "build/reference/study.duckdb", built.build)
    place = DataSet("reference", built.root)
    inventory = take_inventory(place)
    bandwidth = next(each for each in figures(built.root) if each.id.endswith("/bandwidth"))
    parameters = {"data_set": "reference"}
    assert figure_reasons(place, bandwidth, parameters, inventory) == []
    data = built.build / "figures/flexible-scale/bandwidth.csv"
    text = data.read_text(encoding="utf-8")
    data.write_text(text.replace("8.59", "9.59"), encoding="utf-8")
    reasons = figure_reasons(place, bandwidth, parameters, inventory)
    assert reasons == ["output changed: figures/flexible-scale/bandwidth.csv"]
    data.unlink()
    reasons = figure_reasons(place, bandwidth, parameters, inventory)
    assert reasons == ["output missing: figures/flexible-scale/bandwidth.csv"]
    (built.build / "load/ior.ipynb").unlink()
    assert load_reasons(place, inventory) == ["output missing: load/ior.ipynb"]


def test_a_damaged_database_is_made_again(project: Project) -> None:
    add_run(project, "one", {"ior.txt": READ.read_text()})
    place = DataSet.named("mine")
    project.run("load", "-d", "mine")
    inventory = take_inventory(place)
    assert load_reasons(place, inventory) == []
    good = place.database.read_bytes()
    # One bit, wherever it is: most of the file is opened by nobody for a while.
    for flipped in range(0, len(good), len(good) // 50):
        bad = bytearray(good)
        bad[flipped] ^= 1
        place.database.write_bytes(bad)
        assert load_reasons(place, inventory) == ["the database was altered or damaged"]
    place.database.write_bytes(good)
    assert load_reasons(place, inventory) == []
    place.database.write_bytes(b"damaged")
    assert load_reasons(place, inventory) == ["the database was altered or damaged"]
    assert project.run("load", "-d", "mine").stdout.startswith("loaded 1 file")
    assert load_reasons(place, inventory) == []


@pytest.fixture(scope="module")
def of_two(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a project of two runs of two studies, loaded."""
    project = bare_project(tmp_path_factory.mktemp("two") / "project")
    add_run(project, "one", {"ior.txt": READ.read_text()})
    add_run(project, "two", {"ior.txt": READ.read_text()}, study="other-scale")
    project.run("load", "-d", "mine")
    return project


@pytest.mark.parametrize("kind", ["records", "models"])
def test_damaged_tables_are_made_again(project: Project, of_two: Project, kind: str) -> None:
    for part in ("data/raw/mine", "build"):
        shutil.copytree(of_two.root / part, project.root / part)
    place = DataSet.named("mine")
    inventory = take_inventory(place)
    tables = place.build / kind
    one, two = sorted(each.parent for each in tables.rglob("account.json"))
    folder = one.relative_to(tables).as_posix()
    there = {path: path.read_bytes() for path in sorted(one.iterdir())}
    assert len(there) > 2
    for path, good in [*there.items()][:3]:  # the account, and two tables
        for flipped in range(0, len(good), len(good) // 5):
            bad = bytearray(good)
            bad[flipped] ^= 1
            path.write_bytes(bad)
            assert load_reasons(place, inventory) == [f"{kind} altered or damaged: {folder}"]
        path.unlink()
        assert load_reasons(place, inventory) == [f"{kind} altered or damaged: {folder}"]
        path.write_bytes(good)
        assert load_reasons(place, inventory) == []
    other = [path.stat().st_mtime_ns for path in two.iterdir()]
    path.write_bytes(b"damaged")
    assert project.run("load", "-d", "mine").stdout.startswith("loaded 2 files")
    assert {path: path.read_bytes() for path in sorted(one.iterdir())} == there
    assert [path.stat().st_mtime_ns for path in two.iterdir()] == other
    assert load_reasons(place, inventory) == []


def failed(message: str, cells: list[nbformat.NotebookNode]) -> str:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# T"), *cells])
    record = Record("s/f", "T", "failed", message, {}, "c", {}, {}, {}, {})
    decorate_figure(notebook, record, "reference")
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert [output.output_type for output in outputs] == ["display_data"]
    return str(outputs[0]["data"]["text/html"])


def test_an_error_is_shown_and_is_not_taken_for_markup() -> None:
    message = "bad\n\n:::\n\n# Big {download}`x` <script>alert(1)</script>"
    output = nbformat.v4.new_output(
        "error", ename="E", evalue=message, traceback=["\x1b[31mline 1\x1b[0m\n\nline 2"]
    )
    page = failed(message, [nbformat.v4.new_code_cell("1/0", outputs=[output])])
    assert "This figure failed" in page
    assert "# Big {download}`x` &lt;script&gt;" in page
    assert "line 1\n\nline 2" in page


def test_a_dead_kernel_is_shown_too() -> None:
    page = failed("DeadKernelError: Kernel died", [nbformat.v4.new_code_cell("x")])
    assert "Kernel died" in page


def test_inspecting_files_of_one_name_keeps_all_records(tmp_path: Path) -> None:
    here = Project(REPOSITORY)
    runs = "data/raw/reference/flexible-scale"
    paths = [f"{runs}/{name}/ior.txt" for name in ("1-system-read", "6-systems-read")]
    here.run("inspect", *paths, "--to", str(tmp_path), "--as", "csv")
    assert len(list(tmp_path.glob("*ior_summary.csv"))) == 2
    here.run("inspect", paths[0], "--as", "csv", code=2)
