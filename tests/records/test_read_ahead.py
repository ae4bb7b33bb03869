"""Files that processes read ahead: the same rows, each refusal named, no process left behind."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
import yaml

from benchmarks.sar_activities import SLES11
from benchmarks.sar_text import write_sar
from studybook.dataset import inventory
from studybook.dataset.inventory import Content, Entry, take_inventory
from studybook.dataset.paths import DataSet
from studybook.errors import Refused, StudyBookError
from studybook.formats import Sink
from studybook.records.load import ahead as read_ahead
from studybook.records.load import load
from studybook.records.load import read as reading

Tables = dict[str, pa.Table]


FILES = 7


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a run with files of several groups."""
    monkeypatch.setenv("STUDYBOOK_HOME", str(tmp_path))
    monkeypatch.setattr(read_ahead, "GROUP_FILES", 3)
    monkeypatch.setattr(read_ahead, "WORTH_BYTES", 0)
    monkeypatch.setattr(reading, "KEPT_BYTES", 40_000)  # some of a group are passed on before
    run = tmp_path / "data/raw/reference/exports/many"
    run.mkdir(parents=True)
    (tmp_path / "_config.yml").touch()
    names = [f"host{number}.txt" for number in range(FILES)]
    for seed, name in enumerate(names):
        write_sar(run / name, SLES11, 20_000, seed=seed, host=name[:5], restart=False)
    manifest = {
        "study": "exports", "run": "many", "title": "Many files", "origin": "simulated",
        "time_zone": "UTC", "start": "2016-06-14T18:00:00",
        "files": [{"path": name, "provenance": "generated"} for name in names],
    }  # fmt: skip
    (run / "run.yml").write_text(yaml.safe_dump(manifest))
    return run


def entries() -> list[Entry]:
    return list(take_inventory(DataSet.named("reference")).of_source("sar"))


def read(folder: Path) -> tuple[Tables, list[tuple[str, object]]]:
    """Everything that is read, and what is said of each file."""
    scratch = folder / "scratch"
    rows: dict[str, list[pa.Table]] = {}
    found: list[tuple[str, object]] = []
    for entry, each in read_ahead.read_files(
        entries(), lambda table, part: rows.setdefault(table, []).append(part), scratch
    ):
        said = str(each) if isinstance(each, Refused) else (each.rows, each.lines, each.remarks)
        found.append((entry.path.name, said))
    assert not scratch.exists()
    return {table: pa.concat_tables(parts) for table, parts in rows.items()}, found


def never(*_: object) -> None:
    raise AssertionError("was called")


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let other processes read, and nothing be read here."""
    monkeypatch.setattr(read_ahead, "_processors", lambda: 2)
    monkeypatch.setattr(read_ahead, "read_here", never)


@pytest.mark.usefixtures("folder")
def test_a_large_file_is_read_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would keep a process for long, and its records must not wait for those of others."""
    files = [
        replace(entry, content=Content(size, 0))
        for entry, size in zip(entries(), (10, 10, 101, 10, 30, 30, 10), strict=True)
    ]
    monkeypatch.setattr(inventory, "LARGEST_BYTES", 100)
    groups = read_ahead.in_groups(files, 50)
    by_name = [[entry.path.stem.removeprefix("host") for entry in group] for group in groups]
    assert by_name == [["0", "1"], ["2"], ["3", "4"], ["5", "6"]]


def test_several_processes_read_what_one_does(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as one:
        one.setattr(read_ahead, "_processors", lambda: 1)
        one.setattr(read_ahead, "processes", never)
        alone, found_alone = read(folder)
    monkeypatch.setattr(read_ahead, "_processors", lambda: 2)
    monkeypatch.setattr(read_ahead, "read_here", never)
    tables, found = read(folder)
    assert len(found) == FILES
    assert found == found_alone
    assert tables.keys() == alone.keys()
    for name, rows in tables.items():
        assert rows.num_rows > 0
        # As bytes: what is not available is NaN or NULL, and equals nothing.
        assert rows.to_pandas().to_csv() == alone[name].to_pandas().to_csv(), name


@pytest.mark.usefixtures("several")
def test_a_file_that_is_refused_is_named_and_the_others_are_read(folder: Path) -> None:
    with (folder / "host1.txt").open("a") as file:
        file.write("\n18:00:01      UID       PID    %usr %system    %CPU   CPU  Command\n")
    _, found = read(folder)
    names = [name for name, _ in found]
    assert names == sorted(names)
    assert len(names) == FILES
    refused = {name: said for name, said in found if isinstance(said, str)}
    assert refused.keys() == {"host1.txt"}
    assert refused["host1.txt"].startswith(f"{folder / 'host1.txt'}, line ")
    assert "is output of pidstat" in refused["host1.txt"]


@pytest.mark.usefixtures("several")
def test_a_process_that_is_killed_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = os.getpid()

    def die(*_: object) -> None:
        assert os.getpid() != parent
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(read_ahead, "read_together", die)  # a fork has it, too
    with pytest.raises(StudyBookError, match=r"killed.*memory.*\n  → "):
        read(folder)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("largest", [0, 10_000_000])  # read one by one, or together
def test_a_file_that_changes_while_it_is_read_is_refused(
    largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_ahead, "_processors", lambda: 1)
    monkeypatch.setattr(inventory, "LARGEST_BYTES", largest)
    original = reading._read

    def change(task: reading.Task, sink: Sink) -> reading.Found:
        if task.path.name == "host1.txt":
            with task.path.open("a") as file:
                file.write("more\n")
        return original(task, sink)

    monkeypatch.setattr(reading, "_read", change)
    told = r"host1\.txt: changed while it was read\n  → .*\nnothing was loaded"
    with pytest.raises(StudyBookError, match=told):
        load("sar", data_set="reference", strict=True)
    assert not list(DataSet.named("reference").database.parent.glob("*.duckdb"))
