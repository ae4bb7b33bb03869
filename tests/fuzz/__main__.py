"""``make fuzz HOURS=n``: damaged files, one after another, on all processors, until time is up.

Guided by coverage where atheris is installed and there is time, else by what becomes of a file.
What it keeps and finds stands below ``build/fuzz``; where it found something, it ends with exit
code 1.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from tests.fuzz.hunt import Hunt, Target

ROOT = Path(__file__).resolve().parents[2]
#: Larger files are left out: they take long, and hold the same again and again.
MOST_BYTES = 64 * 1024

RAW, ALL = "raw files", "everything"

#: A slice of the time: so long at least where coverage guides it, which takes a while to begin,
#: and so long at most.
SHORTEST_S, LONGEST_S = 60, 900
#: So many of the inputs that led further are begun with, the smallest: to read all that was ever
#: kept takes longer than a slice, and more memory than a process may take.
MOST_KEPT = 2000
#: An input that takes longer is a finding; a process that takes more memory, too.
MOST_S, MOST_MIB = 60, 2048

#: Of all in turn, readers are given so many inputs for one of each other target: an input of a
#: reader costs a tenth of the others together, and readers see what nobody here wrote.
READERS_TURNS = 16

#: What coverage is looked at, of readers and of files that people write.
READERS = ("studybook.formats",)
OTHERS = (
    "studybook.bounded_yaml", "studybook.checked_yaml", "studybook.claims", "studybook.dataset"
)  # fmt: skip


# --- one slice: a process -----------------------------------------------------------------


def coverage_guide(target: str) -> ModuleType:
    """Atheris; it must see the readers being imported."""
    guide = importlib.import_module("atheris")
    with guide.instrument_imports(include=list(READERS if target == RAW else OTHERS)):
        importlib.import_module("studybook.formats").all_formats()
        importlib.import_module("tests.fuzz.manifests")
    return guide


def run_slice(target: str, seconds: float, seed: int, build: Path) -> None:
    """Hunt one target, guided by coverage, or all in turn, until time is up."""
    until = time.monotonic() + seconds
    guide = None if target == ALL else coverage_guide(target)
    from tests.fuzz import hunt as hunting

    with tempfile.TemporaryDirectory(prefix="studybook-fuzz-") as folder:
        hunt = hunting.Hunt(build / "found", Path(folder))
        account = build / "accounts" / f"{seed}.json"
        if guide:
            aim = hunting.targets()[target]
            _guided(guide, aim, hunt, account, build, round(max(1, until - time.monotonic())))
        chance = Random(seed)  # noqa: S311 - no secret
        readers, *others = hunting.targets().values()
        for aim in cycle((None, *[readers] * READERS_TURNS, *others)):
            if aim:
                hunting.by_chance(hunt, aim, chance)
            else:
                hunting.sweep(hunt, chance)
            hunt.tell(account)
            if time.monotonic() > until:
                return


def _guided(
    guide: Any, aim: Target, hunt: Hunt, account: Path, build: Path, seconds: int
) -> NoReturn:
    def damaged(data: bytes, most: int, seed: int) -> bytes:
        return damage(data, aim.ways, Random(seed)).content[:most]  # noqa: S311

    def hold(data: bytes) -> None:
        hunt.hold(aim, data)
        if hunt.inputs % 20 == 0:
            hunt.tell(account)

    from tests.fuzz.damage import damage

    corpus = build / "corpus" / aim.name.replace(" ", "-")
    corpus.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(aim.seeds):
        (corpus / f"seed-{number}").write_bytes(content[:MOST_BYTES])
    by_size = sorted(corpus.iterdir(), key=lambda path: (path.stat().st_size, path.name))
    for path in by_size[MOST_KEPT:]:
        path.unlink(missing_ok=True)  # by a slice beside this one, perhaps
    options = {
        "max_total_time": seconds, "max_len": MOST_BYTES, "timeout": MOST_S,
        "report_slow_units": MOST_S, "rss_limit_mb": MOST_MIB, "verbosity": 0,
        "artifact_prefix": f"{build}/found/",
    }  # fmt: skip
    arguments = [f"-{name}={value}" for name, value in options.items()]
    guide.Setup(["fuzz", str(corpus), *arguments], hold, custom_mutator=damaged)
    guide.Fuzz()
    raise AssertionError("atheris ends the process")


# --- all of them ----------------------------------------------------------------------------


def slices(hours: float, processes: int) -> Iterator[tuple[str, float]]:
    """Targets and seconds: a fifth for all in turn, the rest guided by coverage, if it can be."""
    each = hours * 3600
    guided = importlib.util.find_spec("atheris") and each > 4 * SHORTEST_S
    for _ in range(processes):
        yield ALL, each / 5 if guided else each
    left = each * processes * 4 / 5 if guided else 0
    manifests = cycle(_manifests())
    while left > SHORTEST_S:
        seconds = min(left, LONGEST_S)
        yield RAW, seconds * 0.9
        yield next(manifests), max(seconds * 0.1, SHORTEST_S)
        left -= seconds


def _manifests() -> list[str]:
    from tests.fuzz.manifests import MANIFESTS

    return [each.name for each in MANIFESTS]


def hunt(hours: float, processes: int, build: Path) -> int:
    """Run all slices, tell what was tried and found; 1 where something was found."""
    for name in ("accounts", "found", "corpus"):
        (build / name).mkdir(parents=True, exist_ok=True)
    for each in (build / "accounts").iterdir():
        each.unlink()
    before = {each.name for each in (build / "found").iterdir()}
    waiting = deque(enumerate(slices(hours, processes), start=time.time_ns() % 1_000_000))
    died: list[str] = []

    def work() -> None:
        while waiting:
            seed, (target, seconds) = waiting.popleft()
            said = build / f"slice-{seed}.log"
            with said.open("wb") as log:
                ended = subprocess.run(
                    [sys.executable, "-m", "tests.fuzz", "--slice", target, "--hours",
                     str(seconds / 3600), "--seed", str(seed), "--build", str(build)],
                    stdout=log, stderr=log, check=False, cwd=ROOT,
                )  # fmt: skip
            if ended.returncode:
                died.append(f"{target} ended with {ended.returncode}: {said}")
            else:
                said.unlink()

    began = time.monotonic()
    workers = [threading.Thread(target=work) for _ in range(processes)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    spent = (time.monotonic() - began) * processes / 3600
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    worked = (used.ru_utime + used.ru_stime) / 3600
    inputs, found = 0, set()
    for account in (build / "accounts").iterdir():
        told: dict[str, Any] = json.loads(account.read_text())
        inputs += told["inputs"]
        found |= set(told["found"])
    new = {each.name for each in (build / "found").iterdir()} - before
    print(
        f"{inputs:,} inputs in {spent:.2f} reader-hours ({worked:.2f} of processor time):"
        f" {len(found | new)} distinct findings, {len(new)} of them new"
    )
    for name in sorted(found | new):
        print(f"  {build / 'found' / name}")
    for each in died:
        print(f"  {each}")
    return 1 if found or new or died else 0


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--hours", type=float, required=True)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--build", type=Path, default=ROOT / "build/fuzz")
    parser.add_argument("--slice", help="one target, in this process")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.slice:
        run_slice(given.slice, given.hours * 3600, given.seed, given.build)
        return 0
    return hunt(given.hours, given.processes, given.build.resolve())


if __name__ == "__main__":
    sys.exit(main())
