"""Parts that processes read side by side: the same rows, each refusal named."""

from __future__ import annotations

import os
import shutil
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from benchmarks.sar_activities import SLES11
from benchmarks.sar_text import write_sar
from studybook.dataset import inventory
from studybook.dataset.inventory import Content, Entry, take_inventory
from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError
from studybook.formats.raw import sha256
from studybook.records import parts, side_by_side
from studybook.records.folders import read_account
from studybook.records.load import load
from studybook.records.load import read as reading
from studybook.records.parts import Part, parts_of

Tables = dict[str, pa.Table]


FILES = 7


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a run with files of several groups."""
    monkeypatch.setenv("STUDYBOOK_HOME", str(tmp_path))
    monkeypatch.setattr(parts, "PART_FILES", 3)
    monkeypatch.setattr(reading, "WORTH_BYTES", 0)
    monkeypatch.setattr(reading, "KEPT_BYTES", 40_000)  # some of a part are written before
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


def of_sar() -> list[Part]:
    return parts_of(take_inventory(DataSet.named("reference")), ["sar"])


def read(folder: Path) -> tuple[Tables, dict[str, list[list[object]]]]:
    """Everything that is read, and the account of the files."""
    scratch = folder.parent / "scratch"
    rows: dict[str, list[pa.Table]] = {}
    account: dict[str, list[list[object]]] = {}
    done = [*reading.read_parts(of_sar(), scratch)]
    for part, made, digests in sorted(done, key=lambda each: each[0].entries[0].name):
        assert part.folder_of(digests) == part.folder
        for path in made.glob("*.parquet"):
            rows.setdefault(path.stem, []).append(pq.read_table(path))
        for table, of_part in read_account(made).items():
            account.setdefault(table, []).extend(of_part)
    shutil.rmtree(scratch)
    return {table: pa.concat_tables(parts) for table, parts in rows.items()}, account


def never(*_: object) -> None:
    raise AssertionError("was called")


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let other processes read."""
    monkeypatch.setattr(side_by_side, "_processors", lambda: 2)


@pytest.mark.usefixtures("folder")
def test_a_large_file_is_read_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would keep a process for long, and its records need not be kept."""
    (all_files,) = parts_of_all(monkeypatch)
    files = [
        replace(entry, content=Content(size, 0))
        for entry, size in zip(all_files, (10, 10, 101, 10, 30, 30, 10), strict=True)
    ]
    monkeypatch.setattr(inventory, "LARGEST_BYTES", 100)
    monkeypatch.setattr(parts, "PART_BYTES", 50)
    by_name = [[e.path.stem.removeprefix("host") for e in p.entries] for p in parts._packed(files)]
    assert by_name == [["0", "1"], ["2"], ["3", "4"], ["5", "6"]]


def parts_of_all(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Entry, ...]]:
    with monkeypatch.context() as one:
        one.setattr(parts, "PART_FILES", FILES)
        return [part.entries for part in of_sar()]


def test_several_processes_read_what_one_does(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as one:
        one.setattr(side_by_side, "_processors", lambda: 1)
        one.setattr(side_by_side, "processes", never)
        alone, said_alone = read(folder)
    monkeypatch.setattr(side_by_side, "_processors", lambda: 2)
    tables, said = read(folder)
    assert len(said["raw_file"]) == FILES
    assert said == said_alone
    assert tables.keys() == alone.keys()
    for name, rows in tables.items():
        assert rows.num_rows > 0
        # As bytes: what is not available is NaN or NULL, and equals nothing.
        assert rows.to_pandas().to_csv() == alone[name].to_pandas().to_csv(), name


@pytest.mark.usefixtures("several")
def test_a_file_that_is_refused_is_named_and_the_others_are_read(folder: Path) -> None:
    with (folder / "host1.txt").open("a") as file:
        file.write("\n18:00:01      UID       PID    %usr %system    %CPU   CPU  Command\n")
    _, said = read(folder)
    assert len(said["raw_file"]) == FILES - 1
    ((run_id, name, digest, why),) = said["refused_file"]
    assert (run_id, name) == ("exports/many", "exports/many/host1.txt")
    assert digest == sha256(folder / "host1.txt")
    assert "is output of pidstat" in str(why)


@pytest.mark.usefixtures("several")
def test_a_process_that_is_killed_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = os.getpid()

    def die(*_: object) -> None:
        assert os.getpid() != parent
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(reading.formats, "read", die)  # a fork has it, too
    with pytest.raises(StudyBookError, match=r"killed.*memory.*\n  → "):
        read(folder)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("largest", [0, 10_000_000])  # read one by one, or together
def test_a_file_that_changes_while_it_is_read_is_refused(
    largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(side_by_side, "_processors", lambda: 1)
    monkeypatch.setattr(inventory, "LARGEST_BYTES", largest)
    original = reading.formats.read

    def change(path: Path, *others: Any) -> Any:
        if path.name == "host1.txt":
            with path.open("a") as file:
                file.write("more\n")
        return original(path, *others)

    monkeypatch.setattr(reading.formats, "read", change)
    told = r"host1\.txt: changed while it was read\n  → .*\nnothing was loaded"
    with pytest.raises(StudyBookError, match=told):
        load("sar", data_set="reference", strict=True)
    assert not list(DataSet.named("reference").database.parent.glob("*.duckdb"))
