"""What is particular to IOR: secrets in the environment, order of lines, sizes, layouts."""

from __future__ import annotations

from pathlib import Path

import pytest

from studybook.errors import Refused
from studybook.formats import Reading
from studybook.formats.gpfsperf.reader import kbyte, size
from studybook.formats.ior.layout import layout
from studybook.formats.ior.log import aggregate_size
from tests.conftest import REPOSITORY
from tests.support import reading
from tests.support.reading import Rows

DATA = REPOSITORY / "tests/data" / "ior"


def read_text(text: str, folder: Path) -> tuple[Reading, Rows]:
    """Read a text as a file."""
    return reading.read_text(folder, text)[1:]


def test_environment_is_neither_stored_nor_shown(tmp_path: Path) -> None:
    text = (DATA / "ior-3.2.1-environment.txt").read_text(encoding="utf-8")
    assert "not-a-real-secret" in text
    for lost in ("", "STARTING ENVIRON LOOP\n", "ENDING ENVIRON LOOP\n"):
        reading, rows = read_text(text.replace(lost, "", 1) if lost else text, tmp_path)
        kept = str((rows, reading.not_understood, reading.remarks))
        assert "not-a-real-secret" not in kept
        assert "someone" not in kept
        assert "environment are left out" in reading.remarks[0][1]


def test_an_error_before_the_next_heading_is_of_the_next_run(tmp_path: Path) -> None:
    good = (DATA / "ior-3.2.1-environment.txt").read_text(encoding="utf-8")
    bad = (DATA / "ior-4.1.0-failed.txt").read_text(encoding="utf-8")
    _, rows = read_text(good + bad + good, tmp_path)
    assert [row["status"] for row in rows["ior_run"]] == ["complete", "failed", "complete"]
    assert [row["run_no"] for row in rows["ior_run"]] == [0, 1, 2]


def test_an_error_after_the_end_is_of_that_run(tmp_path: Path) -> None:
    good = (DATA / "ior-3.2.1-environment.txt").read_text(encoding="utf-8")
    _, rows = read_text(good + "ior ERROR: cannot close file (aiori-POSIX.c:1)\n", tmp_path)
    assert [row["status"] for row in rows["ior_run"]] == ["failed"]


def test_a_run_that_never_started_does_not_spoil_the_others(tmp_path: Path) -> None:
    good = (DATA / "ior-3.2.1-environment.txt").read_text(encoding="utf-8")
    _, rows = read_text("IOR-3.2.1: MPI Coordinated Test of Parallel I/O\n" + good, tmp_path)
    assert [row["status"] for row in rows["ior_run"]] == ["failed", "complete"]


def test_nan_is_no_number_and_is_said(tmp_path: Path) -> None:
    text = (DATA / "ior-3.3.0-check.txt").read_text(encoding="utf-8")
    reading, rows = read_text(text.replace(" 0.003892 ", " -nan     "), tmp_path)
    assert rows["ior_iteration"][0]["latency_s"] is None
    assert any("nan" in remark for _, remark in reading.remarks)


def test_a_row_that_does_not_fit_its_header_is_not_understood(tmp_path: Path) -> None:
    text = (DATA / "ior-3.3.0-check.txt").read_text(encoding="utf-8")
    reading, rows = read_text(text.replace("4.00       0   \n", "4.00 1 0\n"), tmp_path)
    assert reading.lines_not_understood == 1
    assert reading.not_understood[0][1].startswith("write     2048.00")
    assert [row["operation"] for row in rows["ior_iteration"]] == ["read"]


def test_two_json_outputs_in_one_file(tmp_path: Path) -> None:
    text = (DATA / "ior-3.3.0.json").read_text(encoding="utf-8")
    reading, rows = read_text(text + text.replace("Sun Nov  5 11:", "Sun Nov  5 12:"), tmp_path)
    assert [row["run_no"] for row in rows["ior_run"]] == [0, 1]
    assert len(rows["ior_iteration"]) == 12
    assert not reading.remarks


def test_json_that_was_cut_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    text = (DATA / "ior-3.3.0.json").read_text(encoding="utf-8")
    reading, rows = read_text(text[: text.index('"bwMiB": 640.0')], tmp_path)
    assert [row["status"] for row in rows["ior_run"]] == ["aborted"]
    assert len(rows["ior_iteration"]) == 4
    assert reading.lines_not_understood == 0


@pytest.mark.parametrize("text", ["[" * 100 + "\n", '{"a":' * 100 + "\n"])
def test_json_without_end_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(Refused):
        read_text('{"Began": 1, "Command line": "x", "a":\n' + text, tmp_path)


def test_layouts_by_header() -> None:
    rates = "Max(MiB)   Min(MiB)  Mean(MiB)     StdDev"
    old = layout(f"Operation   {rates}    Mean(s) Test#")
    assert old
    assert old.columns[4:] == ("sd_mib_s", "mean_s", "test_no")
    new = layout(f"Operation   {rates}   Max(OPs)   Min(OPs)  Mean(OPs)     StdDev    Mean(s)")
    assert new
    assert new.columns[4] == "sd_mib_s"
    assert new.columns[8] == "sd_ops_per_s"
    assert layout(f"Operation   {rates}   Surprise") is None
    assert layout(f"Operation   {rates}   Max(MiB)") is None


