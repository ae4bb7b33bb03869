"""``studybook measure``: real tools on this machine, and what is left of them afterwards."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from studybook.dataset.manifest import Run, read_run
from studybook.errors import StudyBookError
from studybook.measure import host
from studybook.measure.command import Command, Experiment, Service
from studybook.measure.context_switch import _perf
from studybook.measure.plan import EXPERIMENTS, STUDY, Plan, make_plan
from studybook.measure.run_command import Failed, Stopped, run_command, serving
from studybook.measure.scale import FULL, QUICK, Scale
from studybook.measure.tools import TOOLS, find
from studybook.process.stop import Stop
from tests.conftest import REPOSITORY
from tests.support.processes import wait_until
from tests.support.project import Project, small_project

QUICKLY = ("measure", "linux-io", "--data-set", "mine", "--quick")

#: The rows that each experiment must have, whichever of its tools was there.
ROWS = {
    "dbench": "SELECT processes FROM bench_throughput WHERE tool = 'dbench'",
    "sequential-io": "SELECT processes FROM bench_throughput WHERE tool = 'iozone'"
    " UNION ALL SELECT processes FROM bench_fio",
    "context-switch": "SELECT processes FROM bench_context_switch",
    "tcp-transactions": "SELECT kind FROM bench_transaction",
    "dd-block-size": "SELECT block_size_bytes FROM bench_copy",
}


def plan_in(folder: Path, scale: Scale = QUICK, *names: str, **options: Any) -> Plan:
    """Plan one repetition of the experiments of these names, or of all."""
    given = {"most_mib": 2000, "most_seconds": 600.0} | options
    target = folder / "data" / "mine" / STUDY
    return make_plan(names or EXPERIMENTS, 1, scale, directory=folder, target=target, **given)


def able() -> dict[str, Experiment]:
    """The experiments for which this machine has the tools."""
    return {run.experiment.name: run.experiment for run in plan_in(REPOSITORY).runs}


def tree(folder: Path) -> dict[str, float]:
    """Every file and folder below a folder, with the time of its last change."""
    return {str(path): path.stat().st_mtime for path in folder.rglob("*")}


def running_in(folder: Path) -> list[str]:
    """Names of the processes that are alive and work in a folder or below it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            place = str((process / "cwd").readlink())
            state = (process / "stat").read_text().rpartition(")")[2].split()[0]
            if place.startswith(str(folder)) and state != "Z":
                found.append((process / "comm").read_text().strip())
    return found


