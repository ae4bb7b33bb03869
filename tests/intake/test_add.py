"""A folder of raw exports is taken into a data set: what is written, told, and left alone."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import tarfile
import textwrap
import zipfile
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from studybook.dataset.definition import read_definition
from studybook.dataset.manifest import Run, read_run
from studybook.errors import StudyBookError
from studybook.intake import unpack
from studybook.intake.book import write_book
from studybook.intake.look import files_below
from studybook.units import METRICS
from tests.conftest import REPOSITORY
from tests.support.folder import BEGIN, write_jtl, write_runs, write_sar
from tests.support.project import Project


@pytest.fixture
def book(tmp_path: Path) -> Project:
    """Return a book without data."""
    write_book(tmp_path / "book", "A shop", "somebody", "shop")
    return Project(tmp_path / "book")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty folder for raw exports."""
    path = tmp_path / "given"
    path.mkdir()
    return path


def runs(book: Project, data_set: str = "main") -> dict[str, Run]:
    """The runs of a data set, as their manifests say."""
    found = (book.root / "data/raw" / data_set).glob("*/*/run.yml")
    return {path.parent.name: read_run(path) for path in sorted(found)}


def test_twelve_runs_are_told_by_their_folders(book: Project, folder: Path) -> None:
    done = book.run("add", str(write_runs(folder)))
    found = runs(book)
    assert len(found) == 12
    one = found["users-40-rep2"]
    assert (one.study, one.origin) == ("shop", "measured")
    assert one.factors == {"users": 40}
    assert {host.name for host in one.hosts} == {"web1", "db1"}
    assert [(file.path, file.date_order) for file in one.files] == [
        ("results.jtl", None),
        ("sar-db1.txt", "month-first"),
        ("sar-web1.txt", "month-first"),
    ]
    assert "added 12 runs" in done.stdout


def test_all_hosts_together_are_no_host(book: Project, folder: Path) -> None:
    shutil.copy(REPOSITORY / "tests/data/rpt/full.csv", folder)
    assert "All Hosts" in (folder / "full.csv").read_text(encoding="utf-8").replace("_", " ")
    book.call("add", str(folder), "--study", "own")
    (run,) = runs(book).values()
    assert not [each.name for each in run.hosts if each.name.lower().startswith("all")]


def as_it_is(path: Path) -> tuple[object, ...]:
    """All of a file but when it was read last: to read it is no change."""
    stat = path.stat()
    return (stat.st_ino, stat.st_mode, stat.st_uid, stat.st_mtime_ns, path.read_bytes())


def test_files_are_copied_and_the_given_ones_stay(book: Project, folder: Path) -> None:
    write_jtl(folder / "a.jtl", BEGIN)
    before = as_it_is(folder / "a.jtl")
    book.call("add", str(folder), "--study", "own")
    (copy,) = (book.root / "data/raw/main/own").glob("*/a.jtl")
    assert copy.read_bytes() == before[-1]
    assert as_it_is(folder / "a.jtl") == before
    assert not copy.is_symlink()


def test_files_may_stay_where_they_are(book: Project, folder: Path) -> None:
    write_jtl(folder / "a.jtl", BEGIN)
    book.call("add", str(folder), "--link")
    (link,) = (book.root / "data/raw/main/shop").glob("*/a.jtl")
    assert link.resolve() == folder / "a.jtl"


def test_nothing_is_written_in_a_dry_run(book: Project, folder: Path) -> None:
    write_jtl(folder / "a.jtl", BEGIN)
    before = sorted(book.root.rglob("*"))
    assert "a.jtl" in book.call("add", str(folder), "--dry-run").stdout
    assert sorted(book.root.rglob("*")) == before


def test_what_is_left_out_is_told_in_one_round(book: Project, folder: Path) -> None:
    write_jtl(folder / "a.jtl", BEGIN)
    write_jtl(folder / "again.jtl", BEGIN)
    (folder / "notes.md").write_text("we measured\n", encoding="utf-8")
    (folder / "empty").touch()
    (folder / ".cache").mkdir()
    (folder / "loop").symlink_to(folder)
    (folder / "out").symlink_to(Path(__file__))
    os.mkfifo(folder / "pipe")
    (folder / "bytes.bin").write_bytes(bytes(range(256)) * 8)
    said = book.call("add", str(folder)).stderr
    for name in ("notes.md", "empty", ".cache", "loop", "out", "pipe", "bytes.bin", "again.jtl"):
        assert name in said
    assert [file.path for each in runs(book).values() for file in each.files] == ["a.jtl"]


def test_each_file_that_is_left_out_is_named(book: Project, folder: Path) -> None:
    write_sar(folder / "sar.txt", BEGIN, "web1")
    names = [f"note{number}.txt" for number in range(60)]
    for name in names:
        (folder / name).write_text(f"{name}: bought milk\n", encoding="utf-8")
    said = book.call("add", str(folder)).stderr
    assert [name for name in names if f"  {name}" not in said] == []