def test_aggregate_size_is_the_exact_number_that_is_rounded() -> None:
    values = {"tasks": 5888, "block_size_bytes": 47008, "segments": 10000}
    assert aggregate_size(values, 2639609.5, []) == 5888 * 47008 * 10000
    assert aggregate_size(values, 6653568.0, [6976771719168]) == 6976771719168
    assert aggregate_size(values, 16.0, []) == 16 * 2**20


def test_kbytes_of_gpfsperf() -> None:
    assert kbyte(5089216.97, 606.68, 8 * 2**20) == 1000
    assert kbyte(569130.66, 542.77, 2**20) == 1000
    assert kbyte(2330376.56, 284.47, 8 * 2**20) == 1024
    assert kbyte(83583.30, None, 2**20) is None
    assert kbyte(5089216.97, 606.68, 2**20) is None
    assert kbyte(0.0, 1.0, 2**20) is None
    assert size("8M") == 8388608
    assert size("200G") == 214748364800
    assert size("what") is None


# --- what stands around the results ---------------------------------------------------------


def test_thousands_of_lines_of_mpi_in_front(tmp_path: Path) -> None:
    noise = "".join(
        f"[node{each % 64}:{each:05}] mca_base_component_repository_open: unable to open {each}\n"
        for each in range(40_000)
    )
    text = (DATA / "ior-3.3.0-check.txt").read_text(encoding="utf-8")
    before, _ = read_text(text, tmp_path)
    read, rows = read_text(noise + text, tmp_path)
    assert [row["run_no"] for row in rows["ior_run"]] == [0]
    assert [row["line"] > 40_000 for row in rows["ior_run"]] == [True]
    assert read.lines == before.lines + 40_000
    assert any("more messages before the first run" in remark for _, remark in read.remarks)


def test_noise_without_a_result_is_of_no_format(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no known format"):
        read_text("[node1:00001] unable to open\n" * 5000, tmp_path)


def test_all_parameters_before_the_summary_are_of_the_same_test(tmp_path: Path) -> None:
    """As at -vvv: releases 2.10.3 to 3.0.1."""
    text = (DATA / "ior-2.10.3-verbose.txt").read_text(encoding="utf-8")
    shown = "\tTEST:\tid=0\n\t\tapi=POSIX\n\t\trepetitions=2\n\t\tnumTasks=8\n\n"
    _, rows = read_text(text.replace("Summary:", f"{shown}Summary:", 1), tmp_path)
    assert [row["test_no"] for row in rows["ior_test"]] == [0]
    assert {row["test_no"] for row in rows["ior_summary"]} == {0}


def test_hints_of_mpi_are_no_run(tmp_path: Path) -> None:
    text = (DATA / "ior-3.3.0.json").read_text(encoding="utf-8")
    hints = "\nhints passed to MPI_File_open() {\n\tNONE\n}\n"
    _, plain = read_text(text, tmp_path)
    head, results, tail = text.partition('    "Results": [')
    assert results
    read, rows = read_text(hints + head + hints + results + tail + hints, tmp_path)
    assert len(rows["ior_run"]) == 1
    assert len(rows["ior_iteration"]) == len(plain["ior_iteration"])
    assert not read.lines_not_understood


@pytest.mark.parametrize("flag", ["2", "3"])
def test_an_option_that_was_given_twice_is_set(flag: str, tmp_path: Path) -> None:
    text = (DATA / "ior-3.3.0-check.txt").read_text(encoding="utf-8")
    changed, of = summary_with(text, fPP=flag, reord=flag)
    read, rows = read_text(changed, tmp_path)
    assert len(rows["ior_summary"]) == of
    assert {(r["file_per_process"], r["reorder_tasks"]) for r in rows["ior_summary"]} == {
        (True, True)
    }
    assert not read.lines_not_understood


@pytest.mark.parametrize(("printed", "all_tasks"), [("188.65", 60368), ("59000.00", 59000)])
def test_a_rate_up_to_the_stonewall_is_that_of_all_tasks(
    printed: str, all_tasks: float, tmp_path: Path
) -> None:
    """The numbers of a public output of 320 tasks, and as release 3.3 prints it."""
    text = (DATA / "ior-3.3.0-check.txt").read_text(encoding="utf-8")
    changed, _ = summary_with(
        text, **{"Stonewall(MiB)": printed, "Mean(MiB)": "59267.87", "#Tasks": "320"}
    )
    _, rows = read_text(changed, tmp_path)
    assert {row["stonewall_mib_s"] for row in rows["ior_summary"]} == {all_tasks}


def test_a_machine_is_not_called_by_its_system(tmp_path: Path) -> None:
    text = (DATA / "ior-2.10.3-verbose.txt").read_text(encoding="utf-8")
    _, rows = read_text(text, tmp_path)
    assert [(row["machine"], row["system"][:14]) for row in rows["ior_run"]] == [
        ("birch1", "Linux 2.6.32-5")
    ]


def summary_with(text: str, **cells: str) -> tuple[str, int]:
    """A text whose summary has these cells in its rows, and how many there are."""
    lines = text.splitlines(keepends=True)
    place = next(no for no, line in enumerate(lines) if line.startswith("Operation"))
    names = lines[place].split()
    changed = 0
    for no in range(place + 1, len(lines)):
        words = lines[no].split()
        if len(words) == len(names):
            for name, cell in cells.items():
                words[names.index(name)] = cell
            lines[no] = " ".join(words) + "\n"
            changed += 1
    return "".join(lines), changed
