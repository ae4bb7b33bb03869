"""Checks on data: each fires where something is wrong, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml

from studybook.commands.doctor import say_data
from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.doctor.data import DATA_CHECKS, DataFinding, Weight, examine_data
from studybook.doctor.data.report import counts, grouped
from studybook.records.load import update
from tests.conftest import REPOSITORY
from tests.support.captured import GOOD
from tests.support.lab import BEGIN, LENGTH, add_run, busy, disks, jtl, requests, sar
from tests.support.shared import made_once

FIXTURES = REPOSITORY / "tests/data"

#: What must be found in each run, and how much it matters. Nothing else may be.
EXPECTED: dict[str, dict[str, str]] = {
    "good": {},
    "executions": {"executions": "wrong", "phase-short": "to know"},
    "executions-beyond-the-one-chosen": {"executions": "wrong", "law": "doubtful"},
    "executions-and-one-chosen": {},
    # Twelve requests that took a minute and a half leave little of a mean.
    "all-wait-for-a-minute": {"coordinated-omission": "doubtful", "phase-short": "doubtful"},
    # Requests that take longer than the pause: with those that were not sent, the 99th percentile
    # is lower.
    "all-wait-for-less-than-they-do": {},
    "driver-stood-still": {"coordinated-omission": "doubtful"},
    "of-last-year": {"another-time": "wrong", "not-covered": "wrong"},
    "of-another-zone": {"another-time": "wrong", "not-covered": "wrong"},
    "clock-ahead": {"clock-skew": "wrong"},
    "clock-ahead-and-said": {},
    # Hosts are told of until another load is over: where they fit as they stand, clocks are well.
    "heavier-load-later": {},
    "same-load-later": {},
    "heavier-load-at-once": {"clock-skew": "doubtful"},
    "ends-early": {"not-covered": "doubtful"},
    "suite-behind-the-load": {"another-time": "doubtful", "no-row-counts": "wrong"},
    "suite-within-the-load": {},
    "suite-half-behind": {"not-covered": "wrong", "no-row-counts": "wrong"},
    "totals-of-one-row": {"no-row-counts": "wrong"},
    "table-and-its-copy": {"same-rows": "wrong"},
    "tables-of-two-drivers": {},
    "tables-of-two-hosts": {},
    "table-and-its-copy-as-of-a-host": {"same-rows": "wrong"},
    "tables-that-are-nearly-alike": {"same-rows": "doubtful"},
    "rates-of-two-files": {"rates-averaged": "doubtful"},
    "counts-with-a-gap": {"counts-left-out": "doubtful"},
    "series-by-turns": {"several-series": "doubtful"},
    "series-under-a-ramp": {"several-series": "doubtful"},
    "series-as-totals": {"several-series": "doubtful", "restarts": "doubtful"},
    "two-rows-at-once": {},
    "two-totals-at-once": {},
    "totals-newest-first": {"restarts": "doubtful"},
    "two-rows-of-a-ramp": {},
    "of-two-hosts-0": {},
    "of-two-hosts-1": {"not-as-others": "doubtful"},
    "of-two-hosts-2": {},
    "gap": {"gaps": "doubtful"},
    "gap-before": {"gaps": "to know"},
    "gap-that-is-known": {"gaps": "accepted"},
    "gap-of-another-host-is-known": {"gaps": "doubtful", "accepted-check": "doubtful"},
    "restart": {"restarts": "wrong", "gaps": "doubtful"},
    "counters": {"restarts": "doubtful"},
    "start": {"start": "wrong"},
    "short": {"phase-short": "doubtful"},
    "five-seconds": {"phase-short": "wrong"},
    "noisy": {"phase-short": "doubtful"},
    "rising": {"phase-short": "doubtful"},
    "fault": {"phase-uneven": "doubtful"},
    "fewer-users": {"users": "wrong"},
    "more-users": {"users": "doubtful"},
    "most-users-for-a-moment": {"phase-short": "doubtful"},
    "locust-ended-at-once": {"phase-short": "wrong"},
    "locust-of-one-moment": {},
    "locust-with-more-than-its-history": {"not-in-history": "doubtful", "failed": "doubtful"},
    "locust-with-its-history": {"failed": "doubtful"},
    "failed-now-and-then": {},
    "failed-of-one-name": {"failed": "doubtful"},
    "failed-for-most": {"failed": "wrong"},
    "failed-in-transactions": {"failed": "doubtful"},
    "busy-driver": {"driver-saturated": "doubtful"},
    "k6-dropped": {"driver-saturated": "wrong", "phase-short": "doubtful"},
    "wrk2": {},
    "wrk2-late": {"driver-saturated": "wrong"},
    "wrk-timed-out": {"timed-out": "doubtful", "failed": "doubtful"},
    "wrk-one-timed-out": {"timed-out": "to know", "failed": "doubtful"},
    "at-no-moment": {"without-times": "doubtful"},
    "progress-at-no-moment": {"without-times": "to know", "no-result": "doubtful"},
    "progress-of-a-start": {"phase-short": "wrong", "no-result": "doubtful"},
    "progress-beside-a-host": {"without-times": "doubtful", "no-result": "doubtful"},
    "progress-that-stops": {"nothing-completed": "doubtful", "law": "doubtful"},
    "progress-slows": {},
    "progress-without-its-result": {"no-result": "doubtful"},
    "fio-failed": {"no-result": "doubtful", "not-understood": "to know"},
    "progress-from-somewhere": {"load-at-no-time": "doubtful"},
    "progress-from-the-start": {},
    "phase-of-no-start": {"no-start": "wrong"},
    "phase-said-1": {},
    "phase-said-2": {},
    "phase-not-said": {"phase-unlike": "doubtful"},
    "alike-1": {},
    "alike-2": {},
    "unlike": {"repetition-apart": "doubtful"},
    "law": {"law": "wrong"},
    "disk": {},
    "disk-queue": {"disk-queue": "doubtful"},
    "shares": {"shares": "doubtful"},
    "one-name": {"one-name-for-two": "wrong"},
    "stray-host": {"host-without-role": "doubtful"},
    "longer-name": {"host-without-role": "doubtful", "host-without-data": "doubtful"},
    "roles-other": {"roles-as-added": "to know"},
    "host-without-data": {"host-without-data": "doubtful"},
    "hosts-without-data": {"host-without-data": "doubtful"},
    "again": {"twice": "wrong"},
    # One recording of a host may be of several loads.
    "recorded-for-two": {},
    "recorded-for-two-the-second": {},
    "grown": {"grown": "to know"},
    "requests-in-two-logs": {"same-requests": "wrong", "users": "doubtful"},
    "two-listeners": {"same-requests": "wrong", "law": "doubtful"},
    "two-drivers": {},
    "two-machines-by-one-name": {"one-host-at-once": "doubtful", "not-understood": "to know"},
    "left-out": {"left-out": "doubtful"},
    "junk": {"not-understood": "doubtful"},
    "one-strange-line": {"not-understood": "to know"},
    "cut": {"cut": "doubtful"},
    "zone": {"zone-assumed": "to know"},
    "hour-twice": {"hour-twice": "doubtful"},
    "hour-twice-the-second": {
        "hour-twice": "doubtful",
        "another-time": "doubtful",
        "not-covered": "wrong",
    },
    "hour-twice-and-said": {},
    "one-node": {},
    "captured": {"captured-without-data": "doubtful"},
    "night-1": {},
    "night-2": {},
    "night-without-producers": {"factors-lacking": "doubtful"},
    "night-without-any": {"factors-lacking": "doubtful"},
    "night-that-does-not-count": {},
    "night-of-settings": {},
}


def _locust(states: Iterable[tuple[int, int, int]]) -> str:
    """A history of Locust: seconds since it began, users, and requests until then."""
    percents = ["50%", "66%", "75%", "80%", "90%", "95%", "98%", "99%", "99.9%", "99.99%", "100%"]
    totals = "Request Count,Failure Count,Median Response Time,Average Response Time"
    totals += ",Min Response Time,Max Response Time,Average Content Size"
    head = "Timestamp,User Count,Type,Name,Requests/s,Failures/s,"
    head += ",".join([*percents, *(f"Total {each}" for each in totals.split(","))])
    rows = [
        f"{int(BEGIN.timestamp()) + at},{users},,Aggregated,0.00,0.00,"
        + ",".join(["50" if done else "N/A"] * len(percents) + [f"{done},0,50,54,48,88,7382"])
        for at, users, done in states
    ]
    return "\n".join([head, *rows, ""])


def _failing(failed: Callable[[int], bool], label: str = "order", *, pages: bool = False) -> str:
    """A log in which some requests failed; one in thirty has another label.

    With pages, ten requests are a transaction, which fails if one of them does.
    """
    head, *rows = jtl(requests(ms=lambda at, noise: noise.uniform(80, 118))).splitlines()
    written = [f"{head},responseMessage"]
    for number, row in enumerate(rows):
        named = row.replace("order", label) if number % 30 == 0 else row
        one = named.replace("200,true", "503,false") if failed(number) else named
        written.append(f"{one},")
        if pages and number % 10 == 9:
            bad = any(map(failed, range(number - 9, number + 1)))
            page = row.replace("order", "page").replace("200,true", f",{str(not bad).lower()}")
            of = f"Number of samples in transaction : 10, number of failing samples : {int(bad)}"
            written.append(f'{page},"{of}"')
    return "\n".join([*written, ""])


def write_runs(root: Path) -> None:
    """Write a run for each case."""
    good = jtl(requests())
    web = {"name": "web1", "role": "web"}
    pair = {"results.jtl": good, "sar.txt": sar()}

    def one(run: str, **said: object) -> None:
        # No two files of the lab are the same.
        number = sum(1 for _ in (root / "data/raw/mine").glob("*/*"))
        users = int(said.pop("load_users", 20))
        sent = requests(ms=lambda _, noise: noise.uniform(80 + number / 9, 120))
        text = said.pop("jtl", None) or jtl(sent, users)
        files = {"results.jtl": text, "sar.txt": said.pop("sar", None) or _own(number)}
        add_run(root, run, files | said.pop("more", {}), **said)

    def _own(number: int) -> str:
        return sar(
            line=lambda at, text: text.replace("0.00", f"0.{number:02}", 1) if at == 300 else text
        )

    add_run(root, "good", pair)
    bursts = [each for k in range(3) for each in requests(2400 * k, 2400 * k + 400)]
    one("executions", jtl=jtl(bursts), sar=_in_bursts())
    # With its pauses, users seem to think for longer than those of other runs.
    one("executions-beyond-the-one-chosen", jtl=jtl(bursts[:-1]), sar=_in_bursts(),
        stable_phase={"from_s": 60, "to_s": 5200}, start="2026-11-03T09:00:00+00:00")  # fmt: skip
    one("executions-and-one-chosen", jtl=jtl(bursts[1:]), sar=_in_bursts(1),
        stable_phase={"from_s": 60, "to_s": 390}, start="2026-11-03T09:00:00+00:00")  # fmt: skip
    before, after = requests(0, 300), requests(390, LENGTH)
    waiting = [(300 + k / 40, 90_000 - 25 * k) for k in range(12)]
    one("all-wait-for-a-minute", jtl=jtl([*before, *waiting, *after]), sar=_paused(300, 390))
    slow = [each for each in requests(ms=lambda _, noise: noise.uniform(30_000, 40_000))
            if not 600 <= each[0] < 612]  # fmt: skip
    one("all-wait-for-less-than-they-do", jtl=jtl(slow, 105), factors={"users": 105},
        sar=sar(at=lambda at: busy(at - 35)))  # fmt: skip
    one("driver-stood-still", jtl=jtl([*requests(0, 640), *requests(655, LENGTH)]))
    one("of-last-year", sar=sar(begin=BEGIN - timedelta(days=365)))
    one("of-another-zone", sar=sar(shift=7200))
    one("clock-ahead", sar=sar(shift=120))
    one("clock-ahead-and-said", sar=sar(shift=120, at=lambda at: busy_but(at, 0.5)),
        hosts=[{"name": "web1", "role": "web", "clock_offset_s": -120}])  # fmt: skip
    one("heavier-load-later", sar=sar(at=_and_later(0.3), to_s=3 * LENGTH))
    one("same-load-later", sar=sar(at=_and_later(1), to_s=3 * LENGTH))
    one("heavier-load-at-once", sar=sar(
        at=lambda at: 0.3 * busy(at) if at <= LENGTH else busy(at - LENGTH), to_s=3 * LENGTH,
        line=lambda at, text: "" if at <= 0 else text,
    ))  # fmt: skip
    one("ends-early", sar=sar(to_s=600))
    within, behind = int(BEGIN.timestamp()) + 600, int(BEGIN.timestamp()) + LENGTH + 60

    def by_turns(value: Callable[[int, int], int]) -> str:
        """Two rows every ten seconds."""
        return "".join(
            f"{int(BEGIN.timestamp()) + 10 * at},{value(at, second)},{at}\n"
            for at in range(LENGTH // 10 + 1)
            for second in (0, 1)
        )

    took = {"column": "took", "name": "operation_ms", "unit": "ms"}
    slow = {"column": "slow", "name": "operation_p95_ms", "unit": "ms"}
    done = {"column": "took", "name": "metadata_per_s", "counter": True}
    counted = done | {"counter": False, "per_interval": True}
    started = int(BEGIN.timestamp())
    written = [f"{started + 10 * at},{500 + at * at % 89},{at // 9}\n" for at in range(91)]
    # Each sends at a given rate, which both hold most of the time.
    ramp = "".join(f"{started + 10 * at},{5 * at},{at}\n" for at in range(91))
    held = [f"{started + 10 * at},{500 - (at % 7 == 0) * at},0\n" for at in range(91)]
    other = [f"{started + 10 * at},{500 - (at % 3 == 0) * at},0\n" for at in range(91)]
    for run, rows, metrics, *copy in (
        ("table-and-its-copy", "".join(written), [took, slow], "".join(written[:-1])),
        ("tables-of-two-drivers", "".join(held), [took, slow], "".join(other)),
        ("tables-of-two-hosts", ramp, [took, slow], ramp[: ramp.rindex("\n", 0, -1) + 1]),
        ("table-and-its-copy-as-of-a-host", "".join(written), [took, slow], "".join(written[:-1])),
        (
            "tables-that-are-nearly-alike",
            "".join(written),
            [took, slow],
            "".join([*written[:-2], f"{started + 890},1,1\n"]),
        ),
        ("rates-of-two-files", "".join(written), [counted], "".join(held)),
        ("counts-with-a-gap", "".join(written[:30] + written[35:]), [counted]),
        ("suite-behind-the-load", f"{behind},7,8\n", [took]),
        ("suite-within-the-load", f"{within},7,8\n", [took, slow]),
        ("suite-half-behind", f"{within},7,\n{behind},,8\n", [took, slow]),
        ("totals-of-one-row", f"{within},7,8\n", [done]),
        ("series-by-turns", by_turns(lambda at, second: 5 + 2 * second), [took]),
        ("series-under-a-ramp", by_turns(lambda at, second: at * (10 - second)), [took]),
        ("series-as-totals", by_turns(lambda at, second: (90 + at) * (2 - second)), [done]),
        # By a clock that is coarser than their distance.
        ("two-rows-at-once", by_turns(lambda at, second: (2 * at + second) % 5), [took]),
        ("two-totals-at-once", by_turns(lambda at, second: 80 * at + 40 * second), [done]),
        ("totals-newest-first", by_turns(lambda at, second: 80 * at - 40 * second), [done]),
        ("two-rows-of-a-ramp", by_turns(lambda at, second: 80 * at + 40 * second), [took]),
    ):
        texts = dict(zip(("suite.csv", "suite (copy).csv"), (rows, *copy), strict=False))
        one(run, more={name: f"at,took,slow\n{text}" for name, text in texts.items()})
        manifest = root / "data/raw/mine/lab" / run / "run.yml"
        said = yaml.safe_load(manifest.read_text(encoding="utf-8"))
        for number, file in enumerate(said["files"][-len(texts) :]):
            file["table"] = {"time": "at", "time_format": "unix", "metrics": metrics}
            if run.endswith(("-hosts", "-host")):
                file["host"] = f"gen{number}"
                said["hosts"].append({"name": f"gen{number}", "role": "load-driver"})
        manifest.write_text(yaml.safe_dump(said), encoding="utf-8")
    for number, (run, slower) in enumerate({"alike-1": 1, "alike-2": 1.05, "unlike": 1.6}.items()):
        quick = requests(ms=lambda _, noise, by=slower: by * noise.uniform(190, 210))
        one(run, jtl=jtl(quick), factors={"drill": "fire", "repetition": number})
    one("gap", sar=sar(line=lambda at, text: "" if 300 <= at < 350 else text))
    one("gap-before", sar=sar(line=lambda at, text: "" if at in (-30, -20) else text))
    one("restart", sar=sar(line=_restarted))
    for run, accepted in (
        ("gap-that-is-known", [{"check": "gaps", "subject": "web*"}]),
        ("gap-of-another-host-is-known",
         [{"check": "gaps", "subject": "db*"}, {"check": "gapps"}]),
    ):  # fmt: skip
        one(run, sar=sar(line=lambda at, text: "" if 300 <= at < 350 else text),
            accepted=[{**each, "because": "its disk was full"} for each in accepted])  # fmt: skip
    one("counters", more={"mmpmon.txt": _mmpmon()})
    one("start", start="2026-11-03T09:30:00+00:00")
    one(
        "short",
        jtl=jtl(requests(0, 70)),
        sar=sar(to_s=80, at=lambda at: 60.0 if 0 < at <= 70 else 4.0),
    )
    one(
        "five-seconds", jtl=jtl(requests(0, 5)), factors={"users": 4},
        sar=sar(to_s=80, at=lambda at: 50.0 if 0 < at <= 5 else 4.0),
    )  # fmt: skip
    one("noisy", jtl=jtl(requests(ms=lambda _, noise: noise.lognormvariate(3, 2.2))))
    one("rising", jtl=jtl(requests(ms=lambda at, noise: noise.uniform(80, 120) * (1 + at / 300))))
    one("fault", jtl=jtl(requests(
        ms=lambda at, noise: noise.uniform(80, 120) * (4 if 400 < at <= 550 else 1))))  # fmt: skip
    one("fewer-users", factors={"users": 50})
    one("more-users", factors={"users": 10})
    falling = jtl(requests(0, 8)).replace(",3,3\n", ",20,20\n")
    one("most-users-for-a-moment", jtl=falling, sar=sar(to_s=70, at=lambda _: 5.0))
    at_once, moment = ((0, 1, 0), (2, 10, 12), (2, 0, 15)), ((9, 0, 0),)
    add_run(root, "locust-ended-at-once", {"x_stats_history.csv": _locust(at_once)}, hosts=[],
            factors={"users": 10})  # fmt: skip
    steady = [(at, 10, 10 * at) for at in range(901)]
    whole = (
        (FIXTURES / "locust/stats.csv").read_text().replace(",Aggregated,60", ",Aggregated,9100")
    )
    add_run(
        root, "locust-with-more-than-its-history", hosts=[], factors={},
        files={"x_stats_history.csv": _locust(steady), "x_stats.csv": whole},
    )  # fmt: skip
    whole, steady = whole.replace("9100", "9001"), [(at, 11, 10 * at) for at in range(901)]
    add_run(
        root, "locust-with-its-history", hosts=[], factors={},
        files={"x_stats_history.csv": _locust(steady), "x_stats.csv": whole},
    )  # fmt: skip
    add_run(root, "locust-of-one-moment", {"x_stats_history.csv": _locust(moment)}, hosts=[],
            factors={})  # fmt: skip
    one("failed-now-and-then", jtl=_failing(lambda number: number % 150 == 0))
    one("failed-of-one-name", jtl=_failing(lambda number: number % 120 == 0, "pay"))
    one("failed-for-most", jtl=_failing(lambda number: number % 3 > 0))
    one("failed-in-transactions", jtl=_failing(lambda number: number % 50 == 0, pages=True))
    one("busy-driver", more={"driver.txt": sar("driver", at=lambda at: 93.0 if at > 0 else 4.0)},
        hosts=[web, {"name": "driver", "role": "load-driver"}])  # fmt: skip
    add_run(root, "k6-dropped", {"k6.csv": _k6()}, hosts=[], factors={})
    in_time = (FIXTURES / "wrk/wrk2-both.txt").read_text()
    late = in_time.replace(" 50.000%   20.00ms", " 50.000%    9.00s ")
    late = late.replace("      20.000     0.500000", "    9000.000     0.500000")
    add_run(root, "wrk2", {"wrk.txt": in_time}, hosts=[], factors={})
    add_run(root, "wrk2-late", {"wrk.txt": late}, hosts=[], factors={})
    wrk = (FIXTURES / "wrk/wrk-three.txt").read_text().partition("Running 1m")[0]
    wrk = wrk.partition("\n")[2]
    many = wrk.replace("timeout 40", "timeout 400")
    add_run(root, "wrk-timed-out", {"wrk.txt": many}, hosts=[], factors={})
    add_run(root, "wrk-one-timed-out", {"wrk.txt": wrk}, hosts=[], factors={})
    untimed = (
        "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
        " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
        " 1  0      0 800000  20000 900000    0    0     9     8  100  200  7  1 92  0  0\n"
        " 0  0      0 800000  20000 900000    0    0     9     8  100  200  7  1 92  0  0\n"
    )
    add_run(root, "phase-of-no-start", {"sar.txt": sar(at=partial(busy_but, more=0.31))},
            stable_phase={"from_s": 60, "to_s": 390}, factors={})  # fmt: skip
    phase = {"stable_phase": {"from_s": 60, "to_s": 390}}
    for number, run in enumerate(("phase-said-1", "phase-said-2", "phase-not-said")):
        add_run(root, run, {"sar.txt": sar(at=partial(busy_but, more=0.41 + number / 100))},
                factors={"drill": "flood", "repetition": number}, start=BEGIN.isoformat(),
                **(phase if number < 2 else {}))  # fmt: skip
    add_run(root, "at-no-moment", {"vmstat.txt": untimed}, factors={})
    progress = {"sysbench.txt": (FIXTURES / "sysbench/sql.txt").read_text()}
    add_run(root, "progress-at-no-moment", progress, hosts=[], factors={})
    add_run(root, "progress-of-a-start", {"sysbench.txt": progress["sysbench.txt"] + "\n"},
            hosts=[], factors={}, start=BEGIN.isoformat())  # fmt: skip
    beside = {"sysbench.txt": progress["sysbench.txt"] + "\n\n", "sar.txt": sar(at=lambda _: 5.5)}
    add_run(root, "progress-beside-a-host", beside, factors={})
    one("law", jtl=jtl(requests(ms=lambda _, noise: noise.uniform(900, 1100)), users=2),
        factors={"users": 2})  # fmt: skip
    one("disk", more={"disk.txt": disks(queue=2, await_ms=20)})
    for run, low in (("progress-that-stops", 0), ("progress-slows", 90)):
        add_run(root, run, {"pgbench.txt": _pgbench(low)}, hosts=[], factors={}, start=BEGIN,
                stable_phase={"from_s": 60, "to_s": 700})  # fmt: skip
    add_run(root, "progress-without-its-result", hosts=[], factors={}, start=BEGIN,
            files={"pgbench.txt": _pgbench(100).partition("transaction type")[0]})  # fmt: skip
    failed = {"fio.json": (FIXTURES / "fio/fio-3.json").read_text()}
    add_run(root, "fio-failed", failed, hosts=[], factors={})
    # Its host is recorded from a minute before the load on.
    for run, busy_percent, known in (
        ("progress-from-somewhere", 5.0, "assumed"), ("progress-from-the-start", 6.0, "stated")
    ):  # fmt: skip
        files = {
            "pgbench.txt": _pgbench(95 + int(busy_percent)),
            "sar.txt": sar(at=lambda _, it=busy_percent: it),
        }
        add_run(root, run, files, factors={}, start=BEGIN - timedelta(minutes=1), start_known=known)
    one("disk-queue", more={"disk.txt": disks(queue=20, await_ms=20)})
    one("shares", sar=sar(line=lambda at, text: _idle_less(text) if at == 200 else text))
    one("one-name", more={"rack2.txt": sar(at=lambda _: 5)})
    one("stray-host", more={"stray.txt": sar("stray")})
    one("longer-name", more={"db.txt": sar("db1.lab.example")},
        hosts=[web, {"name": "db1", "role": "db"}])  # fmt: skip
    both = [web, {"name": "db1", "role": "db"}]
    for number in range(3):
        more = (
            {} if number == 1 else {"db.txt": sar("db1", at=lambda at, n=number: 20 + n + at % 7)}
        )
        one(f"of-two-hosts-{number}", more=more, hosts=both if more else [web],
            factors={"users": 20, "farm": "two"})  # fmt: skip
    one("roles-other", more={"db.txt": sar("db1")},
        hosts=[{"name": "web1", "role": "other"}, {"name": "db1", "role": "other"}])  # fmt: skip
    one("host-without-data", hosts=[web, {"name": "db9", "role": "db"}])
    one("hosts-without-data",
        hosts=[web, *({"name": f"db{n}", "role": "db"} for n in range(100, 400))])  # fmt: skip
    add_run(root, "again", pair | {"sar.txt": _own(99)})
    both = sar(at=lambda at: _and_later(1)(at) + 0.7, to_s=3 * LENGTH)
    one("recorded-for-two", sar=both)
    one("recorded-for-two-the-second", sar=both, jtl=jtl(
        requests(ms=lambda _, noise: noise.uniform(80, 119)),
        begin=BEGIN + timedelta(seconds=LENGTH + 600)))  # fmt: skip
    one("grown", sar=sar("db1") + "\n" + sar(to_s=LENGTH / 2) + "\n" + sar(),
        hosts=[web, {"name": "db1", "role": "db"}])  # fmt: skip
    sent = [*requests(ms=lambda _, noise: noise.uniform(80, 121))]
    head, *lines = jtl(sent).splitlines()
    each = [f"{line},users 1-{number % 20}" for number, line in enumerate(lines) for _ in range(2)]
    one("two-listeners", jtl="\n".join([f"{head},threadName", *each, ""]))
    one("requests-in-two-logs", jtl=jtl(sent), more={"again.jtl": jtl(sent).replace("order", "o")})
    one("two-drivers", jtl=jtl(sent[::2], 10), more={"other.jtl": jtl(sent[1::2], 10)})
    nmon = (FIXTURES / "nmon/linux.nmon").read_text(encoding="utf-8")
    add_run(root, "two-machines-by-one-name", {"a.nmon": nmon, "b.nmon": nmon + "\n"},
            hosts=[{"name": "shop1", "role": "web"}], factors={})  # fmt: skip
    one("left-out", more={"notes.bin": b"\0\1nothing that anyone knows"})
    one("junk", sar=sar(line=lambda at, text: text + "?? no\n" * (at in (100, 200, 300))))
    one("one-strange-line", sar=sar(line=lambda at, text: text + "?? no\n" * (at == 100)))
    one("cut", sar=sar()[:-7])
    one("zone", time_zone_known="assumed")
    first = datetime(2026, 10, 25, 0, 10, tzinfo=UTC)
    begins = {"hour-twice": first} | dict.fromkeys(
        ("hour-twice-the-second", "hour-twice-and-said"), first + timedelta(hours=1)
    )
    for number, (name, begin) in enumerate(begins.items()):
        said = {"clock_offset_s": 3600} if name.endswith("said") else {}
        printed = begin.astimezone(ZoneInfo("Europe/Berlin"))
        sent = requests(ms=lambda _, noise: noise.uniform(80, 120))
        one(name, jtl=jtl(sent, begin=begin + timedelta(seconds=number)),
            sar=sar(begin=printed, at=partial(busy_but, more=number / 9)),
            time_zone="Europe/Berlin", hosts=[web | said])  # fmt: skip
    # Its rows tell the label of a run: who names it in run.yml says nothing new.
    varied = {"users": 20, "label": "order", "release": 1}
    one("night-1", study="nights", factors=varied | {"producers": 4})
    one("night-2", study="nights", factors=varied | {"producers": 8, "repetition": 2})
    one("night-without-producers", study="nights", factors=varied)
    one("night-without-any", study="nights", factors={})
    one("night-that-does-not-count", study="nights", factors={}, excluded="a drill")
    one("night-of-settings", study="nights", factors={}, kind="configuration")
    captures = {"mmlscluster.txt": (GOOD / "mmlscluster.txt").read_bytes()}
    add_run(root, "captured", captures, kind="configuration", hosts=[], factors={})
    add_run(root, "one-node", {"sar.txt": sar("ECMnod1")}, factors={},
            hosts=[{"name": "ECMnod1", "role": "node"}])  # fmt: skip


def busy_but(at: float, more: float) -> float:
    return (60.0 if 0 < at <= LENGTH else 4.0) + more + (at // 10) % 3


def _and_later(share: float) -> Callable[[float], float]:
    """How busy a host is by a part of the load, and by all of it some minutes later."""
    return lambda at: share * busy(at) if at < LENGTH + 60 else busy(at - LENGTH - 600)


def _in_bursts(more: float = 0) -> str:
    """A host at work for 400 s of each 2400."""
    return sar(at=lambda at: (60.0 if at > 0 and at % 2400 <= 400 else 4.0) + more, to_s=5300)


def _paused(from_s: float, to_s: float) -> str:
    return sar(at=lambda at: 4.0 if from_s < at <= to_s else busy_but(at, 0))


def _restarted(at: float, text: str) -> str:
    """Without samples for a minute, in which the host restarts."""
    if at == 340:
        return (
            f"\n{text[:8]}       LINUX RESTART\t(4 CPU)\n\n{text[:8]}"
            + sar().splitlines(True)[2][8:]
        )
    return "" if 300 <= at < 340 else text


def _idle_less(text: str) -> str:
    return f"{text.rstrip()[:-9]}{float(text.split()[-1]) - 20:9.2f}\n"


def _mmpmon() -> str:
    """Bytes that a node read, of which the counter began anew."""
    rows = [
        f"_fs_io_s_ _n_ 192.0.2.7 _nn_ web1 _rc_ 0 _t_ {int(BEGIN.timestamp()) + at} _tu_ 0"
        f" _cl_ lab.example _fs_ fs1 _d_ 4 _br_ {4096 * at % 1_900_000} _bw_ 0 _oc_ {at} _cc_ {at}"
        f" _rdc_ {at % 460} _wc_ 0 _dir_ 0 _iu_ 0\n"
        for at in range(0, LENGTH, 10)
    ]
    return "".join(rows)


def _k6() -> str:
    """Few samples of k6, and iterations that it dropped."""
    head = (
        "metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,"
    )
    rows = [
        head + "name,proto,scenario,service,status,subproto,tls_version,url,extra_tags,metadata"
    ]
    for at in range(40):
        stamp = int(BEGIN.timestamp()) + at
        rest = ",,,,true,,GET,open,HTTP/1.1,readers,,200,,tls1.3,https://lab.example/,,"
        rows += [f"http_req_duration,{stamp},120.5{rest}", f"iterations,{stamp},1{rest}"]
    rows.append(f"dropped_iterations,{int(BEGIN.timestamp()) + 20},7{rest}")
    return "\n".join(rows) + "\n"


def _pgbench(low: int) -> str:
    """What pgbench prints of a load with a rate of 100 a second, in 40 s of another."""
    per_s = [
        low if 300 < at <= 340 else 97 + at * at // 100 % 7 for at in range(10, LENGTH + 1, 10)
    ]
    progress = [
        f"progress: {10 * number}.0 s, {rate:.1f} tps,"
        f" lat {8000 / rate if rate else 0:.3f} ms stddev 1.000, 0 failed"
        for number, rate in enumerate(per_s, start=1)
    ]
    done = 10 * sum(per_s)
    return "\n".join(
        (
            "pgbench (15.6)", *progress, "transaction type: <builtin: TPC-B (sort of)>",
            "number of clients: 8", f"duration: {LENGTH} s",
            f"number of transactions actually processed: {done}",
            "number of failed transactions: 0 (0.000%)",
            f"latency average = {8000 * LENGTH / done:.3f} ms",
            f"tps = {done / LENGTH:.6f} (without initial connection time)\n",
        )
    )  # fmt: skip


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    return DataSet("mine", made_once(tmp_path_factory, "lab-of-data", make_book))


def make_book(root: Path) -> None:
    (root / "pipelines").mkdir(parents=True)
    (root / "_config.yml").touch()
    write_runs(root)
    place = DataSet("mine", root)
    inventory = take_inventory(place)
    update(place.database, inventory, inventory.sources())


@pytest.fixture(scope="module")
def found(book: DataSet) -> tuple[DataFinding, ...]:
    return examine_data(book.database, ["lab", "nights"])


def of_run(found: tuple[DataFinding, ...], run: str, check: str) -> DataFinding:
    (one,) = (each for each in found if (each.run, each.check.id) == (run, check))
    return one


def test_of_failures_it_is_told_of_what_how_many_and_why(found: tuple[DataFinding, ...]) -> None:
    said = {each.run: each.found for each in found if each.check.id == "failed"}
    assert said["failed-of-one-name"] == (
        "25 % of pay (jtl, stable phase). Over the whole run, most often: 503"
    )
    assert said["failed-for-most"].startswith("67 % of requests (jtl, stable phase). Over")
    assert said["locust-with-its-history"].startswith("15 % of POST /search, all (locust")
    # Transactions are made of requests: a share of each would be two of the same.
    assert said["failed-in-transactions"].startswith("2 % of requests (jtl")


@pytest.mark.parametrize("run", EXPECTED)
def test_what_is_wrong_is_found_and_nothing_else(found: tuple[DataFinding, ...], run: str) -> None:
    said = {each.check.id: each.weight.words for each in found if each.run == run}
    assert said == EXPECTED[run], [each.found for each in found if each.run == run]


def test_each_check_has_a_run_in_which_it_fires() -> None:
    fire = {check for checks in EXPECTED.values() for check in checks}
    assert fire == {check.id for check in DATA_CHECKS}
    for check in DATA_CHECKS:
        assert all((check.title, check.because, check.do))


def test_executions_are_listed_with_the_longest_to_choose(found: tuple[DataFinding, ...]) -> None:
    one = of_run(found, "executions", "executions")
    assert "3 executions: 11-03 09:00–09:06, 11-03 09:40–09:46, 11-03 10:20–10:26 UTC" in one.found
    assert "the stable phase (11-03 09:00–11-03 09:06) is of the longest alone" in one.found
    assert "stable_phase: {from_s: 0, to_s: 400}" in one.do
    beyond = of_run(found, "executions-beyond-the-one-chosen", "executions")
    assert beyond.found.endswith("has part in 3")


def test_a_clock_is_measured_with_its_uncertainty(found: tuple[DataFinding, ...]) -> None:
    one = of_run(found, "clock-ahead", "clock-skew")
    said = re.search(r"its clock is (\d+) s \(± ([\d.]+) s\) ahead of the load driver", one.found)
    assert said
    assert abs(int(said[1]) - 120) <= 10
    assert 0 < float(said[2]) <= 10
    offset = re.search(r"clock_offset_s: (-\d+) of web1", one.do)
    assert offset
    assert int(offset[1]) == -int(said[1])


def test_another_zone_and_another_year_are_told_apart(found: tuple[DataFinding, ...]) -> None:
    assert "look at time_zone" in of_run(found, "of-another-zone", "another-time").do
    last_year = of_run(found, "of-last-year", "another-time")
    assert ": 365 days before the load (2026-11-03 09:00:00" in last_year.found
    assert "about a year away" in last_year.do


def test_the_requests_that_were_not_sent_are_added(found: tuple[DataFinding, ...]) -> None:
    one = of_run(found, "all-wait-for-a-minute", "coordinated-omission")
    said = re.search(r"some (\d+) requests were not sent.* is (\d+) ms, and ([\d,]+) ms", one.found)
    assert said
    assert 255 <= int(said[1]) <= 285  # three in a second, for a minute and a half
    assert int(said[2]) < 200 < 60_000 < int(said[3].replace(",", ""))
    stood = of_run(found, "driver-stood-still", "coordinated-omission")
    assert "none was waited for" in stood.found
    assert "garbage collection" in stood.do


@pytest.mark.parametrize(
    ("run", "check", "said"),
    [
        ("gap", "gaps", "1 gap, 1 in the stable phase: 50 s are missing at intervals of 10 s"),
        ("fewer-users", "users", "run.yml says 50, the load driver had never more than 20"),
        ("busy-driver", "driver-saturated", "its processors are busy 93 % of the stable phase"),
        ("k6-dropped", "driver-saturated", "7 iterations dropped"),
        ("progress-that-stops", "nothing-completed", "for 40 s, from 09:05:00 UTC on, where at the"
         " usual rate some 3,711 would have been"),
        ("progress-from-somewhere", "load-at-no-time", "it lasted 720 s and tells no times;"),
        ("suite-behind-the-load", "no-row-counts", "nothing that it has of operation_ms is of"),
        ("suite-half-behind", "no-row-counts", "nothing that it has of operation_p95_ms is of"),
        ("totals-of-one-row", "no-row-counts", "has no two rows of the running total took"),
        ("table-and-its-copy", "same-rows",
         "of 89 of its 89 times, the commonest values left aside, suite.csv says the same"),
        ("tables-that-are-nearly-alike", "same-rows", "of 88 of its 89 times, the commonest"),
        ("counts-with-a-gap", "counts-left-out",
         "1 count comes later than usual after the row before, the first at 2026-11-03 09:05:50"),
        ("series-by-turns", "several-series",
         "2 rows of each time have operation_ms, which are unlike each other"),
        ("progress-without-its-result", "no-result", "this execution of pgbench has no result"),
        ("night-without-producers", "factors-lacking", "without producers, which all or most of 2"),
        ("night-without-any", "factors-lacking", "without producers, release, which all or most"),
        ("unlike", "repetition-apart", ", where the 2 other runs of its setup have "),
        ("fio-failed", "no-result", "1 execution counts in no figure: failed (error 28)"),
        ("gap-that-is-known", "gaps", "1 gap, 1 in the stable phase"),
        ("gap-of-another-host-is-known", "accepted-check", "there is no check 'gapps'"),
        ("disk-queue", "disk-queue", "a queue of 20, but rate × time makes 2"),
        ("shares", "shares", "1 intervals of processors whose parts make 80 to 80 %"),
        ("host-without-data", "host-without-data", "without any data: db9"),
        ("of-two-hosts-1", "not-as-others",
         "nothing of it by sar, which 2 of 3 runs of this setup have"),
        ("hosts-without-data", "host-without-data", "db118, db119 and 280 more"),
        ("longer-name", "host-without-role",
         "is in db.txt, and not among the hosts of run.yml, which has db1"),
        ("again", "twice", "has the same content as lab/good/results.jtl"),
        ("requests-in-two-logs", "same-requests",
         "2160 of its 2160 requests stand in again.jtl, too, with the same times"),
        ("two-listeners", "same-requests", "requests stand in it twice, with the same thread"),
        ("grown", "grown", "stand in several of its reports, each the same"),
        ("captured", "captured-without-data",
         "ECMnod2, ECMnod3, ECMnod4, NSDsrv1, NSDsrv2, NSDsrv3"),
    ],
)  # fmt: skip
def test_the_words_say_what_is_so(
    found: tuple[DataFinding, ...], run: str, check: str, said: str
) -> None:
    assert said in of_run(found, run, check).found


def test_the_most_important_comes_first(found: tuple[DataFinding, ...]) -> None:
    weights = [each.weight for each in found]
    assert weights == sorted(weights)
    assert set(weights) == set(Weight)


def test_what_is_accepted_says_why(found: tuple[DataFinding, ...]) -> None:
    known = of_run(found, "gap-that-is-known", "gaps")
    assert known.do == "accepted: its disk was full"
    assert not known.weight.fails
    assert "gaps" in of_run(found, "gap-of-another-host-is-known", "accepted-check").do


def test_other_studies_are_left_alone(book: DataSet) -> None:
    assert examine_data(book.database, ["nothing"]) == ()


def test_alike_findings_stand_together(found: tuple[DataFinding, ...]) -> None:
    one = of_run(found, "gap", "gaps")
    groups = grouped([one, replace(one, run="other"), of_run(found, "gap-before", "gaps")])
    assert [each.runs for each in groups] == [("lab/gap", "lab/other"), ("lab/gap-before",)]
    assert counts([]) == "nothing found"
    assert counts([one]) == "1 doubtful"


def test_in_words_the_worst_comes_first_and_each_says_what_to_do(
    found: tuple[DataFinding, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    say_data(found)
    printed = capsys.readouterr().out
    assert printed.index("✗ wrong") < printed.index("! doubtful") < printed.index("· to know")
    assert printed.rindex("✗ wrong") < printed.index("! doubtful")
    for each in found:
        assert f"{each.check.title}: {each.check.id}\n" in printed
    in_one_line = " ".join(printed.split())
    assert "lab/fewer-users users: run.yml says 50" in in_one_line
    assert "→ set clock_offset_s: -1" in in_one_line
    assert printed.endswith(f"data: {counts(found)}\n\n")
    say_data([])
    assert capsys.readouterr().out == "data: nothing found\n\n"