def test_a_file_that_cannot_be_read_is_named_and_ends_with_one(book: Project, folder: Path) -> None:
    write_jtl(folder / "a.jtl", BEGIN)
    write_sar(folder / "sar.txt", BEGIN, "web1", date="02/30/2026")
    done = book.call("add", str(folder), code=1)
    assert "sar.txt" in done.stderr
    assert list(runs(book)) != []


def test_a_date_that_may_be_two_is_not_guessed(book: Project, folder: Path) -> None:
    write_sar(folder / "sar.txt", BEGIN, "web1", date="11/02/2026")
    done = book.call("add", str(folder), code=1)
    assert "--date-order" in done.stderr
    assert runs(book) == {}
    book.call("add", str(folder), "--date-order", "day-first")
    (run,) = runs(book).values()
    assert run.files[0].date_order == "day-first"


def test_a_folder_without_raw_exports_is_refused(book: Project, folder: Path) -> None:
    (folder / "notes.md").write_text("nothing\n", encoding="utf-8")
    assert "no raw export" in book.call("add", str(folder), code=1).stderr
    assert not (book.root / "data/raw/main").exists()
    assert "no folder" in book.call("add", str(folder / "notes.md"), code=1).stderr


def test_a_table_of_no_known_format_is_told_with_the_lines_that_map_it(
    book: Project, folder: Path
) -> None:
    table = "time;machine;latency (ms);queue\n1718366400;m1;1,5;3\n1718366401;m2;2,5;4\n"
    write_sar(folder / "sar.txt", BEGIN, "web1")
    (folder / "extra.csv").write_text(table, encoding="utf-8")
    (folder / "more.csv").write_text(table.replace("1,5", "1,6"), encoding="utf-8")
    (folder / "prose.txt").write_text("Hello, world.\nGood bye.\n", encoding="utf-8")
    told = book.call("add", str(folder)).stderr
    assert "extra.csv and 1 other file like it" in told
    assert told.count("table:") == 1
    # The lines do what they say, of each run.
    lines = [line[4:] for line in told.splitlines() if line.startswith(" " * 4)]
    words = book.root / "pipelines/shop/study.yml"
    words.write_text("\n".join(lines), encoding="utf-8")
    shutil.rmtree(book.root / "data/raw/main")
    told = book.call("add", str(folder)).stderr
    assert "like it" not in told
    files = {file.path for run in runs(book).values() for file in run.files}
    assert files == {"extra.csv", "more.csv", "sar.txt"}
    definition = read_definition(book.root, "shop")
    assert definition is not None
    assert set(definition.metrics) == {"queue", "latency_ms"} - METRICS.keys()
    found = definition.table_of("more.csv")
    assert found is not None
    assert (found.time, found.time_format, found.host) == (("time",), "unix", "machine")
    assert (found.delimiter, found.decimal) == (";", ",")
    assert [(each.column, each.name, each.unit) for each in found.metrics] == [
        ("latency (ms)", "latency_ms", "ms"),
        ("queue", "queue", ""),
    ]
    assert "loaded 3 files" in book.call("load").stdout


NIGHTS = """\
roles: {broker: keeps messages, driver: {meaning: sends them, is: load-driver}}
tables:
  - path: queue.csv
    table: {time: time, time_format: unix, metrics: [{column: took_ms, name: took_ms, unit: ms}]}
metrics: {took_ms: {label: Took, unit: ms, decimals: 1}}
"""


def write_night(folder: Path, number: int, host: str, queue: str) -> None:
    """Write what a host recorded in a night, and a table of a tool that nobody knows."""
    write_sar(folder / f"n{number}/sar.txt", BEGIN + timedelta(days=number), host)
    (folder / f"n{number}/queue.csv").write_text(queue, encoding="utf-8")


def queue_of(number: int) -> str:
    """A table of three columns, of which one is of interest."""
    first = int((BEGIN + timedelta(days=number)).timestamp())
    return "time,took_ms,length\n" + "".join(f"{first + s},5.5,3\n" for s in (0, 60, 120))


def test_a_new_night_has_the_roles_of_those_before_and_is_told_which_factors_it_lacks(
    book: Project, folder: Path
) -> None:
    words = book.root / "pipelines/shop/study.yml"
    words.write_text(NIGHTS, encoding="utf-8")
    write_night(folder, 1, "broker01", queue_of(1))
    first = book.call("add", str(folder), "--by-folder")
    assert "broker01: “other” is no role of shop" in first.stderr
    assert "write one of broker, driver in the run.yml of n1" in first.stderr
    assert "next: write the roles named above; studybook book" in first.stdout
    assert "factors that the study's other runs have" not in first.stderr
    manifest = book.root / "data/raw/main/shop/n1/run.yml"
    said = manifest.read_text(encoding="utf-8")
    said = said.replace("role: other", "role: broker")
    said = said.replace("factors: {}", "factors: {release: 1, producers: 4, repetition: 1}")
    manifest.write_text(said, encoding="utf-8")
    write_night(folder, 2, "broker01", queue_of(2))
    second = book.call("add", str(folder), "--by-folder")
    assert [host.role for host in runs(book)["n2"].hosts] == ["broker"]
    assert "no role" not in second.stderr
    assert "next: studybook book" in second.stdout
    assert "n2: without factors that the study's other runs have, producers, release:" in (
        second.stderr
    )
    assert "loaded 4 files" in book.call("load").stdout
    # Where runs disagree, nobody guesses.
    other = manifest.read_text(encoding="utf-8")
    manifest.write_text(other.replace("role: broker", "role: driver"), encoding="utf-8")
    write_night(folder, 3, "broker01", queue_of(3))
    third = book.call("add", str(folder), "--by-folder").stderr
    assert "broker01 is driver in n1 and broker in n2: say in run.yml what it is in n3" in third


