"""Models of groups of runs: what has changed is computed anew, however runs are grouped."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError
from studybook.records import compute_group, groups, side_by_side
from studybook.records.load import load
from studybook.records.meaning import SCHEMA_FILE
from tests.support.project import Project, bare_project

READING = "data/raw/reference/flexible-scale/1-system-read/ior.txt"
Rows = list[tuple[object, ...]]
SETTING = "SELECT current_setting('memory_limit')"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Return a project of five runs, each a group by itself."""
    project = bare_project(tmp_path / "project", "flexible-scale")
    monkeypatch.setenv("STUDYBOOK_HOME", str(project.root))
    monkeypatch.setattr(groups, "GROUP_ROWS", 1)
    return project


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return it loaded, by one process."""
    project = bare_project(tmp_path_factory.mktemp("groups") / "project", "flexible-scale")
    with pytest.MonkeyPatch.context() as context:
        context.setenv("STUDYBOOK_HOME", str(project.root))
        context.setattr(groups, "GROUP_ROWS", 1)
        context.setattr(side_by_side, "_processors", lambda: 1)
        load(data_set="reference")
    return project


@pytest.fixture
def loaded(made: Project, project: Project) -> Project:
    """Return a copy of that."""
    shutil.copytree(made.root / "build", project.root / "build")
    return project


def models() -> dict[str, Rows]:
    """Every row of every model."""
    with duckdb.connect(str(DataSet.named("reference").database), read_only=True) as connection:
        names = connection.execute("SELECT DISTINCT name FROM model ORDER BY 1").fetchall()
        return {
            name: connection.execute(f"FROM main.{name} ORDER BY ALL").fetchall()
            for (name,) in names
        }


def files() -> dict[str, bytes]:
    """What stands in each file of the models."""
    place = DataSet.named("reference")
    with duckdb.connect(str(place.database), read_only=True) as connection:
        rows = connection.execute("SELECT DISTINCT folder FROM run_group").fetchall()
    found = [path for (folder,) in rows for path in (place.models / folder).glob("*.parquet")]
    return {path.name: path.read_bytes() for path in found}


def folders() -> dict[str, int]:
    """The folder of each run's models, and when it was made."""
    place = DataSet.named("reference")
    with duckdb.connect(str(place.database), read_only=True) as connection:
        rows = connection.execute("SELECT folder, run_ids FROM run_group ORDER BY turn").fetchall()
    assert all(len(run_ids) == 1 for _, run_ids in rows)
    return {folder: (place.models / folder).stat().st_mtime_ns for folder, _ in rows}


def own_model(project: Project, sql: str) -> None:
    folder = project.root / "pipelines/flexible-scale"
    (folder / "mine.sql").write_text(sql)
    (folder / SCHEMA_FILE).write_text("models:\n  mine:\n    meaning: It is mine.\n")
    load(data_set="reference")


def test_only_the_group_of_a_changed_run_is_computed_anew(loaded: Project) -> None:
    before, rows = folders(), models()
    assert len(before) == 5
    path = loaded.root / READING
    good = path.read_text()
    digit = good.index("read ") + len("read ") + good[good.index("read ") + 5 :].index(".") + 1
    path.write_text(good[:digit] + str((int(good[digit]) + 1) % 10) + good[digit + 1 :])
    load(data_set="reference")
    after = folders()
    assert len(before.items() & after.items()) == 4
    assert models()["bandwidth"] != rows["bandwidth"]
    path.write_text(good)
    load(data_set="reference")
    assert models() == rows
    # What is of no use any more goes with the load that follows: until then it may be read.
    there = {each.name for each in DataSet.named("reference").models.glob("*/*/")}
    assert {folder.partition("/")[2] for folder in folders()} <= there
    assert len(there) <= 6


@pytest.mark.usefixtures("loaded")
def test_how_runs_are_grouped_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = models()
    assert alone["bandwidth"]
    with monkeypatch.context() as one:
        one.setattr(groups, "GROUP_ROWS", 10**9)
        one.setattr(
            compute_group, "_KEPT_ROWS", 0
        )  # nor whether models are tables or files meanwhile
        load(data_set="reference", anew=True)
    assert models() == alone
    assert len(list(DataSet.named("reference").models.glob("*/*/"))) > 1


@pytest.mark.usefixtures("loaded")
def test_several_processes_compute_what_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = models()
    monkeypatch.setattr(side_by_side, "_processors", lambda: 2)
    load(data_set="reference", anew=True)
    assert models() == alone


@pytest.mark.usefixtures("loaded")
def test_models_computed_at_once_are_those_computed_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = models()
    monkeypatch.setattr(groups, "GROUP_ROWS", 10**9)
    load(data_set="reference", anew=True)
    one_by_one = files()
    assert len(one_by_one) > 10
    monkeypatch.setattr(side_by_side, "_processors", lambda: 3)
    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # what one thread changes while another looks at it is met at once
    try:
        load(data_set="reference", anew=True)
    finally:
        sys.setswitchinterval(often)
    assert files() == one_by_one  # to the byte: rows in the same order, too
    assert models() == before


