"""Studies of more and more hosts: what a load takes, and how long queries of figures do.

``python -m benchmarks.hosts FOLDER`` writes ``docs/scale.md`` from ``hosts.md``. The exports, of a
day, are written below the folder by ``studybook testbed scale``, where they are not there yet.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa

from benchmarks import books
from benchmarks.memory import peak_mib
from studybook.records import store

PAGE = Path(__file__).resolve().parent.parent / "docs/scale.md"

#: Hosts of a study; they come in clusters of eight, each of which is a run.
HOSTS = (8, 104, 1000)

#: Hosts of which the page says what is to be expected.
_BEYOND = 100_000

#: Seconds between two looks at what processes take.
_EVERY_S = 0.25

#: How often a query is asked; the fastest counts.
_TIMES = 3

#: What figures ask, by what it is.
QUERIES = {
    "runs": "SELECT run_id, title, start_utc FROM run ORDER BY ALL",
    "response times of all runs, in the stable phase": (
        "SELECT run_id, metric, mean FROM metric WHERE metric LIKE 'response%' ORDER BY ALL"
    ),
    "processors of all hosts, in the stable phase": "FROM phase_cpu ORDER BY ALL",
    "all percentiles of all labels": (
        "SELECT run_id, metric, value FROM label_metric WHERE own['label'] = 'all' ORDER BY ALL"
    ),
    "throughput of all runs, every ten minutes": (
        "SELECT run_id, time_bucket(INTERVAL 10 MINUTE, time_utc) AS t, avg(completed_per_s)"
        " FROM throughput GROUP BY ALL ORDER BY ALL"
    ),
    "the 100 busiest hosts, of all samples": (
        "SELECT run_id, host, avg(busy_percent) AS b FROM cpu_use WHERE cpu = 'all'"
        " GROUP BY ALL ORDER BY b DESC LIMIT 100"
    ),
    "the 100 busiest disks, of all samples": (
        "SELECT run_id, host, device, avg(read_kib_s + write_kib_s) AS b FROM disk_rate"
        " GROUP BY ALL ORDER BY b DESC LIMIT 100"
    ),
    "the 100 busiest interfaces, of all samples": (
        "SELECT run_id, host, interface, avg(received_kib_s + sent_kib_s) AS b FROM network_rate"
        " GROUP BY ALL ORDER BY b DESC LIMIT 100"
    ),
    "the 100 hosts with least memory free, of all samples": (
        "SELECT run_id, host, avg(used_with_cache_kib / total_kib) AS b FROM memory"
        " GROUP BY ALL ORDER BY b DESC LIMIT 100"
    ),
    "the hosts of one run, every five minutes": (
        "SELECT host, time_bucket(INTERVAL 5 MINUTE, time_utc) AS t, avg(busy_percent) FROM cpu_use"
        " WHERE cpu = 'all' AND run_id = (SELECT min(run_id) FROM run) GROUP BY ALL ORDER BY ALL"
    ),
}


@dataclass(frozen=True)
class Taken:
    """What a study of so many hosts took."""

    hosts: int
    text_mib: float
    raw_mib: float
    seconds: float
    processor_s: float
    peak_mib: float
    records_mib: float
    models_mib: float
    catalogue_mib: float
    again_s: float
    queries_ms: Mapping[str, float]


def take(book: Path, hosts: int, interval_s: int) -> Taken:
    """Load a study of so many hosts from nothing, and ask it."""
    name = f"hosts-{hosts}"
    raw, build = book / "data/raw" / name, book / "build" / name
    environment = {**os.environ, "STUDYBOOK_HOME": str(book)}

    def run(*words: str) -> float:
        """Run a command of ours; the most memory that one of its processes had, in MiB."""
        call = [sys.executable, "-m", "studybook", *words]
        return peak_mib(call, environment, book, max, _EVERY_S)

    if not raw.exists():
        size = ["--hosts", str(hosts), "--interval", str(interval_s)]
        run("testbed", "scale", str(raw), *size)
    shutil.rmtree(build, ignore_errors=True)
    before, begun = _processor_s(), time.monotonic()
    peak = run("load", "--data-set", name)
    seconds, processor_s = time.monotonic() - begun, _processor_s() - before
    begun = time.monotonic()
    run("load", "--data-set", name)
    again_s = time.monotonic() - begun
    return Taken(
        hosts, _text_mib(raw), _mib(raw), seconds, processor_s, peak,
        _mib(build / "records"), _mib(build / "models"), _mib(build / "study.duckdb"), again_s,
        dict(_asked(build / "study.duckdb")),
    )  # fmt: skip


def _processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _asked(database: Path) -> Iterator[tuple[str, float]]:
    with store.connect(database) as connection:
        for name, sql in QUERIES.items():
            taken = []
            for _ in range(_TIMES):
                begun = time.monotonic()
                connection.execute(sql).fetchall()
                taken.append(time.monotonic() - begun)
            yield name, 1000 * min(taken)


def _mib(place: Path) -> float:
    files = [place] if place.is_file() else place.rglob("*")
    return sum(each.stat().st_size for each in files if each.is_file()) / 2**20


def _text_mib(raw: Path) -> float:
    """The size of the exports before they were compressed."""
    total = 0
    for path in raw.rglob("*.zst"):
        with pa.input_stream(str(path), compression="zstd") as stream:
            while piece := stream.read(2**22):
                total += len(piece)
    return total / 2**20


def page(found: Sequence[Taken], interval_s: int) -> str:
    """Write the page."""
    sizes = [
        f"| {each.hosts:,} | {each.text_mib / 1024:.2f} | {each.raw_mib / 1024:.2f} |"
        f" {each.seconds:,.0f} | {each.processor_s:,.0f} |"
        f" {each.processor_s / each.text_mib * 1024:,.0f} | {each.peak_mib:,.0f} |"
        f" {(each.records_mib + each.models_mib) / 1024:.2f} | {each.catalogue_mib:,.1f} |"
        f" {each.again_s:,.1f} |"
        for each in found
    ]
    asked = [
        f"| {name} | {' | '.join(f'{each.queries_ms[name]:,.0f}' for each in found)} |"
        for name in QUERIES
    ]
    sums = [sum(each.queries_ms.values()) for each in found]
    asked.append(f"| **all ten** | {' | '.join(f'**{each:,.0f}**' for each in sums)} |")
    text = Path(__file__).with_suffix(".md").read_text(encoding="utf-8")
    most = found[-1]
    times = _BEYOND / most.hosts
    words = {
        "sizes": "\n".join(sizes), "asked": "\n".join(asked),
        "heads": " | ".join(f"{each.hosts:,} hosts, ms" for each in found),
        "lines": " | ".join("--:" for _ in found), "interval": str(interval_s),
        "cpus": str(os.cpu_count()),
        "per TiB": f"{most.processor_s / most.text_mib * 2**20 / 3600:,.0f}",
        "beyond": f"{_BEYOND:,}", "beyond hours": f"{times * most.processor_s / 3600:,.0f}",
        "beyond text": f"{times * most.text_mib / 1024:,.0f}",
        "beyond catalogue": f"{times * most.catalogue_mib / 1024:,.1f}",
        "beyond again": f"{times * most.again_s / 60:,.0f}",
        "beyond query": f"{times * max(most.queries_ms.values()) / 1000:,.0f}",
    }  # fmt: skip
    for name, said in words.items():
        text = text.replace(f"<!-- {name} -->", said)
    return text


def main() -> None:
    """Write ``docs/scale.md`` anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--hosts", type=int, nargs="+", default=HOSTS)
    parser.add_argument("--interval", type=int, default=60, help="seconds between samples")
    given = parser.parse_args()
    book = given.folder.resolve()
    if not (book / "_config.yml").exists():
        books.empty(book)
    found = []
    for hosts in given.hosts:
        found.append(take(book, hosts, given.interval))
        print(json.dumps(asdict(found[-1])), flush=True)
    PAGE.write_text(page(found, given.interval), encoding="utf-8")


if __name__ == "__main__":
    main()