def test_names_of_folders_tell_factors_where_one_says_how(book: Project, folder: Path) -> None:
    (book.root / "pipelines/shop/study.yml").write_text(NIGHTS, encoding="utf-8")

    def night(number: int, name: str) -> None:
        write_night(folder, number, "web1", queue_of(number))
        (folder / f"n{number}").rename(folder / name)

    night(1, "2.0-p04-rep1")
    night(2, "warm-up")
    pattern = "{release}-p{users}-rep{again}"
    told = book.call("add", str(folder), "--by-folder", "--factors", pattern)
    assert runs(book)["2-0-p04-rep1"].factors == {"release": "2.0", "users": 4, "again": 1}
    assert runs(book)["warm-up"].factors == {}
    assert f"warm-up: its folder is not called as {pattern}" in told.stderr
    said = told.stdout.splitlines()[-1].strip()
    # What is printed is what study.yml takes.
    words = book.root / "pipelines/shop/study.yml"
    words.write_text(f"{said}\n{NIGHTS}", encoding="utf-8")
    night(3, "2.1-p16-rep2")
    assert "--factors" not in book.call("add", str(folder), "--by-folder").stdout
    assert runs(book)["2-1-p16-rep2"].factors == {"release": "2.1", "users": 16, "again": 2}
    book.call("add", str(folder), "--factors", "{release}{users}", code=2)


def test_what_is_lost_of_a_file_is_told_before_columns_that_nobody_wants(
    book: Project, folder: Path
) -> None:
    (book.root / "pipelines/shop/study.yml").write_text(NIGHTS, encoding="utf-8")
    write_night(folder, 1, "web1", queue_of(1)[:-3])
    write_night(folder, 2, "web1", queue_of(2))
    told = book.call("add", str(folder), "--by-folder").stderr
    assert "n1/queue.csv: the last line has no line end" in told
    assert told.index("no line end") < told.index("n2/queue.csv: columns not mapped: length")


def test_a_table_that_another_of_its_name_hides_is_for_its_run_alone(
    book: Project, folder: Path
) -> None:
    write_night(folder, 0, "web1", queue_of(0).replace(",", ";").replace("5.5", "5,5"))
    for number in (1, 2):
        write_night(folder, number, "web1", queue_of(number))
    told = book.call("add", str(folder), "--by-folder").stderr
    start, middle = told.index("    tables:"), told.index("  n0/queue.csv is unlike")
    assert told[start:].count("path: queue.csv") == 2
    words = book.root / "pipelines/shop/study.yml"
    words.write_text(textwrap.dedent(told[start:middle]), encoding="utf-8")
    shutil.rmtree(book.root / "data/raw/main")
    told_again = book.call("add", str(folder), "--by-folder", code=1).stderr
    assert "n0/queue.csv, line 1: has no column" in told_again
    assert 'say delimiter: ";" in its table' in told_again
    # The lines do what they say.
    entry = told[told.index("    - path", middle) :].splitlines()
    own = "\n".join(line[2:] for line in entry if line.startswith("    "))
    manifest = book.root / "data/raw/main/shop/n0/run.yml"
    said = manifest.read_text(encoding="utf-8").replace("  - {path: queue.csv}", own)
    manifest.write_text(said, encoding="utf-8")
    book.call("load")
    query = "SELECT run, mean FROM metric JOIN run USING (run_id) WHERE metric = 'took_ms'"
    found = book.run("sql", query, "--format", "csv").stdout.split()
    assert sorted(found[1:]) == ["n0,5.5", "n1,5.5", "n2,5.5"]


def test_adding_again_adds_nothing(book: Project, folder: Path) -> None:
    write_jtl(folder / "a.jtl", BEGIN)
    book.call("add", str(folder))
    assert "added 0 runs" in book.call("add", str(folder)).stdout
    write_jtl(folder / "a.jtl", BEGIN, users=30)
    said = book.call("add", str(folder), code=1).stderr
    assert "other runs of these names" in said
    assert [run.factors for run in runs(book).values()] == [{"users": 20}]


