"""The benchmarks run, and what they measure on is what they say; no time is asserted."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import cases, report
from benchmarks.__main__ import main
from benchmarks.columns import numbers, rows, texts
from benchmarks.csv_text import write_csv
from benchmarks.mmpmon_text import write_mmpmon
from benchmarks.plain_parser import parse
from benchmarks.rpt_text import write_rpt
from benchmarks.sar_activities import SLES11, SYSSTAT12
from benchmarks.sar_text import write_sar
from studybook import formats
from tests.support.project import remember

Writer = Callable[..., None]

WRITERS: dict[str, Writer] = {
    "sar-sles11": lambda path, size, seed: write_sar(path, SLES11, size, seed=seed),
    "sar-12": lambda path, size, seed: write_sar(path, SYSSTAT12, size, seed=seed),
    "mmpmon": lambda path, size, seed: write_mmpmon(path, size, seed=seed),
    "rpt": lambda path, size, seed: write_rpt(path, size, seed=seed),
}


@given(
    st.lists(st.integers(-(10**17), 10**17), min_size=1, max_size=5),
    st.integers(0, 4),
    st.integers(0, 12),
)
def test_numbers_are_printed_as_printf_does(values: list[int], decimals: int, width: int) -> None:
    text = rows(numbers(np.array(values), decimals, width), "\n").decode()
    sign = {True: "-", False: ""}
    for value, line in zip(values, text.split("\n"), strict=False):
        whole, rest = divmod(abs(value), 10**decimals)
        plain = f"{sign[value < 0]}{whole}" + (f".{rest:0{decimals}}" if decimals else "")
        assert line == f"{plain:>{width}}"


def test_texts_of_any_length_stand_side_by_side() -> None:
    assert rows("<", texts(["a", "long"], np.array([1, 0])), ">") == b"<long><a>"


@pytest.mark.parametrize("name", WRITERS)
def test_a_seed_gives_one_file_and_another_seed_another(name: str, tmp_path: Path) -> None:
    written = []
    for number, seed in enumerate((1, 1, 2)):
        path = tmp_path / str(number)
        WRITERS[name](path, 300_000, seed)
        written.append(path.read_bytes())
    assert written[0] == written[1] != written[2]


@pytest.mark.parametrize("name", WRITERS)
def test_every_line_of_the_files_is_understood(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](path, 400_000, 1)
    kept: dict[str, int] = {}

    def sink(table: str, found: pa.Table) -> None:
        kept[table] = kept.get(table, 0) + found.num_rows

    found, reading = formats.read(path, sink)
    assert found.source == name.split("-")[0]
    assert reading.not_understood == []
    assert reading.lines == path.read_bytes().count(b"\n")
    assert reading.rows == kept


def test_large_files_have_the_size_asked_for(tmp_path: Path) -> None:
    for version in (SLES11, SYSSTAT12):
        write_sar(tmp_path / "sar", version, 3_000_000)
        assert (tmp_path / "sar").stat().st_size == pytest.approx(3_000_000, rel=0.02)


def test_both_sides_find_the_same_numbers(tmp_path: Path) -> None:
    """What is compared with does the work, too: its rows and sums are those of the text."""
    path = tmp_path / "sar.txt"
    write_sar(path, SLES11, 300_000)
    with duckdb.connect() as connection:
        parse(path, connection, datetime(2016, 6, 14))
        (count, total) = connection.execute(
            'SELECT count(*), sum("tps") FROM "tps rtps wtps bread/s bwrtn/s"'
        ).fetchall()[0]
    text = path.read_text(encoding="utf-8").split("\n\n")
    lines = [
        line.split()
        for section in text
        if "tps      rtps" in section
        for line in section.splitlines()[1:]
        if line[0].isdigit()
    ]
    assert count == len(lines)
    assert total == pytest.approx(sum(float(words[1]) for words in lines))


def test_the_plain_csv_is_one_that_duckdb_reads(tmp_path: Path) -> None:
    write_csv(tmp_path / "plain.csv", 100_000)
    with duckdb.connect() as connection:
        described = connection.execute(
            "DESCRIBE FROM read_csv(?)", [str(tmp_path / "plain.csv")]
        ).fetchall()
    assert [kind for _, kind, *_ in described] == ["TIMESTAMP", "VARCHAR", *["DOUBLE"] * 12]


@pytest.mark.parametrize(
    ("case", "processors"), [("sar-sles11", ()), ("many-files", ("--processors", "1"))]
)
def test_a_case_runs_from_end_to_end(
    case: str,
    processors: Sequence[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One with one processor and with all, as when nothing is said of that; one with one.

    What loads begins with what was worked out of the library's models before: no time is asserted.
    """
    make = cases._project

    def project(folder: Path, files: list[str]) -> Path:
        run = make(folder, files)
        remember(folder)
        return run

    monkeypatch.setattr(cases, "_project", project)
    found = tmp_path / "found.json"
    options = ["--size-mb", "1", "--repeat", "1", "--folder", str(tmp_path), "--json", str(found)]
    code = main([*options, *processors, "--only", case])
    assert code in (0, 1)  # how fast this machine is, no test says
    printed = capsys.readouterr().out
    assert "together MiB" in printed
    measured_cases = json.loads(found.read_text(encoding="utf-8"))["cases"]
    every = {1} if processors else {1, len(os.sched_getaffinity(0))}
    assert {measured["processors"] for measured in measured_cases} == every
    for each in (each for measured in measured_cases for each in measured["comparisons"]):
        assert each["against"] in printed
        assert len(each["ratios"]) == 1
    # Python with its libraries, at the least.
    assert all(100 < each["tasks"][0]["together_mib"][0] < 2000 for each in measured_cases)
    assert [path.name for path in tmp_path.iterdir()] == ["found.json"]


def test_the_results_in_the_readme_are_not_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = report.README.read_text(encoding="utf-8")
    copy = tmp_path / "README.md"
    copy.write_text(before, encoding="utf-8")
    monkeypatch.setattr(report, "README", copy)
    report.write_readme([], repeat=3)
    report.write_readme([], repeat=3)
    after = copy.read_text(encoding="utf-8")
    assert "; 3 turns.\n" in after
    assert after.split("<!--")[0] == before.split("<!--")[0]
    assert after.split("-->")[-1] == before.split("-->")[-1]
