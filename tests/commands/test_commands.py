"""The command line: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import get_args

import duckdb
import pytest

from studybook.__main__ import VERBS
from studybook.commands import _shared
from studybook.commands._shared import DATE_ORDERS
from studybook.engine.execute import Outcome, Task
from studybook.engine.notebooks import studies_without_figures
from studybook.formats.contract import DateOrder
from testbed.studies import STUDIES
from tests.conftest import REPOSITORY
from tests.support.project import Project, command

IOR = REPOSITORY / "data/raw/reference/flexible-scale/6-systems-read/ior.txt"
CLUSTER = REPOSITORY / "data/raw/reference/flexible-scale/6-systems-configuration/mmlscluster.txt"

HERE = Project(REPOSITORY)


def test_every_module_of_commands_is_a_verb() -> None:
    modules = (REPOSITORY / "studybook/commands").glob("[!_]*.py")
    assert {path.stem for path in modules} == set(VERBS)


@pytest.mark.parametrize("verb", [*VERBS, ""])
def test_help_teaches(verb: str) -> None:
    done = HERE.call(verb, "--help") if verb else HERE.run("--help")
    assert "Usage: studybook" in done.stdout
    if verb:
        first = command(verb).help
        assert first
        assert first.split("\n")[0].rstrip(".") in " ".join(done.stdout.split())


def test_a_verb_that_is_misspelt_is_told_with_the_one_like_it() -> None:
    assert "did you mean history?" in HERE.run("histroy", code=2).stderr
    assert "did you mean" not in HERE.run("xylophone", code=2).stderr


def test_a_log_tells_how_far_long_work_has_come(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_shared, "LOG_EVERY_S", 0)
    ran = Outcome(Task("a", Path(), Path(), {}, Path()), "ok", "")
    with _shared.progress("figures", 2) as done:
        done(ran)
        done(ran)
    assert capsys.readouterr().err == "figures: 1 of 2 notebooks\nfigures: 2 of 2 notebooks\n"


def test_a_study_that_is_misspelt_is_told() -> None:
    given = ["flexible-scal", "flexible-scale", "something-else"]
    assert studies_without_figures(REPOSITORY, given) == {
        "flexible-scal": ["flexible-scale"], "something-else": []
    }  # fmt: skip


def test_every_date_order_can_be_said() -> None:
    assert get_args(DateOrder) == DATE_ORDERS


def test_every_model_can_be_fitted() -> None:
    fit = command("testbed").commands["fit"]
    (study,) = (each for each in fit.params if each.name == "study")
    assert set(study.type.choices) == set(STUDIES)


def test_help_waits_for_no_heavy_library() -> None:
    heavy = {"altair", "duckdb", "nbformat", "numpy", "pandas", "papermill", "pyarrow", "scipy"}
    code = (
        "import sys; from studybook.__main__ import cli\n"
        "assert all(cli.get_command(None, verb) for verb in cli.list_commands(None))\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "testbed.command" in loaded
    assert not loaded & heavy


def test_inspect_says_what_a_file_is() -> None:
    out = HERE.run("inspect", str(IOR), str(CLUSTER)).stdout
    for part in (
        *("ior-text", "compute1", "2016-11-08 23:06:59 to 2016-11-09 00:13:06", "ior_summary"),
        *("41804.58", "0 not understood", "scale-text", "scale_node: 14 rows", "sgi1_gpfs"),
    ):
        assert part in out
    assert "\x1b[" not in out


def test_inspect_as_json() -> None:
    (found,) = json.loads(HERE.call("inspect", "--json", str(IOR)).stdout)
    assert found["format"] == "ior-text"
    assert found["rows"]["ior_summary"] == 1
    assert found["first_rows"]["ior_summary"][0]["mean_mib_s"] == 41804.58
    accounted = (
        found["lines_in_records"] + found["lines_in_headings"] + found["lines_not_understood"]
    )
    assert accounted == found["lines"] == len(IOR.read_text().splitlines())


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_inspect_writes_records(tmp_path: Path, kind: str) -> None:
    HERE.call("inspect", str(CLUSTER), "--to", str(tmp_path / "out"), "--as", kind)
    path = tmp_path / "out" / f"mmlscluster.txt.scale_node.{kind}"
    row = duckdb.execute(
        f"SELECT count(*), min(node_number), max(node_number) FROM '{path}'"
    ).fetchone()
    assert row == (14, 1, 14)
    assert not list((tmp_path / "out").glob("*.part"))


def test_inspect_looks_at_all_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    shutil.copy2(CLUSTER, tmp_path / "run")
    (tmp_path / "run/notes.txt").write_text("Dear diary\n", encoding="utf-8")
    (tmp_path / "run/run.yml").write_text("", encoding="utf-8")
    done = HERE.call("inspect", str(tmp_path), "--json", code=1)
    seen = {Path(each["path"]).name: each.get("format") for each in json.loads(done.stdout)}
    assert seen == {"mmlscluster.txt": "scale-text", "notes.txt": None}
    assert "run.yml" in done.stderr
    done = HERE.call("inspect", str(tmp_path / "run/mmlsclustr.txt"), code=1)
    assert "did you mean mmlscluster.txt?" in done.stderr


def test_inspect_names_what_it_refuses_and_shows_the_rest(tmp_path: Path) -> None:
    diary = tmp_path / "diary.txt"
    diary.write_text("Dear diary,\n")
    binary = tmp_path / "binary"
    binary.write_bytes(bytes(range(256)))
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    missing = tmp_path / "missing.txt"
    done = HERE.call("inspect", str(diary), str(binary), str(empty), str(missing), str(IOR), code=1)
    for part in (
        *(f"{diary}: is of no known format", "Dear diary", "inspect --formats"),
        f"{binary}: holds NUL",
        *(f"{empty}: is empty", f"{missing}: cannot be opened"),
    ):
        assert part in done.stderr
    assert "41804.58" in done.stdout
    (answer, *_) = json.loads(HERE.call("inspect", "--json", str(diary), code=1).stdout)
    assert "no known format" in answer["refused"]


@pytest.mark.parametrize("kind", ["zip", "tar", "gztar", "xztar"])
def test_an_archive_is_told_as_such(tmp_path: Path, kind: str) -> None:
    archive = shutil.make_archive(str(tmp_path / "all"), kind, IOR.parent, IOR.name)
    said = HERE.call("inspect", archive, code=1).stderr
    assert re.search(r"is a (zip|tar) archive.*\n  → unpack it", said)


def test_usage_errors_end_with_2() -> None:
    assert "there is no verb 'lode'" in HERE.run("lode", code=2).stderr
    assert "Missing argument" in HERE.call("inspect", code=2).stderr


@pytest.mark.parametrize("folder", ["/books/shop", "./shop", "../shop", "~/shop"])
def test_a_folder_is_no_title_of_a_book(tmp_path: Path, folder: str) -> None:
    done = Project(tmp_path).run("new", folder, code=1)
    assert f"studybook new 'Shop' {folder}" in done.stderr
    assert not [*tmp_path.iterdir()]


def test_an_unknown_data_set_ends_with_1() -> None:
    done = HERE.run("load", "--data-set", "referense", code=1)
    assert "there is no data set 'referense'" in done.stderr
    assert done.stdout == ""


def test_outside_a_project_it_says_so(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "studybook", "status"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert re.search("no study book.*\n  → ", done.stderr)


@pytest.mark.book
def test_status_of_a_built_project_is_fresh() -> None:
    done = HERE.run("status")
    assert "stale" not in done.stdout
    assert "fresh  book" in done.stdout


@pytest.mark.book
def test_serve_serves_the_book() -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "studybook", "serve", "--port", "0"],
        cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split()[0]
        with urllib.request.urlopen(f"{address}book/intro.html") as answer:  # noqa: S310
            assert "Performance Study Book" in answer.read().decode()
    finally:
        process.terminate()
        process.wait()


def test_serve_without_a_book_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "_config.yml").touch()
    (tmp_path / "data/raw/reference").mkdir(parents=True)
    done = subprocess.run(
        [str(Path(sys.executable).with_name("studybook")), "serve"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "there is no book yet" in done.stderr
