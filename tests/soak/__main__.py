"""``make soak KILLS=n``: commands are killed at random points, one after another.

After each kill the last good state must be there to be read; the next command must complete, with
what it would have made without the kill, and nothing may be left behind, in shared memory neither.
What does not hold stands below ``build/soak``; then it ends with exit code 1. Beside others who
work with Python on the machine, give it shared memory of its own, or theirs is taken for left:
``unshare --mount sh -c 'mount -t tmpfs none /dev/shm; make soak'``, as root.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random

import duckdb
import psutil

from tests.support.dask import dask
from tests.support.lab import BEGIN, LENGTH, add_run, jtl, requests, sar
from tests.support.processes import is_there, wait_until

ROOT = Path(__file__).resolve().parents[2]

DATA_SET = ("--data-set", "mine")
#: How often each command is taken: the longer it takes, the rarer.
COMMANDS = {"load": 8, "figures": 4, "book": 3}
#: Who is killed: all at once, the command alone, or one of the processes that it started.
VICTIMS = {"all": 6, "command": 3, "child": 2}
#: On Dask: the processes that work there have others that watch them.
VICTIMS_ON_DASK = {
    "all": 3,
    "command": 2,
    "a worker": 4,
    "a worker and its nanny": 2,
    "scheduler": 2,
}
#: What is gone of a cluster with them does not come back.
ENDS_CLUSTER = {"a worker and its nanny", "scheduler"}
#: Longer than any command takes here: it hangs.
MOST_S = 1200
#: Folders for a while are left alone as long as they may be in use.
OLD_S = 3600

QUERY = "SELECT count(*), sum(elapsed_ms)::BIGINT FROM jtl_sample"


class Broken(Exception):
    """What does not hold."""


@dataclass
class Book:
    """An invented book whose data are of one of two contents.

    Parameters
    ----------
    root : pathlib.Path
        Its folder.
    scratch : pathlib.Path
        The temporary folder of its commands.
    """

    root: Path
    scratch: Path
    content: int = 0
    expected: dict[tuple[str, int], str] = field(default_factory=dict)
    took: dict[str, float] = field(default_factory=dict)
    rows: dict[int, tuple[int, ...]] = field(default_factory=dict)

    @property
    def build(self) -> Path:
        """What is made of the data."""
        return self.root / "build/mine"

    def write(self) -> None:
        """Write it anew."""
        self.scratch.mkdir(parents=True)
        self.root.parent.mkdir(parents=True, exist_ok=True)
        made = [sys.executable, "-m", "studybook", "new", self.root.name]
        subprocess.run(made, cwd=self.root.parent, check=True, capture_output=True)
        for run in range(3):
            begin = BEGIN + timedelta(hours=run)
            sent = requests(ms=lambda _, noise, run=run: noise.uniform(80 + run, 120))
            add_run(
                self.root, f"run-{run}",
                {"results.jtl": jtl(sent, begin=begin), "sar.txt": sar(begin=begin)},
            )  # fmt: skip

    def change(self) -> None:
        """Give it the other content."""
        self.content = 1 - self.content
        path = self.root / "data/raw/mine/lab/run-0/results.jtl"
        path.write_text(jtl(requests(0, LENGTH - 60 * self.content)))

    def start(self, command: str, *more: str) -> subprocess.Popen[str]:
        """Start a command, in a group of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "studybook", command, *DATA_SET, *more],
            cwd=self.root, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            start_new_session=True, env=os.environ | {"TMPDIR": str(self.scratch)},
        )  # fmt: skip

    def complete(self, command: str, *more: str) -> None:
        """Run a command to its end."""
        process = self.start(command, *more)
        said = ended(process)
        if process.returncode:
            raise Broken(f"the next {command} ended with {process.returncode}: {said}")

    def made(self, command: str) -> str:
        """Hash of all that a command makes, but for what has the time in it."""
        parts = ["records", "models"] if command == "load" else ["records", "models", "figures"]
        digest = hashlib.sha256()
        for part in parts:
            for path in sorted((self.build / part).rglob("*")):
                if path.suffix in (".parquet", ".csv", ".svg"):
                    digest.update(path.relative_to(self.build).as_posix().encode())
                    digest.update(hashlib.sha256(path.read_bytes()).digest())
        if command == "book":
            pages = sorted(
                path.relative_to(self.build).as_posix()
                for path in self.build.glob("html/**/*.html")
            )
            digest.update("\n".join(pages).encode())
        return digest.hexdigest()

    def asked(self) -> tuple[int, ...]:
        """What the database says."""
        with duckdb.connect(self.build / "study.duckdb", read_only=True) as connection:
            (row,) = connection.execute(QUERY).fetchall()
        return tuple(row)

    def learn(self, commands: list[str]) -> None:
        """Make everything of both contents, and note what it is and how long it takes."""
        for _ in range(2):
            self.change()
            self.complete("load")  # what was read of the other content stays
        for _ in range(2):
            self.change()
            for command in commands:
                begun = time.monotonic()
                self.complete(command)
                took = time.monotonic() - begun
                self.took[command] = max(self.took.get(command, 0), took)
                self.expected[command, self.content] = self.made(command)
            self.rows[self.content] = self.asked()

    def left(self) -> list[str]:
        """What is there that no command needs."""
        found = [*self.build.glob("loading-*"), *self.build.glob("*.tmp*"), *self.scratch.iterdir()]
        return [str(path) for path in found]