def test_connections_are_a_factor_where_a_run_has_one_number_of_them(
    book: Project, folder: Path
) -> None:
    pgbench = (REPOSITORY / "tests/data/pgbench/progress.txt").read_text(encoding="utf-8")
    sysbench = (REPOSITORY / "tests/data/sysbench/sql.txt").read_text(encoding="utf-8")
    given = {
        "one/pgbench.txt": pgbench,
        "sweep/wrk.txt": (REPOSITORY / "tests/data/wrk/wrk-three.txt").read_text(encoding="utf-8"),
        "both/a.txt": pgbench.replace("-0+deb12u1", ""),
        "both/b.txt": pgbench.replace("scaling factor: 50", "scaling factor: 40"),
        "threads/sysbench.txt": sysbench.partition("\nsysbench")[0],
    }
    for place, (name, text) in enumerate(given.items()):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        write_sar((folder / name).with_name("sar.txt"), BEGIN + timedelta(hours=place), "web1", 1)
    book.run("add", str(folder))
    assert {name: run.factors for name, run in runs(book).items()} == {
        "one": {"connections": 8}, "sweep": {}, "both": {}, "threads": {"threads": 16},
    }  # fmt: skip


def test_a_load_without_times_beside_a_longer_recording_is_marked(
    book: Project, folder: Path
) -> None:
    head = "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,"
    rows = [f"0.0100,0.0004,0.0000,0.0002,0.0022,0.0001,200,{at / 10:.4f}" for at in range(2400)]
    text = "\n".join([f"{head}offset", *rows]) + "\n"
    for name, minutes in (("alike", 4), ("longer", 5)):
        (folder / name).mkdir()
        (folder / name / "hey.csv").write_text(f"{text}{rows[minutes]}\n", encoding="utf-8")
        write_sar(folder / name / "sar.txt", BEGIN + timedelta(hours=minutes), "web1", minutes)
    said = book.call("add", str(folder)).stderr
    assert "longer/hey.csv: tells no times" in said
    assert "alike/hey.csv: tells no times" not in said
    for name, marked in (("alike", False), ("longer", True)):
        text = (book.root / f"data/raw/main/shop/{name}/run.yml").read_text(encoding="utf-8")
        assert ("# hey.csv tells no times" in text) == marked


def test_each_host_of_nmon_is_its_own(book: Project, folder: Path) -> None:
    text = (REPOSITORY / "tests/data/nmon/linux.nmon").read_text(encoding="utf-8")
    (folder / "peak").mkdir()
    for name, host in (("a", "web01"), ("b", "db01")):
        other = text.replace("shop1", host)
        (folder / f"peak/{name}.nmon").write_text(other, encoding="utf-8")
    book.call("add", str(folder))
    (run,) = runs(book).values()
    assert {host.name for host in run.hosts} == {"web01", "db01"}
    assert {file.host for file in run.files} == {None}


