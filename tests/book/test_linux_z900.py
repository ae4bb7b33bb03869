"""Linux on z900: charts show what the raw files say, and the document is not made to say more."""

from __future__ import annotations

import json
import lzma
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
import yaml
from pandas import isna

from studybook import claims
from studybook.checked_yaml import read_yaml
from studybook.claims.published_tables import PublishedTables
from studybook.claims.published_values import read_published
from studybook.claims.verdict import Verdict
from studybook.dataset.manifest import read_run
from studybook.engine.outputs import chart_spec
from studybook.records.load import load
from studybook.study.study import Study, open_study
from tests.conftest import REPOSITORY
from tests.support.project import Project, bare_project

STUDY = "linux-z900"
RAW = REPOSITORY / "data/raw/reference" / STUDY
NOTEBOOKS = REPOSITORY / "notebooks" / STUDY
PUBLISHED = read_published(REPOSITORY, STUDY)

#: What a metric has of its own, beside the factors of its run.
OWN_FACTORS = {"operation", "block_size_bytes"}

FIGURES = (
    "block-size", "context-switch", "dbench", "file-io", "machine", "transaction-cost",
    "transactions",
)  # fmt: skip

measured = pytest.mark.skipif(not RAW.is_dir(), reason="this data set has no run of the study")


# --- the charts, by a second look at the raw files ------------------------------------------


def plotted(name: str) -> dict[Any, list[float]]:
    """Values of the runs in a recorded chart, by what tells its marks apart."""
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    spec = chart_spec(notebook)
    assert spec is not None
    rows = next(iter(spec["datasets"].values())) if "datasets" in spec else spec["data"]["values"]
    keys = ("metric", "tool", "operation", "size", "state", "experiment", "test", "block")
    found = defaultdict(list)
    for row in rows:
        if row["part"] == "run":
            assert row["origin"] == "measured"
            setup = tuple(row[key] for key in keys if key in row)
            found[(*setup, row["processes"]) if "processes" in row else setup].append(row["value"])
    assert found
    return {key: sorted(values) for key, values in found.items()}


def texts(pattern: str) -> Iterator[str]:
    """Text of the raw files of all repetitions."""
    for path in sorted(RAW.glob(pattern)):
        data = path.read_bytes()
        yield (lzma.decompress(data) if path.suffix == ".xz" else data).decode()


def gathered(pairs: Iterator[tuple[Any, float]]) -> dict[Any, list[float]]:
    found = defaultdict(list)
    for key, value in pairs:
        found[key].append(pytest.approx(value, rel=1e-6))
    return {key: sorted(values, key=lambda each: each.expected) for key, values in found.items()}


@measured
def test_dbench_is_what_its_final_lines_say() -> None:
    final = re.compile(r"^Throughput ([\d.]+) MB/sec.* (\d+) procs", re.M)
    runs = (
        (("dbench_mib_s", "dbench", int(processes)), float(rate) * 1e6 / 2**20)
        for text in texts("dbench-*/dbench-*.txt")
        for rate, processes in final.findall(text)
    )
    assert plotted("dbench") == gathered(runs)


@measured
def test_file_io_is_what_the_children_of_iozone_saw() -> None:
    line = re.compile(r"Children see throughput for +(\d+) (initial writ|read)ers\s*= *([\d.]+) kB")
    runs = (
        (
            ("sequential_mib_s", "read" if kind == "read" else "write", int(processes)),
            float(rate) / 1024,
        )
        for text in texts("sequential-io-*/iozone-*.txt")
        for processes, kind, rate in line.findall(text)
    )
    assert plotted("file-io") == gathered(runs)


@measured
def test_context_switches_are_the_lines_of_lat_ctx() -> None:
    runs = (
        (("context_switch_us", f"{size} KiB each", int(processes)), float(time))
        for text in texts("context-switch-*/lat_ctx-*.txt")
        for size, lines in re.findall(r'"size=(\d+)k ovr=.*\n((?:\d+ [\d.]+\n)*)', text)
        for processes, time in re.findall(r"(\d+) ([\d.]+)", lines)
    )
    assert plotted("context-switch") == gathered(runs)


