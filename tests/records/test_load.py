"""Loading: each file whole or not at all, twice the same, and every fault named."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from studybook.checked_yaml import MOST_FAULTS
from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError
from studybook.formats.raw import RawFile
from studybook.records import ledger, parts, store
from studybook.records.load import is_current, load
from studybook.records.load import read as reading
from studybook.records.report import report
from studybook.records.schema import record_tables
from studybook.study.scope import Scope
from studybook.study.study import Study
from tests.support.project import Project, bare_project
from tests.support.shared import made_once


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a project without the studies of many runs, and with its database."""
    return Project(made_once(tmp_path_factory, "loaded", make_project))


def make_project(root: Path) -> None:
    bare_project(root, "exports", "flexible-scale")
    with pytest.MonkeyPatch.context() as context:
        context.setenv("STUDYBOOK_HOME", str(root))
        load(data_set="reference")


@pytest.fixture
def project(made: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(Path(shutil.copytree(made.root, tmp_path / "project")))
    monkeypatch.setenv("STUDYBOOK_HOME", str(project.root))
    return project


@pytest.fixture
def database(project: Project) -> Path:
    return project.build / "study.duckdb"


#: The tables that tell where records and models lie, and what they are made of.
FOLDERS = ("place", "part", "part_table", "run_group", "group_model", "studied")


def content(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table and model, for comparison."""
    with duckdb.connect(str(database), read_only=True) as connection:
        tables = connection.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'"
            " ORDER BY table_name"
        ).fetchall()
        return {
            name: connection.execute(f"SELECT * FROM {name} ORDER BY ALL").fetchall()
            for (name,) in tables
            # of the folders, which are others where a file is another, or lies with others
            if name not in FOLDERS
        }


def test_loading_twice_changes_nothing(database: Path) -> None:
    first = content(database)
    assert len(first["raw_file"]) == 12
    assert len(first["run"]) == 6
    load(data_set="reference")
    assert content(database) == first


def test_neither_place_nor_language_matters(made: Project, tmp_path: Path) -> None:
    """A Turkish i is no I, and decimal marks are commas; folders have blanks, in PATH, too."""
    root = tmp_path / "Bücher (neu)" / "mein Buch"
    others = shutil.ignore_patterns("build", "exports", "1-system-write", "6-systems-*")
    shutil.copytree(made.root, root, ignore=others)
    languages, tools = tmp_path / "lang uages", tmp_path / "my tools"
    for folder in (languages, tools):
        folder.mkdir()
    # Where the system has no sources of languages, its name is told all the same.
    if shutil.which("localedef"):
        made_of = ["localedef", "-i", "tr_TR", "-f", "UTF-8", str(languages / "tr_TR.UTF-8")]
        subprocess.run(made_of, check=False, capture_output=True)
    about = {
        "HOME": str(root.parent), "PATH": f"{tools}:{os.environ['PATH']}", "TMPDIR": str(tools),
        "TZ": "Asia/Kathmandu", "LC_ALL": "tr_TR.UTF-8", "LOCPATH": str(languages),
    }  # fmt: skip
    around = {k: v for k, v in os.environ.items() if k != "STUDYBOOK_HOME"}
    told = subprocess.run(
        [sys.executable, "-m", "studybook", "load"],
        cwd=root, check=False, capture_output=True, text=True, env=around | about,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert not list(tools.iterdir())
    build = root / "build/reference"
    records = list(build.glob("records/*/*/*/*.parquet"))
    assert records
    for path in records:
        assert path.read_bytes() == (made.build / path.relative_to(build)).read_bytes()


def test_where_the_clock_was_set_back_by_two_days(project: Project, database: Path) -> None:
    """All is of the day after tomorrow: nothing is read anew, and no change missed."""
    ahead = time.time() + 2 * 86_400
    for path in project.root.rglob("*"):
        os.utime(path, (ahead, ahead))

    def current() -> bool:
        inventory = take_inventory(DataSet.named("reference"))
        return is_current(database, inventory, inventory.sources())

    assert current()
    raw = project.raw / "flexible-scale/1-system-read/ior.txt"
    raw.write_text(raw.read_text().replace("read", "raed", 1))
    os.utime(raw, (ahead, ahead))
    assert not current()


def test_the_order_of_sources_does_not_matter(database: Path) -> None:
    """The last first, and then the others, they give what they give together."""
    first = content(database)
    database.unlink()
    *others, last = take_inventory(DataSet.named("reference")).sources()
    assert len(others) > 1
    load(last, data_set="reference")
    assert len(content(database)["raw_file"]) < len(first["raw_file"])
    load(data_set="reference")
    assert content(database) == first


def test_a_source_without_files_changes_nothing(database: Path) -> None:
    before = database.read_bytes()
    assert load("gpfsperf", data_set="reference").files.empty
    assert database.read_bytes() == before


def test_the_ledger_accounts_for_every_line_and_byte(project: Project, database: Path) -> None:
    with duckdb.connect(str(database), read_only=True) as connection:
        rows = connection.execute(
            "SELECT name, sha256, bytes, lines, lines_in_records + lines_in_headings"
            " + lines_not_understood, rows FROM raw_file"
        ).fetchall()
    assert len(rows) == 12
    for name, digest, size, lines, accounted, count in rows:
        data = (project.raw / name).read_bytes()
        assert digest == hashlib.sha256(data).hexdigest()
        assert size == len(data)
        assert lines == accounted == sum(1 for _ in RawFile(project.raw / name).lines())
        assert count > 0


def test_numbers_are_those_in_the_file(project: Project, database: Path) -> None:
    text = (project.raw / "flexible-scale/6-systems-read/ior.txt").read_text()
    printed = next(line for line in text.splitlines() if line.startswith("read")).split()
    with duckdb.connect(str(database), read_only=True) as connection:
        row = connection.execute(
            "SELECT max_mib_s, min_mib_s, mean_mib_s, sd_mib_s, mean_s, tasks, repetitions"
            " FROM ior_summary JOIN raw_file USING (file_id) WHERE name LIKE '%6-systems-read/%'"
        ).fetchone()
        units = connection.execute(
            "SELECT mean_gb_s * 1e9 / 1048576 / mean_mib_s FROM bandwidth"
        ).fetchall()
    assert row is not None
    assert list(row[:4]) == [float(each) for each in printed[1:5]]
    assert row[4:] == (float(printed[9]), 500, 10)
    assert len(units) == 4
    for (ratio,) in units:
        assert ratio == pytest.approx(1)


def test_a_file_that_fails_is_named_and_with_strict_the_database_stays(
    project: Project, database: Path
) -> None:
    before = content(database)
    path = project.raw / "flexible-scale/1-system-read/ior.txt"
    path.write_text("IOR-3.1.0: MPI Coordinated Test of Parallel I/O\n\nior ERROR: no\n")
    with pytest.raises(StudyBookError) as error:
        load("ior", data_set="reference", strict=True)
    assert str(path) in str(error.value)
    assert "nothing was loaded" in str(error.value)
    assert content(database) == before
    assert not list(project.build.glob("*.tmp*"))


def test_a_file_of_no_known_format_is_named(project: Project) -> None:
    path = project.raw / "flexible-scale/1-system-read/ior.txt"
    path.write_text("Dear diary,\n")
    with pytest.raises(StudyBookError) as error:
        load("ior", data_set="reference", strict=True)
    for part in (str(path), "no known format", "Dear diary", "inspect --formats"):
        assert part in str(error.value)


def cut_log() -> bytes:
    """A compressed log of JMeter that is cut: most of its rows can be read."""
    rows = "".join(f"{1468481400000 + n},{n % 97},A,200,true\n" for n in range(40_000))
    whole = gzip.compress(f"timeStamp,elapsed,label,responseCode,success\n{rows}".encode())
    return whole[: len(whole) * 3 // 4]


#: Files that cannot be read, each in its own way (None: it is not there), and what is said of it.
#: One of ior's four files is good.
BAD = {
    "flexible-scale/1-system-read/ior.txt": (
        b"IOR-3.1.0: MPI Coordinated Test of Parallel I/O\n\nior ERROR: no\n",
        "IOR stopped",
    ),
    "exports/linux-vm/ip-s-link.txt": (b"Dear diary,\n", "no known format"),
    "flexible-scale/6-systems-read/ior.txt": (None, "cannot be opened"),
    "flexible-scale/6-systems-write/ior.txt": (cut_log(), "is cut or damaged"),
}


@pytest.mark.parametrize("alone", [False, True])
def test_bad_files_are_left_out_and_the_others_are_loaded(
    alone: bool, project: Project, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if alone:  # its first records are written before its fault
        monkeypatch.setattr(reading, "KEPT_BYTES", 0)
        monkeypatch.setattr(parts, "PART_FILES", 1)
        shutil.rmtree(database.with_name("records"))
    whole = content(database)
    good = {name: (project.raw / name).read_bytes() for name in BAD}
    file_ids = {row[0] for row in whole["raw_file"] if row[2] in good}
    assert len(file_ids) == len(BAD)
    for name, (bad, _) in BAD.items():
        (project.raw / name).unlink()
        if bad is not None:
            (project.raw / name).write_bytes(bad)

    told = dict(load(data_set="reference").refused[["file", "reason"]].values.tolist())
    assert told.keys() == BAD.keys()
    for name, (_, why) in BAD.items():
        assert why in told[name]
        assert str(project.root) not in told[name]  # it goes into the book
    # Of their records none are there, of the others all.
    found = content(database)
    assert {row[:2] for row in found["refused_file"]} == {
        (name.rpartition("/")[0], name) for name in BAD
    }
    tables = {"raw_file", "remark", "repair", "line_not_understood", *record_tables()}
    for table in tables:
        place = 0  # of file_id, in all of them
        assert found[table] == [row for row in whole[table] if row[place] not in file_ids], table

    # They are not tried again until they have changed.
    inventory = take_inventory(DataSet.named("reference"))
    assert is_current(database, inventory, inventory.sources())
    for name, as_before in good.items():
        (project.raw / name).write_bytes(as_before)
        inventory = take_inventory(DataSet.named("reference"))
        assert not is_current(database, inventory, inventory.sources())
    assert load(data_set="reference").refused.empty
    assert content(database) == whole


def test_where_no_file_can_be_read_nothing_is_loaded(project: Project) -> None:
    for manifest in project.raw.glob("*/*/run.yml"):
        for path in manifest.parent.iterdir():
            if path != manifest:
                path.write_text("Dear diary,\n")
    with pytest.raises(StudyBookError, match="Dear diary"):
        load(data_set="reference")


def test_a_missing_file_and_a_wrong_manifest_are_named_together(project: Project) -> None:
    (project.raw / "flexible-scale/1-system-read/ior.txt").unlink()
    project.change(
        "data/raw/reference/flexible-scale/1-system-write/run.yml", "origin: measured", "origin: x"
    )
    with pytest.raises(StudyBookError) as error:
        take_inventory(DataSet.named("reference"))
    assert "1-system-read/ior.txt" in str(error.value)
    assert "1-system-write/run.yml, line" in str(error.value)


def test_a_run_without_a_manifest_is_named(project: Project) -> None:
    run = project.raw / "flexible-scale/1-system-read/run.yml"
    run.rename(run.with_suffix(".yaml"))
    (project.raw / "flexible-scale/1-system-write/run.yml").unlink()
    with pytest.raises(StudyBookError) as error:
        take_inventory(DataSet.named("reference"))
    assert re.search(r"1-system-read: .*\n  → rename run\.yaml to run\.yml", str(error.value))
    keys = "study, run, title, origin, time_zone, files"
    assert keys in str(error.value)


def test_a_removed_file_leaves_the_database(project: Project, database: Path) -> None:
    run = project.raw / "flexible-scale/1-system-read"
    for path in run.iterdir():
        path.unlink()
    run.rmdir()
    load("ior", data_set="reference")
    after = content(database)
    assert len(after["raw_file"]) == 11
    assert len(after["run"]) == 5
    assert len(after["ior_summary"]) == 3


def test_lines_not_understood_are_counted_over_all_files(database: Path) -> None:
    assert ledger.not_understood(database) == (0, 0)
    with store.writer(database) as connection:
        one = "SELECT min(name) FROM raw_file"
        connection.execute(f"UPDATE raw_file SET lines_not_understood = 3 WHERE name = ({one})")
    assert ledger.not_understood(database) == (3, 1)


def test_many_values_are_inserted_in_their_order(project: Project, database: Path) -> None:
    rows: list[list[object]] = [["many", f"note {number}"] for number in range(2500)]
    with store.writer(database) as connection:
        ledger.insert(connection, "run_note", *rows)
    with store.connect(database) as connection:
        found = connection.execute("FROM run_note WHERE run_id = 'many'").fetchall()
    assert [list(row) for row in found] == rows


def test_files_that_no_manifest_lists_are_told(project: Project) -> None:
    (project.raw / "flexible-scale/1-system-read/notes.txt").write_text("x\n")
    found = load("ior", data_set="reference")
    assert list(found.not_listed["file"]) == ["flexible-scale/1-system-read/notes.txt"]


def test_of_a_run_that_lacks_thousands_of_files_the_first_are_told(project: Project) -> None:
    run = "flexible-scale/1-system-read"
    manifest = project.raw / run / "run.yml"
    names = [f"ior.{number}.text" for number in range(1000, 3000)]
    listed = "".join(f"  - path: {name}\n" for name in names)
    manifest.write_text(manifest.read_text().replace("\nfiles:\n", f"\nfiles:\n{listed}"))
    for number in range(1000, 3000):
        (manifest.parent / f"ior.{number}.log").touch()
    found = load("ior", data_set="reference")
    assert found.number_refused == len(names)
    assert "; 2,000 files cannot be read" in found.finding
    *first, more = found.refused.itertuples(index=False)
    assert [each.file for each in first] == [f"{run}/{name}" for name in names[:MOST_FAULTS]]
    assert all("did you mean " in each.reason for each in first)
    assert more.file == f"{run}: 1,980 files more"
    assert list(found.not_listed["file"])[MOST_FAULTS:] == [f"{run}: 1,980 files more"]
    # What was meant is looked for a few times: it takes as long as there are names to compare.
    left_out = take_inventory(DataSet.named("reference")).left_out
    assert sum("did you mean " in each.reason for each in left_out) == MOST_FAULTS
    with pytest.raises(StudyBookError) as error:
        load("ior", data_set="reference", strict=True)
    assert len(str(error.value)) < 10_000


def test_an_error_in_the_middle_leaves_no_trace(project: Project, database: Path) -> None:
    before = database.read_bytes()

    def cut_short() -> None:
        with store.writer(database) as connection:
            connection.execute("DELETE FROM raw_file")
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power cut"):
        cut_short()
    assert database.read_bytes() == before


def test_records_are_found_where_the_book_was_moved_to(
    project: Project, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(data_set="reference")
    rows = content(database)["ior_summary"]
    assert rows
    project.root.rename(tmp_path / "moved")
    monkeypatch.setenv("STUDYBOOK_HOME", str(tmp_path / "moved"))
    place = DataSet.named("reference")
    inventory = take_inventory(place)
    assert is_current(place.database, inventory, inventory.sources())
    with store.connect(place.database) as connection:
        assert connection.execute("FROM ior_summary ORDER BY ALL").fetchall() == rows
    asked = Study(Scope("flexible-scale", {}), place.database).query("FROM ior_summary")
    assert len(asked) == len(rows)


def test_what_a_killed_load_has_left_is_removed(
    project: Project, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a container the next load has the same number: it would go on with what is there."""
    code = (
        "import os, pathlib, sys\nos.getpid = lambda: 7\nfrom studybook.records import store\n"
        "with store.writer(pathlib.Path(sys.argv[1])) as connection:\n"
        "    connection.execute('INSERT INTO run_note FROM run_note')\n    os._exit(9)\n"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(database)], check=False)
    assert killed.returncode == 9
    assert [path.name for path in project.build.glob("*.tmp*")] == ["study.duckdb.7.tmp"]
    monkeypatch.setattr(os, "getpid", lambda: 7)
    (project.build / "study.duckdb.7.tmp.scratch/0").mkdir(parents=True)  # of its processes
    before = content(database)
    run = "data/raw/reference/flexible-scale/1-system-read/run.yml"
    project.change(run, "title: ", "title: My ")
    load("ior", data_set="reference")
    after = content(database)
    assert after["ior_summary"] == before["ior_summary"]
    assert after["run_note"] == before["run_note"]
    assert not list(project.build.glob("*.tmp*"))


def test_a_path_that_duckdb_takes_for_a_pattern_is_refused(project: Project) -> None:
    """It would read the records of all books whose paths fit."""
    for name in ("runs [1]", "runs*", "runs?"):
        with pytest.raises(StudyBookError, match=r"in its path.*\n  → .*another name"):
            load(data_set="reference", database=str(project.build / name / "study.duckdb"))


def test_a_full_disk_is_told(project: Project, database: Path) -> None:
    """Here: no file may grow beyond 300 kB."""
    database.unlink()
    code = (
        "import resource\nfrom studybook.errors import StudyBookError\n"
        "from studybook.records.load import load\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))\n"
        "try:\n    load('ior', data_set='reference')\n"
        "except StudyBookError as error:\n    print(error)\n"
    )
    limited = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    told = limited.stdout.decode()
    assert told.startswith(f"{database}: cannot be written: ")
    assert re.search("\n  → .*room on the disk", told)
    assert not list(project.build.glob("*.tmp*"))
    assert not database.exists()


def test_no_bars_are_drawn_in_output_of_ours(database: Path) -> None:
    """DuckDB takes a process without a file, as workers and kernels begin, for a person's."""
    code = (
        "import sys, pathlib, duckdb\nfrom studybook.records import store\n"
        "for each in duckdb.connect(), store.connect(pathlib.Path(sys.argv[1])):\n"
        "    print(*each.execute(\"SELECT current_setting('enable_progress_bar')\").fetchone())\n"
    )
    call = [sys.executable, "-c", code, str(database)]
    done = subprocess.run(call, check=True, capture_output=True, text=True)
    assert done.stdout == "True\nFalse\n"


def test_a_reader_does_not_block_the_writer(project: Project, database: Path) -> None:
    run = "data/raw/reference/flexible-scale/1-system-read/run.yml"
    with store.connect(database) as reader:
        project.change(run, "title: ", "title: My ")
        load("ior", data_set="reference")
        assert reader.execute("SELECT count(*) FROM ior_summary").fetchone() == (4,)
        titles = "SELECT count(*) FROM run WHERE title LIKE 'My %'"
        assert reader.execute(titles).fetchone() == (0,)
    with store.connect(database) as reader:
        assert reader.execute(titles).fetchone() == (1,)


def test_a_damaged_database_is_named(project: Project, database: Path) -> None:
    database.write_bytes(b"not a database")
    with pytest.raises(StudyBookError, match=r"cannot be opened(.|\n)*studybook load"):
        report("ior", database)


@pytest.mark.parametrize(
    "change",
    [
        # Records were tables.
        "DROP VIEW ior_summary; DROP TABLE part; ALTER TABLE run DROP title;"
        " CREATE TABLE ior_summary (file_id BIGINT)",
        "ALTER TABLE run DROP start_known",
    ],
)
def test_a_database_of_another_version_is_made_again(
    project: Project, database: Path, change: str
) -> None:
    before = content(database)
    with duckdb.connect(str(database)) as connection:
        connection.execute(change)
    load(data_set="reference")
    assert content(database) == before


def test_an_unknown_data_set_is_named(project: Project) -> None:
    with pytest.raises(StudyBookError, match="known data sets: reference"):
        DataSet.named("referense")


def read_parts(project: Project) -> dict[str, int]:
    """The folders of all parts, with what tells that they were made anew."""
    return {
        path.parent.relative_to(project.build / "records").as_posix(): path.stat().st_mtime_ns
        for path in project.build.glob("records/*/*/*/account.json")
    }


def test_only_what_changed_is_read_again(project: Project, database: Path) -> None:
    before, of_model = read_parts(project), "flexible-scale/1-system-read"
    load(data_set="reference")  # the project was copied, as a checkout that is moved
    assert read_parts(project) == before
    (project.raw / of_model / "ior.txt").touch()
    load(data_set="reference")
    assert read_parts(project) == before

    text = (project.raw / of_model / "ior.txt").read_text()
    path = project.raw / of_model / "ior.txt"
    path.write_text(text.replace("read", "read ", 1))
    load(data_set="reference")
    after = read_parts(project)
    new = after.keys() - before.keys()
    assert len(new) == 1
    assert next(iter(new)).startswith(f"{of_model}/ior-")
    assert {each: after[each] for each in before} == before  # of the last good state, too

    path.write_text(text)
    load(data_set="reference")
    assert read_parts(project) == after