# --- one real measurement ---------------------------------------------------------------


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project in which everything that is installed was measured, quickly, and loaded."""
    made = small_project(tmp_path_factory.mktemp("measure") / "project", raw=False)
    (made.root / "data/raw").mkdir()
    made.run(*QUICKLY, "--repetitions", "1")
    made.run("load", "--data-set", "mine")
    return made


@pytest.fixture(scope="module")
def runs(project: Project) -> list[Run]:
    found = sorted((project.root / "data/raw/mine" / STUDY).glob("*/run.yml"))
    return [read_run(path) for path in found]


@pytest.fixture(scope="module")
def database(project: Project) -> Iterator[duckdb.DuckDBPyConnection]:
    path = project.root / "build/mine/study.duckdb"
    with duckdb.connect(str(path), read_only=True) as connection:
        yield connection


def test_every_experiment_with_its_tools_has_a_run(runs: list[Run]) -> None:
    assert {run.run for run in runs} == {f"{name}-1" for name in able()}
    assert {"dbench", "dd-block-size"} <= able().keys(), "make tools installs what these need"


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_views_show_what_was_measured(database: duckdb.DuckDBPyConnection, name: str) -> None:
    rows = database.execute(
        f"SELECT run_id FROM ({ROWS[name].replace('SELECT ', 'SELECT run_id, ')})"
    ).fetchall()
    assert set(rows) == ({(f"{STUDY}/{name}-1",)} if name in able() else set())


def test_levels_are_those_of_the_plan(database: duckdb.DuckDBPyConnection) -> None:
    def found(name: str) -> list[Any]:
        return sorted(row[0] for row in database.execute(ROWS[name]).fetchall())

    assert found("dbench") == sorted(QUICK.processes)
    assert found("dd-block-size") == [1024, 4096]
    if "sequential-io" in able():  # write and read
        assert found("sequential-io") == sorted(2 * QUICK.writers)
    if "tcp-transactions" in able():
        many = QUICK.connections
        assert found("tcp-transactions") == ["crr"] * many + ["rr"] * (1 + many)


def test_dd_has_its_cpu_time_and_the_same_bytes(database: duckdb.DuckDBPyConnection) -> None:
    rows = database.execute("SELECT copied_bytes, cpu_s, flags FROM bench_copy").fetchall()
    assert [(row[0], row[2]) for row in rows] == 2 * [(QUICK.copy_mib * 2**20, "conv=fdatasync")]
    assert all(row[1] > 0 for row in rows)


def test_every_line_of_the_raw_exports_is_understood(
    database: duckdb.DuckDBPyConnection,
) -> None:
    assert database.execute("SELECT * FROM line_not_understood").fetchall() == []


def test_the_system_was_recorded_beside_it(database: duckdb.DuckDBPyConnection) -> None:
    rows = database.execute(
        "SELECT max(busy_percent), min(host) FROM cpu_use JOIN run USING (run_id)"
        " WHERE cpu = 'all' AND run = 'dbench-1'"
    ).fetchall()
    assert rows[0][0] > 5
    assert rows[0][1] == host.name()


def test_run_yml_says_what_was_run_and_where(runs: list[Run]) -> None:
    for run in runs:
        assert (run.origin, run.kind, run.time_zone) == ("measured", "measurement", "UTC")
        assert run.factors == {"experiment": run.run[:-2], "repetition": 1}
        (machine,) = run.hosts
        assert (machine.name, machine.cpus) == (host.name(), os.cpu_count())
        assert machine.memory_mib
        assert {file.host for file in run.files} == {machine.name}
        assert any(note.startswith("File system: ") for note in run.notes)
        assert not any("Failed" in note or "Stopped" in note for note in run.notes)


def test_nothing_is_left_beside_the_data(project: Project) -> None:
    assert not list(project.root.glob("studybook-measure-*"))
    assert not list((project.root / "data/raw/mine" / STUDY).glob(".*"))
    assert running_in(project.root) == []


def test_runs_that_are_there_are_refused(project: Project) -> None:
    before = tree(project.root / "data")
    done = project.run(*QUICKLY, "--experiments", "dbench", code=1)
    assert "has dbench-1 already" in done.stderr
    assert "--data-set" in done.stderr
    assert tree(project.root / "data") == before


# --- before anything runs ---------------------------------------------------------------


def test_dry_run_writes_nothing_and_prints_what_is_run(project: Project, runs: list[Run]) -> None:
    moved = project.root / "moved"
    (project.root / "data/raw/mine").rename(moved)
    try:
        before = tree(project.root)
        done = project.run(*QUICKLY, "--repetitions", "1", "--dry-run")
        assert tree(project.root) == before
    finally:
        moved.rename(project.root / "data/raw/mine")
    printed = [line[21:].removesuffix(" &") for line in done.stdout.splitlines() if line[:1] == " "]
    # A port that something took meanwhile is another one.
    plain = [re.sub(r"-p \d+", "-p PORT", text) for text in printed]
    ran = [re.sub(r"-p \d+", "-p PORT", file.notes[0]) for run in runs for file in run.files]
    assert set(ran) <= set(plain)
    services = {text for text in plain if text.startswith("netserver")}
    recorder = {text for text in plain if text.startswith("sar")}
    assert set(plain) == set(ran) | services | recorder
    assert re.search(rf"{len(runs)} runs, 1 of each .* \d+ s, \d+ MiB", done.stdout)


def test_too_little_space_is_refused(tmp_path: Path) -> None:
    huge = replace(QUICK, file_mib=10**9)
    plan = plan_in(tmp_path, huge, "dd-block-size", most_mib=10**12)
    plan.check()
    with pytest.raises(StudyBookError, match=r"\d MiB .*\b1000000000 MiB"):
        plan_in(tmp_path, replace(huge, copy_mib=10**9), "dd-block-size", most_mib=10**12).check()


def test_what_the_page_cache_has_to_do_with_it_is_noted(tmp_path: Path) -> None:
    if find("iozone") or find("fio"):
        (run,) = plan_in(tmp_path, QUICK, "sequential-io").runs
        assert re.match(r"Direct I/O|The file system has no|The files lie", run.experiment.notes[0])
        (run,) = plan_in(Path("/dev/shm"), QUICK, "sequential-io").runs  # noqa: S108 - it is memory
        assert "memory" in run.experiment.notes[0]


@pytest.mark.parametrize("most", [88, 300, 1000])
def test_no_command_needs_more_space_than_allowed(tmp_path: Path, most: int) -> None:
    plan = plan_in(tmp_path, FULL, most_mib=most)
    assert 0 < plan.mib <= most
    assert all(run.experiment.commands for run in plan.runs)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--max-mib", "10"], 1, "--max-mib 10: the experiments need 22 MiB"),
        (["--experiments", "dbench,tbench"], 2, "'tbench' is none of dbench, sequential-io,"),
        (["--data-set", "../up"], 2, "letters, digits"),
        (["--host", ""], 2, "'': name a host, or its address"),
        (["--host", " "], 2, "' ': name a host, or its address"),
        (["--host", "-p"], 2, "'-p': name a host, or its address"),
        (["--directory", "nowhere"], 1, "nowhere: is not a folder"),
        (["--max-seconds", "1", "--experiments", "dbench"], 1, "would not end in 1 s: dbench-1"),
    ],
)
def test_what_cannot_be_done_is_said(
    tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    options = (*QUICKLY, "--out", str(tmp_path), *arguments)
    assert said in Project(REPOSITORY).run(*options, code=code).stderr
    assert list(tmp_path.iterdir()) == []


def kit(folder: Path, *arguments: str, path: str | None = None) -> subprocess.Popen[str]:
    """Start the command in a folder, with test files and data there, and another ``PATH``."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STUDYBOOK_")}
    environment |= {"PYTHONPATH": str(REPOSITORY)} | ({"PATH": path} if path else {})
    out = ["--out", str(folder / "out")]
    return subprocess.Popen(
        [sys.executable, "-m", "studybook", *QUICKLY, *out, *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def only(folder: Path, *names: str) -> str:
    """Make a folder for ``PATH`` that has these tools and no others."""
    folder.mkdir()
    for name in names:
        found = shutil.which(name)
        assert found, name
        (folder / name).symlink_to(found)
    return str(folder)


def test_missing_tools_are_named_with_their_packages(tmp_path: Path) -> None:
    path = only(tmp_path / "bin", "bash", "dd")
    out, err = kit(tmp_path, "--dry-run", path=path).communicate()
    assert "dd-block-size-1: " in out
    assert "dbench-1" not in out
    for name in ("dbench", "iozone", "fio", "netperf"):
        tool = TOOLS[name]
        assert f"{name} (Debian: {tool.debian}; RPM: {tool.rpm})" in err
    assert "sar (Debian: sysstat; RPM: sysstat)" in err


def test_without_any_tool_nothing_is_measured(tmp_path: Path) -> None:
    none = only(tmp_path / "bin")
    process = kit(tmp_path, "--experiments", "dbench,dd-block-size", path=none)
    _, err = process.communicate()
    assert process.returncode == 1
    assert "nothing can be measured" in err
    assert not (tmp_path / "out").exists()


def test_runs_belong_to_the_study_that_is_named(tmp_path: Path) -> None:
    path = only(tmp_path / "bin", "bash", "dd")
    dd = ("--experiments", "dd-block-size", "--repetitions", "1")
    process = kit(tmp_path, *dd, "--study", "my-disks", path=path)
    _, err = process.communicate()
    assert process.returncode == 0, err
    (run,) = (tmp_path / "out/mine").glob("*/*/run.yml")
    assert read_run(run).run_id == "my-disks/dd-block-size-1"


def test_a_name_that_no_study_can_have_is_refused(tmp_path: Path) -> None:
    process = kit(tmp_path, "--study", "My disks", path="")
    _, err = process.communicate()
    assert process.returncode == 2
    assert "small letters, digits and hyphens" in err


def test_the_second_choices_of_tools_work_too(tmp_path: Path) -> None:
    if find("fio"):
        path = only(tmp_path / "bin", "fio", "sar")
        process = kit(tmp_path, "--experiments", "sequential-io", "--repetitions", "1", path=path)
        out, err = process.communicate()
        assert process.returncode == 0, err
        assert "measured  sequential-io-1" in out
        (file,) = (tmp_path / "out/mine" / STUDY).glob("*/*.json")
        assert file.name == f"fio-{QUICK.writers[0]}.json"
    if find("perf"):
        (tmp_path / "work").mkdir()
        with Stop() as stop:
            run_command(_perf(1000), tmp_path / "perf.txt", tmp_path / "work", stop, 60)
        assert "usecs/op" in (tmp_path / "perf.txt").read_text()


# --- what goes wrong --------------------------------------------------------------------


def test_a_tool_that_fails_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    path = only(tmp_path / "bin", "bash", "dd")
    broken = tmp_path / "bin" / "dbench"
    broken.write_text("#!/bin/sh\necho 'no load file' >&2\nexit 3\n")
    broken.chmod(0o755)
    process = kit(
        tmp_path, "--experiments", "dbench,dd-block-size", "--repetitions", "2", path=path
    )
    out, err = process.communicate()
    assert process.returncode == 1
    assert re.search(r"dbench-1: dbench -D \. -t 2 1: .*\b3: no load file", err)
    assert "2 runs of 4" in out
    assert sorted(each.name for each in (tmp_path / "out/mine" / STUDY).iterdir()) == [
        "dd-block-size-1", "dd-block-size-2"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("comes_at", "code", "files", "note"),
    [
        (1, 0, ["lat_ctx-0k.txt", "lat_ctx-16k.txt"], ""),
        (5, 0, ["lat_ctx-0k.txt", "lat_ctx-16k.txt"], "No result before attempt 5, which is kept"),
        (6, 1, ["lat_ctx-16k.txt"], "Failed, and not kept"),
    ],
)
def test_a_tool_that_ends_without_a_result_is_run_again(
    tmp_path: Path, comes_at: int, code: int, files: list[str], note: str
) -> None:
    path = only(tmp_path / "bin", "bash")
    tool = tmp_path / "bin" / "lat_ctx"
    tool.write_text(
        "#!/bin/bash\n"
        f"echo again >> {tmp_path}/tries; mapfile -t tries < {tmp_path}/tries\n"
        f"((${{#tries[@]}} % {comes_at})) || echo '2 1.50' >&2\n"
    )
    tool.chmod(0o755)
    process = kit(tmp_path, "--repetitions", "1", path=path)
    _, err = process.communicate()
    assert process.returncode == code, err
    folder = tmp_path / "out/mine" / STUDY / "context-switch-1"
    assert ("context-switch-1: ENOUGH=5000" in err) == (code == 1)
    assert sorted(each.name for each in folder.glob("lat_ctx-*")) == files
    text = (folder / "run.yml").read_text()
    assert ("No result" in text, "Failed" in text) == (comes_at == 5, comes_at == 6)
    assert note in text


@pytest.mark.parametrize(
    ("script", "most_s", "said"),
    [
        ("echo some; echo thing >&2", 600, "no result: thing"),
        ("sleep 600 & sleep 600", 1, "was stopped after 1 s"),
        ("set -m; trap '' TERM; sleep 600 & sleep 601", 1, "was stopped after 1 s"),
        ("kill -9 $$", 600, "exit code -9: it printed nothing"),
    ],
)
def test_a_command_fails_and_nothing_of_it_is_left(
    tmp_path: Path, script: str, most_s: int, said: str
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    command = Command("file", ("bash", "-c", script), "^result", seconds=600, at_once=2)
    with Stop() as stop, pytest.raises(Failed, match=said):
        run_command(command, tmp_path / "file", work, stop, most_s)
    assert not (tmp_path / "file").exists()
    assert running_in(work) == []


def test_a_server_that_does_not_come_is_an_error(tmp_path: Path) -> None:
    service = Service(("bash", "-c", "echo taken; exit 1"), 9)
    wanted = pytest.raises(Failed, match="does not answer: taken")
    with wanted, Stop() as stop, serving(service, tmp_path, stop):
        pytest.fail("there is no server")


def test_outputs_of_commands_at_once_follow_one_another(tmp_path: Path) -> None:
    # Each waits for the others between its lines, and says when that was.
    script = (
        "echo a; echo >> there; until (($(wc -l < there) == 3)); do sleep .01; done;"
        " LC_ALL=C; echo $EPOCHREALTIME"
    )
    command = Command("file", ("bash", "-c", script), "a", 600, at_once=3)
    with Stop() as stop:
        began, ended = run_command(command, tmp_path / "file", tmp_path, stop, 600)
    lines = (tmp_path / "file").read_text().split()
    assert lines[::2] == ["a"] * 3
    assert all(began <= float(when) <= ended for when in lines[1::2])
    assert len(lines) == 6


def test_a_signal_is_noted_and_the_handler_put_back(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    with Stop() as stop:
        os.kill(os.getpid(), signal.SIGINT)
        assert (stop.asked, stop.exit_code) == (True, 130)
        with pytest.raises(Stopped):
            run_command(Command("f", ("true",), "", 1), tmp_path / "f", tmp_path, stop, 60)
    assert signal.getsignal(signal.SIGINT) is before


# --- Ctrl-C -----------------------------------------------------------------------------


def endless(folder: Path, name: str, call: int) -> str:
    """Make a ``PATH`` on which a tool, called for the nth time, starts anew whenever it ends.

    However late a signal comes, it then comes while the tool runs; a file says that it does.
    """
    tool = find(name)
    assert tool
    folder.mkdir()
    script = folder / name
    script.write_text(
        f"#!/bin/bash\nPATH={os.environ['PATH']}\n"
        f"[[ $# = 1 && $1 = -* ]] && exec {tool} $1  # which release it is\n"
        f"echo >> {folder}/calls\n"
        f'(($(wc -l < {folder}/calls) == {call})) || exec {tool} "$@"\n'
        f'touch {folder}/{name}-runs-on\nwhile :; do {tool} "$@"; done\n'
    )
    script.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "kill"]
)
def test_stopped_in_a_run_it_keeps_what_was_complete(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    # The first command of the second repetition is complete; the second one runs until it is ended.
    path = endless(tmp_path / "bin", "dbench", 4)
    process = kit(tmp_path, "--experiments", "dbench,dd-block-size", path=path)
    study = tmp_path / "out/mine" / STUDY
    wait_until((tmp_path / "bin/dbench-runs-on").exists, process, every=0.01)
    process.send_signal(number)
    out, err = process.communicate()
    assert process.returncode == code, err
    assert "Traceback" not in err
    assert sorted(each.name for each in study.iterdir()) == [
        "dbench-1", "dbench-2", "dd-block-size-1"
    ]  # fmt: skip
    assert "3 runs of 6" in out
    assert re.search("→ .*--data-set", err)
    cut = read_run(study / "dbench-2/run.yml")
    assert [file.path for file in cut.files if file.path.startswith("dbench")] == ["dbench-1.txt"]
    assert re.search(r"Stopped by hand[^:]*: dbench -D \. -t 2 4$", "\n".join(cut.notes), re.M)
    assert {each.name for each in (study / "dbench-2").iterdir()} == {
        "run.yml", *(file.path for file in cut.files)
    }  # fmt: skip
    assert running_in(tmp_path) == []
    assert {each.name for each in tmp_path.iterdir()} == {"bin", "out"}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_stopped_in_its_first_command_it_leaves_nothing(tmp_path: Path, name: str) -> None:
    if name not in able():
        process = kit(tmp_path, "--experiments", name)
        process.communicate()
        assert process.returncode == 1
        return
    tool = "dd" if name == "dd-block-size" else able()[name].tools[0]
    path = endless(tmp_path / "bin", tool, 1)
    process = kit(tmp_path, "--experiments", name, path=path)
    wait_until((tmp_path / f"bin/{tool}-runs-on").exists, process, every=0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130, err
    assert "to measure again" not in err
    assert running_in(tmp_path) == []
    assert {each.name for each in tmp_path.iterdir()} == {"bin", "out"}
    assert list((tmp_path / "out").iterdir()) == []