def ended(process: subprocess.Popen[str]) -> str:
    """Wait for its end; what it said, which is in words."""
    try:
        _, said = process.communicate(timeout=MOST_S)
    except subprocess.TimeoutExpired as error:
        os.killpg(process.pid, signal.SIGKILL)
        raise Broken(f"{process.args} hangs") from error
    if "Traceback" in said:
        raise Broken(said)
    return said


@dataclass
class Cluster:
    """A Dask cluster, started anew where it was killed.

    Parameters
    ----------
    folder : pathlib.Path
        Of its files.
    """

    folder: Path
    where: str = ""
    scheduler: int = 0
    stack: ExitStack = field(default_factory=ExitStack)

    def start(self) -> None:
        """Start it, if it is not there."""
        if not self.where:
            self.folder.mkdir(parents=True)
            self.where, self.scheduler = self.stack.enter_context(dask(self.folder))

    def stop(self) -> None:
        """End it."""
        self.stack.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.where = ""

    def nannies(self) -> list[psutil.Process]:
        """Those that start a worker each, and watch it."""
        return [
            each for each in psutil.Process().children()
            if "distributed.cli.dask_worker" in " ".join(each.cmdline())
        ]  # fmt: skip

    def kill(self, victim: str, chance: Random) -> None:
        """Kill a part of it."""
        nanny = chance.choice(self.nannies())
        if victim == "scheduler":
            psutil.Process(self.scheduler).kill()
            return
        if victim in ENDS_CLUSTER:
            nanny.suspend()  # it would start another
        for each in nanny.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                each.kill()
        if victim in ENDS_CLUSTER:
            nanny.kill()


def one_kill(
    book: Book, command: str, victim: str, chance: Random, cluster: Cluster | None = None
) -> bool:
    """Start a command, kill, look; whether it was in time.

    Parameters
    ----------
    book : Book
        The book.
    command, victim : str
        What is killed, and who of it.
    chance : random.Random
        When.
    cluster : Cluster, optional
        Where it works.
    """
    before = shared_memory()
    more = ["--scheduler", cluster.where] if cluster else []
    book.change()
    process = book.start(command, *more)
    time.sleep(chance.uniform(0.1, 1) * book.took[command])
    in_time = process.poll() is None
    family: list[psutil.Process] = []
    if in_time:
        main = psutil.Process(process.pid)
        family = main.children(recursive=True)
        if victim == "all":
            os.killpg(process.pid, signal.SIGKILL)
        elif cluster and victim != "command":
            cluster.kill(victim, chance)
        elif victim == "child" and family:
            with suppress(psutil.NoSuchProcess):
                chance.choice(family).kill()
        else:
            main.kill()
    ended(process)
    if cluster and victim in ENDS_CLUSTER:
        cluster.stop()
        before = shared_memory()  # of Dask's own nannies, whom nobody could ask to end
        cluster.start()
        more = ["--scheduler", cluster.where]
    # They end with the one that started them.
    wait_until(lambda: not any(is_there(each.pid) for each in family))
    known = set(book.rows.values())
    if (found := book.asked()) not in known:
        raise Broken(f"the database says {found}, and was one of {known}")
    for each in book.scratch.iterdir():
        os.utime(each, (time.time() - OLD_S,) * 2)
    book.complete(command, *more)
    if (found := book.asked()) != book.rows[book.content]:
        raise Broken(f"the database says {found} after the next {command}")
    if book.made(command) != book.expected[command, book.content]:
        raise Broken(f"the next {command} made something else")
    if left := book.left():
        raise Broken(f"left behind: {', '.join(left)}")
    if left := sorted(each for each in shared_memory() - before if not _is_mapped(each)):
        raise Broken(f"left in shared memory: {', '.join(left)}")
    return in_time


