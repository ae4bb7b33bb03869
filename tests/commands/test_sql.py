"""The verb sql: it answers in four formats, changes nothing, and tells errors in words."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from studybook.dataset.paths import DataSet
from studybook.records.store import connect
from tests.conftest import REPOSITORY
from tests.support import tea_house
from tests.support.project import Project

QUERY = "SELECT run_id, study FROM run"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a project of one run of the tea house, loaded."""
    root = tmp_path_factory.mktemp("sql") / "project"
    root.mkdir()
    shutil.copy2(REPOSITORY / "_config.yml", root)
    tea_house.add_study(root)
    tea_house.add_run(root, "monday", {"users": 200}, checkout_ms=400, busy={"till": 20.0})
    found = Project(root)
    found.run("load", "-d", "mine")
    return found


def ask(project: Project, *arguments: str, said: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "studybook", "sql", "-d", "mine", *arguments]
    return subprocess.run(command, cwd=project.root, input=said, capture_output=True, check=False)


def test_all_formats_tell_the_same(project: Project) -> None:
    of_csv = ask(project, QUERY, "--format", "csv").stdout.decode().splitlines()
    of_json = json.loads(project.call("sql", "-d", "mine", QUERY, "--format", "json").stdout)
    of_parquet = pq.read_table(
        io.BytesIO(ask(project, QUERY, "--format", "parquet").stdout)
    ).to_pylist()
    of_table = project.call("sql", "-d", "mine", QUERY).stdout.splitlines()
    assert of_csv[0] == "run_id,study"
    assert of_json == of_parquet
    assert [",".join(row.values()) for row in of_json] == of_csv[1:]
    assert of_table[0].split() == ["run_id", "study"]
    assert of_table[-1].split() == list(of_json[0].values())
    assert len(of_json) == 1


@pytest.mark.parametrize(
    "query", ["FROM nowhere", "SELEC 1", "DELETE FROM run", "COPY run TO 'out.csv'",
              "COPY run TO 'build/mine/records/out.csv'",
              "EXPLAIN ANALYZE COPY run TO 'build/mine/records/out.csv'",
              "FROM 'data/raw/mine/x.csv'", "SET enable_external_access = true"]
)  # fmt: skip
def test_what_is_no_question_to_the_database_is_refused(project: Project, query: str) -> None:
    done = project.call("sql", "-d", "mine", query, code=1)
    assert done.stderr.startswith("studybook: ")
    assert not [*project.root.rglob("out.csv")]


def test_queries_from_a_pipe_end_with_a_semicolon(project: Project) -> None:
    said = b"SELECT 'a;'\n AS one;\nSELECT 2\n AS two"
    done = ask(project, "--format", "csv", said=said)
    assert done.returncode == 0
    assert done.stdout == b"one\na;\ntwo\n2\n"


def test_the_path_is_that_of_a_database(project: Project) -> None:
    done = ask(project, "--path")
    assert duckdb.__version__.encode() in done.stderr
    with duckdb.connect(done.stdout.decode().strip(), read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM run").fetchone() == (1,)
    assert Path(done.stdout.decode().strip()).is_relative_to(project.root)


def test_one_file_holds_everything(project: Project) -> None:
    target = project.root / "of-all.duckdb"
    project.run("export", str(target), "-d", "mine")
    counts = "SELECT name, sum(rows)::BIGINT FROM part_table GROUP BY name ORDER BY name"
    with connect(DataSet("mine", project.root).database) as connection:
        expected = connection.execute(counts).fetchall()
    assert expected
    with duckdb.connect(str(target), read_only=True) as connection:
        for name, rows in expected:
            assert connection.execute(f"SELECT count(*) FROM {name}").fetchone() == (rows,)
        outside = "SELECT count(*) FROM duckdb_views() WHERE sql LIKE '%read_parquet%'"
        assert connection.execute(outside).fetchone() == (0,)
        said = "SELECT count(*) FROM duckdb_tables() WHERE schema_name = 'main' AND comment IS NULL"
        assert connection.execute(said).fetchone() == (0,)
    assert "is there already" in project.run("export", str(target), "-d", "mine", code=1).stderr
    assert [path.name for path in project.root.glob("*of-all*")] == ["of-all.duckdb"]


def test_a_file_with_the_name_of_a_study_is_refused(project: Project) -> None:
    target = project.root / "tea-house.duckdb"
    said = project.run("export", str(target), "-d", "mine", code=1).stderr
    assert "tea-house-book.duckdb" in said
    assert not [*project.root.glob("*tea-house.duckdb*")]
    # One that begins like it is another name, and what it holds can be asked.
    target = project.root / "tea-house-book.duckdb"
    project.run("export", str(target), "-d", "mine")
    with duckdb.connect(str(target), read_only=True) as connection:
        assert connection.execute("SELECT count(*) > 0 FROM metric").fetchone() == (True,)
    target.unlink()


def test_the_database_says_what_each_of_its_tables_is(project: Project) -> None:
    without = (
        "SELECT table_name FROM (SELECT table_name, schema_name, comment FROM duckdb_tables() UNION"
        " ALL SELECT view_name, schema_name, comment FROM duckdb_views() WHERE NOT internal)"
        " WHERE schema_name = 'main' AND coalesce(comment, '') = ''"
    )
    found = json.loads(ask(project, without, "--format", "json").stdout)
    names = sorted(each["table_name"] for each in found)
    assert "metric" not in names
    # Of what has no rows it says nothing.
    rows = " UNION ALL ".join(f"(SELECT '{name}' AS name FROM {name} LIMIT 1)" for name in names)
    assert json.loads(ask(project, rows, "--format", "json").stdout) == []