VMSTAT = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC
"""


def write_vmstat(path: Path, begin: datetime, user: int) -> None:
    """Write what ``vmstat -t 10`` prints in four minutes."""
    rows = [
        f" 2  0      0 904446 217696 924384    0    0    12    74  635 1863 {user}  7 {93 - user}"
        f"  0  0 {begin + timedelta(seconds=10 * each):%Y-%m-%d %H:%M:%S}\n"
        for each in range(24)
    ]
    path.write_text("".join([VMSTAT, *rows]), encoding="utf-8")


@pytest.mark.parametrize("place", ["", "peak/"])
def test_two_machines_of_which_no_file_tells_the_name_stay_two(
    book: Project, folder: Path, place: str
) -> None:
    (folder / place).mkdir(exist_ok=True)
    write_vmstat(folder / f"{place}vmstat-web.log", BEGIN, 80)
    write_vmstat(folder / f"{place}vmstat-db.log", BEGIN, 20)
    said = book.call("add", str(folder)).stderr
    (run,) = runs(book).values()
    assert {file.host for file in run.files} == {"vmstat-web", "vmstat-db"}
    assert {host.name for host in run.hosts} == {"vmstat-web", "vmstat-db"}
    assert "vmstat-db, vmstat-web" in said
    (manifest,) = book.root.glob("data/raw/main/*/*/run.yml")
    assert "called\n# as the file" in manifest.read_text(encoding="utf-8")


def test_a_file_that_names_no_host_is_of_the_one_in_its_name(book: Project, folder: Path) -> None:
    write_sar(folder / "sar-web1.txt", BEGIN, "web1")
    write_sar(folder / "sar-web2.txt", BEGIN, "web2")
    write_vmstat(folder / "vmstat-web1.log", BEGIN, 80)
    write_vmstat(folder / "vmstat_web2_peak.log", BEGIN, 20)
    write_vmstat(folder / "vmstat-web11.log", BEGIN, 40)  # is another
    book.call("add", str(folder))
    (run,) = runs(book).values()
    of = {file.path: file.host for file in run.files}
    assert of["vmstat-web1.log"] == "web1"
    assert of["vmstat_web2_peak.log"] == "web2"
    assert of["vmstat-web11.log"] not in ("web1", "web2")


def test_parts_of_one_recording_stay_of_one_host(book: Project, folder: Path) -> None:
    (folder / "peak").mkdir()
    write_jtl(folder / "peak/a.jtl", BEGIN, minutes=8)
    for number in (0, 1):
        begin = BEGIN + timedelta(minutes=4 * number)
        write_vmstat(folder / f"peak/vmstat-{number}.log", begin, 20)
    book.call("add", str(folder))
    (run,) = runs(book).values()
    assert {file.host for file in run.files} == {None, "host"}


def test_a_folder_is_a_host_only_where_it_is_no_run(book: Project, folder: Path) -> None:
    """What no file names is called alike in all runs, or nothing could be compared."""
    for number, path in enumerate(("before", "after", "peak/web1", "peak/db1", "1/app", "2/app")):
        (folder / path).mkdir(parents=True)
        day = 1 if "peak" in path else number + 2
        write_vmstat(folder / path / "vmstat.log", BEGIN + timedelta(days=day), 20 + number)
    book.call("add", str(folder))
    hosts = {run.run: {file.host for file in run.files} for run in runs(book).values()}
    assert hosts == {
        "before": {"host"}, "after": {"host"}, "peak": {"web1", "db1"},
        "1-app": {"app"}, "2-app": {"app"},
    }  # fmt: skip


def test_a_host_beside_named_ones_is_to_be_named(book: Project, folder: Path) -> None:
    """It may be one of them; whether it is, only a person knows."""
    for day in range(3):
        begin = BEGIN + timedelta(days=day)
        write_sar(folder / f"run{day}/sar.txt", begin, "web1")
        write_vmstat(folder / f"run{day}/vmstat.log", begin, 20)
    said = book.call("add", str(folder)).stderr
    assert "run0: files that name no host are taken as of one more, “host”, beside web1" in said
    assert "and so in 2 other runs" in said
    for run in runs(book).values():
        assert {host.name for host in run.hosts} == {"web1", "host"}


def test_files_that_have_grown_are_taken_anew(book: Project, folder: Path) -> None:
    write_jtl(folder / "a.jtl", BEGIN)
    write_sar(folder / "sar.txt", BEGIN, "web1")
    book.call("add", str(folder))
    (manifest,) = book.root.glob("data/raw/main/*/*/run.yml")
    said_of_it = manifest.read_text(encoding="utf-8") + "# by hand\n"
    manifest.write_text(said_of_it, encoding="utf-8")
    # A log goes on at its end; sar prints all of a longer day once more.
    write_jtl(folder / "a.jtl", BEGIN, minutes=5)
    write_sar(folder / "sar.txt", BEGIN, "web1", minutes=6, busy=41)
    said = book.call("add", str(folder)).stdout
    assert "added 0 runs" in said
    assert "files that have grown were taken anew" in said
    for name in ("a.jtl", "sar.txt"):
        assert (manifest.parent / name).read_bytes() == (folder / name).read_bytes()
    assert manifest.read_text(encoding="utf-8") == said_of_it
    # Where one of them is another one, nothing is taken.
    write_jtl(folder / "a.jtl", BEGIN, minutes=6, users=30)
    write_sar(folder / "sar.txt", BEGIN, "web1", minutes=7)
    assert "other runs of these names" in book.call("add", str(folder), code=1).stderr
    assert (manifest.parent / "sar.txt").read_bytes() != (folder / "sar.txt").read_bytes()


def test_a_file_that_cannot_be_read_stays_with_its_run(book: Project, folder: Path) -> None:
    write_jtl(folder / "b.jtl", BEGIN + timedelta(days=1), users=30)
    whole = gzip.compress((folder / "b.jtl").read_bytes())
    (folder / "b.jtl").unlink()
    for night in range(2):
        write_jtl(folder / f"night-{night}/a.jtl", BEGIN + timedelta(days=night))
    (folder / "night-1/b.jtl.gz").write_bytes(whole[:-100])
    (folder / "night-2").mkdir()  # beside nothing that can be read
    (folder / "night-2/b.jtl.gz").write_bytes(whole[:-100])
    said = book.run("add", str(folder), code=1).stderr
    assert "refused: cannot be read (2)" in said
    assert said.count("it stays with night-1, and each load leaves it out") == 1
    assert [file.path for file in runs(book)["night-1"].files] == ["a.jtl", "b.jtl.gz"]
    assert "left out: " in book.run("load", code=1).stderr
    # It is told once, and the one of no run each time.
    again = book.run("add", str(folder), code=1)
    assert "refused: cannot be read (1)" in again.stderr
    assert "night-2/b.jtl.gz" in again.stderr
    assert "there already, with the same files: night-0, night-1" in again.stdout
    shutil.rmtree(folder / "night-2")
    assert book.run("add", str(folder)).stderr == ""
    manifest = book.root / "data/raw/main/shop/night-1/run.yml"
    with manifest.open("a", encoding="utf-8") as file:
        file.write("accepted: [{check: left-out, subject: b.*, because: the disk was full}]\n")
    left_out = "left out: shop/night-1/b.jtl.gz: accepted: the disk was full\n"
    assert book.run("load").stderr.endswith(left_out)
    assert book.run("load", "--strict").stderr.endswith(left_out)
    # Once its tool has written it to its end it goes on beyond what is there, and can be read.
    (folder / "night-1/b.jtl.gz").write_bytes(whole)
    assert "files that have grown were taken anew" in book.run("add", str(folder)).stdout
    assert "left out" not in book.run("load").stderr


def test_a_file_that_can_be_read_is_never_replaced_by_one_that_cannot(
    book: Project, folder: Path
) -> None:
    write_jtl(folder / "night/a.jtl", BEGIN)
    write_jtl(folder / "night/b.jtl", BEGIN, users=30)
    other = gzip.compress((folder / "night/b.jtl").read_bytes())
    (folder / "night/b.jtl").unlink()
    given, there = folder / "night/b.jtl.gz", book.root / "data/raw/main/shop/night/b.jtl.gz"
    given.write_bytes(other)
    book.run("add", str(folder))
    given.write_bytes(other + other[:200])  # its tool begins to write the next part
    assert "refused: cannot be read (1)" in book.run("add", str(folder), code=1).stderr
    assert there.read_bytes() == other
    # One that cannot be read, and is gone, stands in no one's way; nor does one that is made anew.
    given.unlink()
    there.write_bytes(other[:-100])
    write_jtl(folder / "new/a.jtl", BEGIN + timedelta(days=1))
    assert "added 1 run " in book.run("add", str(folder)).stdout
    given.write_bytes(gzip.compress(gzip.decompress(other).replace(b",200,", b",201,")))
    assert "files that have grown were taken anew" in book.run("add", str(folder)).stdout
    assert there.read_bytes() == given.read_bytes()


def test_a_cut_file_that_comes_later_changes_nothing_of_its_run(
    book: Project, folder: Path
) -> None:
    write_jtl(folder / "night/web1/a.jtl", BEGIN)
    book.run("add", str(folder))
    (before,) = runs(book).values()
    cut = gzip.compress((folder / "night/web1/a.jtl").read_bytes())[:-100]
    (folder / "night/load.jtl.gz").write_bytes(cut)
    said = book.run("add", str(folder), code=1).stderr
    assert f"it stays with {before.run}, and each load leaves it out" in said
    (after,) = runs(book).values()
    assert after == before
    # It is in the folder of the run, and no run lists it: it is told once, and again by each load.
    assert book.run("add", str(folder)).stderr == ""
    assert "load.jtl.gz" in book.run("load").stderr


def test_a_file_called_as_others_that_is_none_stays_with_its_run(
    book: Project, folder: Path
) -> None:
    """An empty recording makes sums over hosts that lack one: it is nothing to leave out unseen."""
    for night in range(2):
        write_jtl(folder / f"night-{night}/a.jtl", BEGIN + timedelta(days=night))
        for host in ("web1", "web2"):
            write_sar(folder / f"night-{night}/{host}.txt", BEGIN + timedelta(days=night), host)
    whole = (folder / "night-1/web2.txt").read_bytes()
    (folder / "night-1/web2.txt").write_bytes(b"")
    (folder / "night-1/stderr.log").write_bytes(b"")  # as it should be
    said = book.run("add", str(folder), code=1).stderr
    assert "night-1/web2.txt: is empty" in said.partition("of no known format")[0]
    assert "night-1/stderr.log: is empty" in said.partition("of no known format")[2]
    assert len(runs(book)["night-1"].files) == 3
    (folder / "night-1/web2.txt").write_bytes(whole)
    assert "were taken anew" in book.run("add", str(folder)).stdout
    assert "left out" not in book.run("load").stderr


def test_a_run_with_other_files_stays_and_new_ones_are_added(book: Project, folder: Path) -> None:
    for night in range(3):
        write_jtl(folder / f"night-{night}/a.jtl", BEGIN + timedelta(days=night))
    book.run("add", str(folder))
    write_jtl(folder / "night-0/a.jtl", BEGIN, users=30)
    write_sar(folder / "night-1/sar.txt", BEGIN + timedelta(days=1), "web1")
    write_jtl(folder / "night-3/a.jtl", BEGIN + timedelta(days=3))
    done = book.run("add", str(folder), code=1)
    assert "night-0 stays as it is, for it has other files: its a.jtl is another" in done.stderr
    assert "night-1 stays as it is, for it has other files: it has no sar.txt" in done.stderr
    assert "added 1 run " in done.stdout
    assert "there already, with the same files: night-2" in done.stdout
    assert len(runs(book)["night-1"].files) == 1


def test_the_same_files_in_other_runs_are_named(book: Project, folder: Path) -> None:
    # In UTC the clock of sar is an hour off, and its file is a run of its own.
    write_jtl(folder / "a.jtl", BEGIN)
    write_sar(folder / "sar.txt", BEGIN + timedelta(hours=1), "web1")
    book.call("add", str(folder))
    assert set(runs(book)) == {"a", "sar"}
    said = book.call("add", str(folder), "--time-zone", "Europe/Berlin", code=1).stderr
    assert "given: 1 file in a, 1 file in sar" in said
    assert "change time_zone" in said
    assert set(runs(book)) == {"a", "sar"}
    # Beside something new the file may stand once more, but not in silence.
    (folder / "a.jtl").unlink()
    (folder / "sar.txt").rename(folder / "b.txt")
    write_jtl(folder / "later.jtl", BEGIN + timedelta(hours=1))
    said = book.call("add", str(folder)).stderr
    assert "b.txt: the run sar holds the same" in said


def test_one_recording_of_a_host_may_stand_beside_several_loads(
    book: Project, folder: Path
) -> None:
    for number in (1, 2):
        write_jtl(folder / f"part{number}/load.jtl", BEGIN + timedelta(minutes=20 * number))
        write_sar(folder / f"part{number}/sar.txt", BEGIN, "web1", minutes=60)
    book.call("add", str(folder))
    assert {name: len(run.files) for name, run in runs(book).items()} == {"part1": 2, "part2": 2}
    # A load that is there once more is none of a second run, and so is what stands beside it.
    shutil.rmtree(folder / "part2")
    shutil.copytree(folder / "part1", folder / "part3")
    said = book.call("add", str(folder), "--study", "again").stderr
    assert "part3/load.jtl: holds the same as part1/load.jtl" in said
    assert "part3/sar.txt: holds the same as part1/sar.txt" in said


def test_several_executions_in_a_log_are_named(book: Project, folder: Path) -> None:
    write_jtl(folder / "load.jtl", BEGIN)
    text = (folder / "load.jtl").read_text(encoding="utf-8")
    write_jtl(folder / "load.jtl", BEGIN + timedelta(minutes=40))
    later = (folder / "load.jtl").read_text(encoding="utf-8").split("\n", 1)[1]
    (folder / "load.jtl").write_text(text + later, encoding="utf-8")
    said = book.call("add", str(folder)).stderr
    assert "load.jtl: 2 executions: 11-02 09:00–09:04, 11-02 09:40–09:44" in said
    assert "stable_phase" in said


def test_local_times_of_a_zone_that_nobody_named_are_marked(book: Project, folder: Path) -> None:
    write_sar(folder / "sar.txt", BEGIN, "web1")
    book.call("add", str(folder))
    (manifest,) = book.root.glob("data/raw/main/*/*/run.yml")
    text = manifest.read_text(encoding="utf-8")
    assert "time_zone_known: assumed" in text
    assert "# Local times" in text
    said = book.call("add", str(folder), "--time-zone", "Europe/Berlin").stdout
    assert "run.yml: given keeps UTC" in said
    book.call("add", str(folder), "-d", "other", "--time-zone", "Europe/Berlin")
    (run,) = runs(book, "other").values()
    assert (run.time_zone, run.time_zone_known) == ("Europe/Berlin", "stated")


def test_names_with_blanks_and_line_breaks(book: Project, folder: Path) -> None:
    odd = folder / "Lauf 1: größer\n"
    write_jtl(odd / "a b\n: '#.jtl", BEGIN)
    book.call("add", str(folder))
    ((name, run),) = runs(book).items()
    assert name == "lauf-1-grosser"
    assert (book.root / "data/raw/main/shop" / name / run.files[0].path).is_file()
    book.call("load")


def test_archives_are_unpacked_and_nothing_leaves_them(book: Project, folder: Path) -> None:
    write_jtl(folder.parent / "x.jtl", BEGIN)
    content = (folder.parent / "x.jtl").read_bytes()
    with zipfile.ZipFile(folder / "one.zip", "w") as archive:
        archive.writestr("run/results.jtl", content)
        archive.writestr("../escaped.jtl", content)
        archive.writestr("/tmp/escaped.jtl", content)  # noqa: S108 - a name in an archive
    write_jtl(folder.parent / "y.jtl", BEGIN + timedelta(hours=1), users=30)
    with tarfile.open(folder / "two.tar.gz", "w:gz") as archive:
        archive.add(folder.parent / "y.jtl", "results.jtl")
        link = tarfile.TarInfo("secret")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    done = book.call("add", str(folder))
    assert list(runs(book)) == ["one-run", "two"]
    assert "leads out" in done.stderr
    assert "secret" in done.stderr
    assert not (folder.parent / "escaped.jtl").exists()


def test_archives_and_folders_of_one_name_stay_apart(book: Project, folder: Path) -> None:
    (folder / "monday").mkdir()
    write_jtl(folder / "monday/results.jtl", BEGIN, users=5)
    write_jtl(folder / "other.jtl", BEGIN + timedelta(hours=3), users=6)
    with zipfile.ZipFile(folder / "monday.zip", "w") as archive:
        archive.write(folder / "other.jtl", "results.jtl")
    write_jtl(folder / "other.jtl", BEGIN + timedelta(hours=6), users=7)
    with tarfile.open(folder / "monday.tar.gz", "w:gz") as packed:
        packed.add(folder / "other.jtl", "results.jtl")
    (folder / "other.jtl").unlink()
    book.call("add", str(folder))
    assert sorted(run.factors["users"] for run in runs(book).values()) == [5, 6, 7]


def test_an_archive_that_holds_too_much_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(3_000_000))
    out = tmp_path / "out"
    with pytest.raises(StudyBookError, match="GiB unpacked"):
        unpack.unpack(tmp_path / "bomb.zip", "bomb.zip", out, unpack.Limit(2_000_000), [])
    assert not out.exists()
    monkeypatch.setattr(unpack, "LARGE_BYTES", 1_000_000)
    with pytest.raises(StudyBookError, match="unpacked, 100 times its size"):
        unpack.unpack(tmp_path / "bomb.zip", "bomb.zip", out, unpack.Limit(), [])
    assert not out.exists()
    monkeypatch.setattr(unpack, "MOST_MEMBERS", 3)
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as archive:
        for number in range(5):
            archive.writestr(str(number), b"")
    with pytest.raises(StudyBookError, match="more than 3 files"):
        unpack.unpack(tmp_path / "many.zip", "many.zip", out, unpack.Limit(), [])
    assert not out.exists()


@pytest.mark.parametrize("cut", [60, 200])
def test_a_damaged_archive_is_named(tmp_path: Path, cut: int) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", os.urandom(500))
    content = bytearray(stream.getvalue())
    content[cut : cut + 8] = b"\xff" * 8
    (tmp_path / "a.zip").write_bytes(content)
    if unpack.is_archive(tmp_path / "a.zip"):
        with pytest.raises(StudyBookError, match=r"a\.zip: cannot be unpacked"):
            unpack.unpack(tmp_path / "a.zip", "a.zip", tmp_path / "out", unpack.Limit(), [])
        assert not (tmp_path / "out").exists()


def test_ten_thousand_files_are_walked_through_once(tmp_path: Path) -> None:
    for number in range(10_000):
        (tmp_path / f"{number:05}").touch()
    aside: list[str] = []
    assert len(list(files_below(tmp_path, aside, aside))) == 10_000
    assert aside == []


def test_a_column_that_older_files_of_a_name_lack_is_offered_as_optional(
    book: Project, folder: Path
) -> None:
    for night, columns in (("n1", "took_ms"), ("n2", "took_ms,errors")):
        (folder / night).mkdir()
        row = ",".join("5" for _ in columns.split(","))
        text = f"time,{columns}\n" + f"1718366400,{row}\n1718366460,{row}\n"
        (folder / night / "queue.csv").write_text(text, encoding="utf-8")
    done = book.call("add", str(folder), "--by-folder", code=1)
    lines = [line.strip() for line in done.stderr.splitlines()]
    assert "- {column: took_ms, name: took_ms, unit: ms}" in lines
    assert "- {column: errors, name: errors, optional: true}" in lines
    start = next(n for n, line in enumerate(lines) if line == "tables:")
    told = textwrap.dedent("\n".join(done.stderr.splitlines()[start:]).partition("studybook:")[0])
    words = book.root / "pipelines/shop/study.yml"
    words.write_text(f"study: shop\n{told}", encoding="utf-8")
    book.run("add", str(folder), "--by-folder")
    assert {*runs(book)} == {"n1", "n2"}
    book.run("load")
    query = "SELECT run_id, metric, mean FROM metric WHERE metric <> 'hosts'"
    found = book.run("sql", query, "--format", "csv")
    assert sorted(found.stdout.split()[1:]) == [
        "shop/n1,took_ms,5.0", "shop/n2,errors,5.0", "shop/n2,took_ms,5.0",
    ]  # fmt: skip


def test_tables_whose_names_differ_by_numbers_are_one_pattern(book: Project, folder: Path) -> None:
    for night in ("2026-01-01", "2026-01-02"):
        for tool in ("parse", "sort"):
            results = [{"command": tool, "mean": 0.5 + len(night), "times": [0.5, 0.6]}] * 2
            path = folder / f"night-{night}/{tool}-{night}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps({"results": results}), encoding="utf-8")
    told = book.call("add", str(folder), code=1).stderr
    assert told.count("table:") == 1
    assert "- path: [parse-*.json, sort-*.json]" in told
    assert "once study.yml has these lines" in told


def test_each_folder_is_a_run_where_one_says_so(book: Project, folder: Path) -> None:
    for number, name in enumerate(("night-1", "night-2")):
        begin = BEGIN + timedelta(days=number)
        write_jtl(folder / name / "first.jtl", begin)
        write_jtl(folder / name / "second.jtl", begin + timedelta(hours=1))
        write_sar(folder / name / "hosts" / "sar.txt", begin, "web1")
    assert len(runs_of(book, folder)) == 4
    shutil.rmtree(book.root / "data/raw/main")
    found = runs_of(book, folder, "--by-folder")
    assert {name: len(run.files) for name, run in found.items()} == {"night-1": 3, "night-2": 3}
    assert "hosts/sar.txt" in [file.path for file in found["night-1"].files]


def runs_of(book: Project, folder: Path, *options: str) -> dict[str, Run]:
    """Add a folder; the runs that became of it."""
    book.call("add", str(folder), *options)
    return runs(book)