def shared_memory() -> set[str]:
    """What stands in shared memory."""
    return {path.name for path in Path("/dev/shm").iterdir()}  # noqa: S108


def soak(kills: int, on_dask: int, only: list[str], seed: int, build: Path) -> int:
    """Kill so many times, tell what was found; 1 where something was."""
    chance = Random(seed)  # noqa: S311 - no secret
    build.mkdir(parents=True, exist_ok=True)
    counts, broken, late = Counter[str](), [], 0
    os.environ["DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT"] = "5s"
    with tempfile.TemporaryDirectory(prefix="soak-", dir=build) as folder, ExitStack() as stack:
        book = Book(Path(folder) / "books/lab", Path(folder) / "tmp")
        book.write()
        book.learn(only)
        cluster = Cluster(Path(folder) / "dask")
        stack.callback(cluster.stop)
        for number in _until(kills, counts):
            there = cluster if number >= kills - on_dask else None
            if there:
                there.start()
            victims = VICTIMS_ON_DASK if there else VICTIMS
            (command,) = chance.choices(only, [COMMANDS[each] for each in only])
            (victim,) = chance.choices(list(victims), list(victims.values()))
            what = f"{command}{' on Dask' if there else ''}, {victim}"
            try:
                if one_kill(book, command, victim, chance, there):
                    counts[what] += 1
                else:
                    late += 1
                    book.took[command] *= 0.9  # the machine was busier when it was learnt
            except Broken as error:
                counts[what] += 1
                broken.append(f"{number}: {what}: {error}")
                print(broken[-1], flush=True)
                cluster.stop()  # the next has one that is whole
            (build / "account.txt").write_text(_account(counts, late, broken))
    (build / "account.txt").write_text(_account(counts, late, broken))
    print(_account(counts, late, broken), end="")
    return 1 if broken else 0


def _until(kills: int, counts: Counter[str]) -> Iterator[int]:
    while (number := counts.total()) < kills:
        yield number


def _account(counts: Counter[str], late: int, broken: list[str]) -> str:
    lines = [f"{counts.total()} kills, {len(broken)} broken; {late} came too late"]
    lines += [f"  {number:4} {what}" for what, number in sorted(counts.items())]
    return "\n".join([*lines, *broken]) + "\n"


def _is_mapped(name: str) -> bool:
    """Whether another process has it, such as one of another user's."""
    for maps in Path("/proc").glob("[0-9]*/maps"):
        try:
            if f"/dev/shm/{name}" in maps.read_text():  # noqa: S108
                return True
        except OSError:
            continue
    return False


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--kills", type=int, required=True)
    parser.add_argument("--on-dask", type=int, help="how many of them; a fifth, if not said")
    parser.add_argument("--only", choices=COMMANDS, action="append")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    parser.add_argument("--build", type=Path, default=ROOT / "build/soak")
    given = parser.parse_args()
    on_dask = given.kills // 5 if given.on_dask is None else given.on_dask
    return soak(
        given.kills, on_dask, given.only or list(COMMANDS), given.seed, given.build.resolve()
    )


if __name__ == "__main__":
    sys.exit(main())