def transactions() -> Iterator[tuple[str, list[list[float]]]]:
    """Of each file of netperf: the name of its test, and the rows of numbers."""
    row = re.compile(
        r"^\d+ +\d+ +\d+ +\d+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ *$", re.M
    )
    names = {"rr-200-1000-": "RR 200/1000", "crr-64-8k-": "CRR 64/8k"}
    for start, name in names.items():
        for text in texts(f"tcp-transactions-*/{start}*.txt"):
            rows = [[float(cell) for cell in each.split()] for each in row.findall(text)]
            number = len(rows)
            yield f"{name}, {number} connection{'s' if number > 1 else ''}", rows


@measured
def test_transactions_of_all_connections_add_up() -> None:
    runs = (
        (("transactions_per_s", "netperf", test), sum(row[5] for row in rows))
        for test, rows in transactions()
    )
    found = plotted("transactions")
    assert found == gathered(runs)
    assert {1, 10} == {int(re.findall(r", (\d+) conn", key[2])[0]) for key in found}


@measured
def test_a_transaction_costs_what_the_busy_processors_make_of_the_rate() -> None:
    """Not from the printed costs of the connections, but from utilisation, processors and rate."""
    cpus = read_run(RAW / "tcp-transactions-1/run.yml").hosts[0].cpus
    assert cpus is not None
    found = plotted("transaction-cost")
    for test in {test for test, _ in transactions()}:
        computed = sorted(
            cpus * 1e6 * sum(row[6] / 100 for row in rows) / len(rows) / sum(row[5] for row in rows)
            for name, rows in transactions()
            if name == test
        )
        # The connections do not begin and end at the very same time.
        assert found[("transaction_cpu_us", "netperf", test)] == pytest.approx(computed, rel=0.05)


@measured
def test_dd_is_bytes_by_seconds_and_the_time_of_the_shell() -> None:
    report = re.compile(
        r"bs=(\d+) .*?\n(\d+) bytes .* copied, ([\d.]+) s,.*?user\s+(\d+)m([\d.]+)s\s+"
        r"sys\s+(\d+)m([\d.]+)s",
        re.S,
    )
    runs = []
    for text in texts("dd-block-size-*/dd-*.txt"):
        size, *numbers = report.findall(text)[0]
        count, seconds, *cpu = map(float, numbers)
        used = 60 * (cpu[0] + cpu[2]) + cpu[1] + cpu[3]
        block = f"{int(size):,} bytes"
        runs += [
            (("copy_mb_s", "dd", block), count / seconds / 1e6),
            (("copy_s_per_gb", "dd", block), seconds / count * 1e9),
            (("copy_cpu_s_per_gb", "dd", block), used / count * 1e9),
        ]
    assert plotted("block-size") == gathered(iter(runs))


@measured
def test_steal_is_the_mean_of_the_rows_of_sar() -> None:
    found = plotted("machine")
    for experiment in PUBLISHED.definition.factors["experiment"].values:
        means = []
        for text in texts(f"{experiment}-*/sar.txt*"):
            head = re.search(r"^\S+ +CPU +(%usr.*)$", text, re.M)
            assert head is not None
            at = head[1].split().index("%steal")
            rows = re.findall(r"^\d\d:\d\d:\d\d +all +(.*)$", text, re.M)
            means.append(sum(float(row.split()[at]) for row in rows) / len(rows))
        shown = found[("machine_steal_percent", "steal", experiment)]
        assert shown == pytest.approx(sorted(means), abs=0.02)


# --- what the document still says, and what not ---------------------------------------------


def test_no_claim_can_be_judged_on_the_data_at_hand_and_each_says_why() -> None:
    for claim in PUBLISHED.claims:
        assert claim.cannot_be_judged, claim.id
        assert bool(claim.tolerance) == bool(claim.tolerance_because)
        for factors in (claim.of, claim.over or {}):
            for name, value in factors.items():
                assert name in OWN_FACTORS or not PUBLISHED.definition.factors[name].fault(value)
    page = (NOTEBOOKS / "claims.ipynb").read_text(encoding="utf-8")
    assert f'data-label=\\"cannot be judged\\">{len(PUBLISHED.claims)}<' in page