@pytest.mark.parametrize(
    "waits", ["time.sleep(60)", "ask('SELECT count(*) FROM range(10000000) a, range(10000000) b')"]
)
def test_ctrl_c_ends_a_model_in_python(loaded: Project, waits: str) -> None:
    folder = loaded.root / "pipelines/flexible-scale"
    (folder / "mine.py").write_text(
        f"""
import time
from pathlib import Path

import pyarrow as pa

READS = ("bandwidth",)
SCHEMA = pa.schema([("run_id", pa.string())])


def rows(ask):
    if ask("FROM bandwidth").num_rows:
        Path({str(loaded.root)!r}, "begun").touch()
        {waits}
    return SCHEMA.empty_table()
"""
    )
    (folder / SCHEMA_FILE).write_text("models:\n  mine: {meaning: It waits.}\n")
    command = [
        sys.executable,
        "-c",
        "from studybook.records.load import load; load(data_set='reference')",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while not (loaded.root / "begun").exists():
            assert process.poll() is None, process.stderr and process.stderr.read()
            time.sleep(0.05)
        time.sleep(0.5)  # so that it waits
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert "KeyboardInterrupt" in said


def test_a_model_that_fails_ends_those_that_are_computed_meanwhile(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "GROUP_ROWS", 10**9)
    monkeypatch.setattr(side_by_side, "_processors", lambda: 2)
    folder = project.root / "pipelines/flexible-scale"
    (folder / "endless.sql").write_text(
        "WITH RECURSIVE n AS (SELECT run_id, 1::BIGINT AS i FROM bandwidth"
        " UNION ALL SELECT run_id, i + 1 FROM n WHERE i < 1000000000000)"
        " SELECT run_id, max(i) AS i FROM n GROUP BY 1"
    )
    (folder / SCHEMA_FILE).write_text(
        "models:\n  endless: {meaning: It counts.}\n  mine: {meaning: It fails.}\n"
    )
    (folder / "mine.sql").write_text("SELECT run_id, run_id::INTEGER AS n FROM bandwidth")
    with pytest.raises(StudyBookError, match=r"mine\.sql: .*Could not convert"):
        load(data_set="reference")


def test_a_model_that_needs_more_memory_gets_it() -> None:
    had = []
    with duckdb.connect(config={"memory_limit": "256MiB"}) as connection:

        def compute() -> int:
            had.append(connection.execute(SETTING).fetchone())
            if len(had) == 1:
                raise duckdb.OutOfMemoryException
            return 7

        assert compute_group._with_room(connection, compute) == 7
        assert had == [("256.0 MiB",), ("1.0 GiB",)]
        assert connection.execute(SETTING).fetchone() == had[0]


def test_large_sums_are_whole_numbers_still(project: Project) -> None:
    large = 170141183460469231731
    own_model(project, f"SELECT run_id, sum({large}::HUGEINT) AS n FROM run GROUP BY 1")
    with duckdb.connect(str(DataSet.named("reference").database), read_only=True) as connection:
        rows = connection.execute("SELECT DISTINCT typeof(n), n FROM mine").fetchall()
    assert rows == [("HUGEINT", large)]


def test_what_a_model_says_without_asking_is_there_once(project: Project) -> None:
    run = "flexible-scale/1-system-read"
    own_model(
        project, f"SELECT * FROM (VALUES ('{run}', 5), ('no such run', 6)) limits(run_id, most)"
    )
    assert models()["mine"] == [(run, 5)]


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        (
            "SELECT run_id, INTERVAL 1 DAY AS length FROM run",
            "the column length is of type INTERVAL",
        ),
        ("SELECT run_id, [1::HUGEINT] AS n FROM run", "the column n is of type HUGEINT"),
        (
            "SELECT run_id, [1, 2]::FLOAT[2] AS n FROM run",
            "the column n is of type FLOAT.2., which",
        ),
        (
            "SELECT run_id, start_utc::TIMESTAMP_S AS t FROM run",
            "the column t is of type TIMESTAMP_S",
        ),
        ("SELECT title FROM run", "of which run is a row"),
        ("SELECT run_id, nothing FROM run", "cannot be computed: .*nothing"),
        ("SELECT run_id, title::INTEGER AS n FROM run", "cannot be computed: .*Could not convert"),
    ],
)
def test_a_model_that_cannot_be_kept_is_named(project: Project, sql: str, told: str) -> None:
    with pytest.raises(StudyBookError, match=rf"mine\.sql: .*{told}[^$]*nothing was loaded"):
        own_model(project, sql)
    assert not DataSet.named("reference").database.exists()


def test_runs_that_were_taken_out_leave_nothing(loaded: Project) -> None:
    for path in sorted((loaded.root / READING).parent.iterdir()):
        path.unlink()
    (loaded.root / READING).parent.rmdir()
    load(data_set="reference")
    load(data_set="reference", anew=True)
    found = list(DataSet.named("reference").models.glob("*/*/"))
    assert len(found) == len(folders()) == 4