@measured
def test_the_runs_have_the_factors_of_the_study() -> None:
    runs = [read_run(path) for path in sorted(RAW.glob("*/run.yml"))]
    experiments = PUBLISHED.definition.factors["experiment"].values
    assert {run.factors["experiment"] for run in runs} == {*experiments}
    for run in runs:
        assert not [*PUBLISHED.definition.faults(run)]
        assert run.origin == "measured"
        assert run.run == f"{run.factors['experiment']}-{run.factors['repetition']}"


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_measured_marks_only(name: str) -> None:
    text = (NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8")
    assert '"origin": "measured"' in text
    for other in ("simulated", "published"):
        assert f'"origin": "{other}"' not in text


PAGES = sorted([*NOTEBOOKS.glob("*.ipynb"), *(REPOSITORY / "book" / STUDY).glob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_every_page_says_that_the_values_of_the_charts_are_lost(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = " ".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    words = " ".join(text.split())
    assert "cannot be recovered" in words


def test_the_notebook_shows_each_table_under_its_title() -> None:
    path = REPOSITORY / f"data/published/{STUDY}/tables.yml"
    cells = nbformat.read(NOTEBOOKS / "tables.ipynb", as_version=4).cells
    sources = [cell.source for cell in cells]
    expected = []
    for table in read_yaml(path, PublishedTables).tables:
        expected += [f"## Table {table.number}. {table.title}", f"document.table({table.number})"]
    assert sources[-len(expected) :] == expected


# --- other data ------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = bare_project(tmp_path / "project")
    monkeypatch.setenv("STUDYBOOK_HOME", str(project.root))
    return project


def add_run(
    project: Project, name: str, text: str, hosts: tuple[str, ...] = (), **factors: Any
) -> None:
    """Add a run of one file, which is of the first of the hosts."""
    folder = project.root / "data/raw/mine" / STUDY / name
    folder.mkdir(parents=True)
    (folder / "out.txt").write_text(text)
    run = {"study": STUDY, "run": name, "title": "t", "origin": "measured", "time_zone": "UTC"}
    file = {"path": "out.txt"} | ({"host": hosts[0]} if hosts else {})
    run |= {"factors": factors, "files": [file]}
    run |= {"hosts": [{"name": host, "role": "other"} for host in hosts]}
    (folder / "run.yml").write_text(yaml.safe_dump(run))


def study(*sources: str) -> Study:
    for source in sources:
        load(source, data_set="mine")
    return open_study(STUDY, data_set="mine")


IOZONE = """\
\tIozone: Performance Test of File I/O
\t        Version $Revision: 3.489 $
\tRecord Size 1024 kB
\tFile size set to 16384 kB
\tCommand line used: iozone -t {n} -s 16m -r 1m -i 0 -i 1 -+n
\tOutput is in kBytes/sec
\tThroughput test with {n} processes
\tEach process writes a 16384 kByte file in 1024 kByte records

\tChildren see throughput for  {n} initial writers \t= {write} kB/sec
\tParent sees throughput for  {n} initial writers \t= {write} kB/sec
\tMin throughput per process \t\t\t= 1000.00 kB/sec
\tMax throughput per process \t\t\t= 1000.00 kB/sec
\tAvg throughput per process \t\t\t= 1000.00 kB/sec
\tMin xfer \t\t\t\t\t= 16384.00 kB

iozone test complete.
"""


def test_a_system_that_has_host_adapters_is_held_against_the_limits(project: Project) -> None:
    runs = [(39000, 1), (38000, 1), (200000, 4), (201000, 4)]
    for number, (write, adapters) in enumerate(runs, 1):
        text = IOZONE.format(n=2, write=write) + IOZONE.format(n=4, write=write + 100)
        add_run(
            project,
            f"sequential-io-{number}",
            text,
            experiment="sequential-io",
            repetition=number,
            host_adapters=adapters,
            channel_paths=adapters,
        )
    found = {
        each.claim.id: each
        for each in claims.evaluate_all(study("iozone"), claims.published(STUDY))
    }
    # The most that any number of processes got, of each run: 39.1 and 38.1 MiB/s, in MB/s.
    one = found["one-adapter-write"]
    assert one.measured is not None
    assert one.measured.estimate == pytest.approx((39100 + 38100) / 2 * 1024 / 1e6)
    assert one.repetitions == 2
    assert found["four-adapters-write"].verdict is Verdict.FAILS
    assert found["one-adapter-read"].verdict is Verdict.UNJUDGED


NETPERF = """\
MIGRATED TCP {kind} TEST from 0.0.0.0 () port 0 AF_INET to {host} () port 0 AF_INET : demo
Local /Remote
Socket Size   Request Resp.  Elapsed Trans.   CPU    CPU    S.dem   S.dem
Send   Recv   Size    Size   Time    Rate     local  remote local   remote
bytes  bytes  bytes   bytes  secs.   per sec  % S    % S    us/Tr   us/Tr

16384  131072 200     1000   1.00    {rate:.2f}  50.00 50.00 {local:.3f}  {remote:.3f}
16384  131072
"""


RR, CRR = "REQUEST/RESPONSE", "Connect/Request/Response"


def load_of(
    project: Project, experiment: str, *tests: dict[str, Any], hosts: tuple[str, ...] = ()
) -> list[tuple[Any, ...]]:
    text = "".join(NETPERF.format(**({"kind": RR} | test)) for test in tests)
    add_run(project, f"{experiment}-1", text, hosts, experiment=experiment, repetition=1)
    rows = study("netperf").query(
        "SELECT test, transactions_per_s, cpu_us_per_transaction FROM transaction_load"
    )
    return [tuple(row) for row in rows.itertuples(index=False)]


def test_connections_of_one_file_were_measured_at_once(project: Project) -> None:
    # Half of two processors, a million microseconds a second, for 30,000 transactions of both.
    here = {"host": "127.0.0.1"}
    one = here | {"rate": 10_000, "local": 100.0, "remote": 100.0}
    other = here | {"rate": 20_000, "local": 50.0, "remote": 50.0}
    ((test, rate, cost),) = load_of(project, "tcp-transactions", one, other)
    assert test == "RR 200/1000, 2 connections"
    assert rate == 30_000
    assert cost == pytest.approx(1e6 / 30_000)


def test_two_machines_both_pay_for_a_transaction(project: Project) -> None:
    test = {"host": "larch06", "rate": 10_000, "local": 40.0, "remote": 25.0}
    ((_, _, cost),) = load_of(project, "tcp-transactions", test)
    assert cost == pytest.approx(65)


def test_of_new_connections_the_other_host_cannot_say_what_it_paid(project: Project) -> None:
    test = {"host": "larch06", "rate": 10_000, "local": 40.0, "remote": 25.0, "kind": CRR}
    ((name, rate, cost),) = load_of(project, "tcp-transactions", test, hosts=("larch05",))
    assert (name, rate) == ("CRR 200/1000, 1 connection", 10_000)
    assert isna(cost)


def test_a_host_that_talks_to_itself_pays_once(project: Project) -> None:
    cases = [
        ("larch05", ("larch05",), 40),
        ("LARCH05.example.org", ("larch05", "larch06"), 40),
        ("larch05", ("larch05.example.org",), 40),
        ("localhost.localdomain", (), 40),
        ("127.0.1.1", (), 40),
        ("larch06", ("larch05", "larch06"), 65),
        ("larch05.example.org", ("larch05.example.com",), 65),
        ("10.1.2.3", ("10",), 65),
        ("larch05", (), 65),
    ]
    for number, (remote, hosts, _) in enumerate(cases, 1):
        test = {"host": remote, "kind": RR, "rate": 10_000, "local": 40.0, "remote": 25.0}
        add_run(
            project, f"tcp-transactions-{number}", NETPERF.format(**test), hosts,
            experiment="tcp-transactions", repetition=number,
        )  # fmt: skip
    found = study("netperf").query(
        "SELECT run_id, cpu_us_per_transaction AS cost FROM transaction_load ORDER BY ALL"
    )
    costs = dict(zip(found["run_id"], found["cost"], strict=True))
    for number, (remote, hosts, cost) in enumerate(cases, 1):
        of_run = costs[f"{STUDY}/tcp-transactions-{number}"]
        assert of_run == pytest.approx(cost), (remote, hosts)


def test_without_the_cost_of_each_connection_there_is_none(project: Project) -> None:
    test = {"host": "larch06", "rate": 10_000, "local": 40.0, "remote": 25.0}
    # netperf prints -1 where the other host would not say.
    ((_, rate, cost),) = load_of(project, "tcp-transactions", test, test | {"remote": -1.0})
    assert rate == 20_000
    assert isna(cost)


def test_tests_one_after_another_are_not_taken_for_connections(project: Project) -> None:
    test = {"host": "127.0.0.1", "rate": 10_000, "local": 40.0, "remote": 40.0}
    assert load_of(project, "dbench", test, test) == []
