"""Going on with damage until something is found: what is tried, what is kept, what is told.

A target is what damaged files are handed to: the readers of raw files, and each kind of file that
people write. A hunt of one target runs in a process of its own, which may die of what it finds.
"""

from __future__ import annotations

import hashlib
import json
import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from studybook.errors import Refused
from studybook.formats import read
from tests.conftest import samples_folder
from tests.fuzz.damage import WAYS, Way, damage
from tests.fuzz.manifests import MANIFESTS, WAYS_OF_YAML, Manifest, is_read_or_refused, write_book
from tests.fuzz.properties import (
    counts_once_or_is_said,
    counts_once_or_is_said_behind_a_cut_one,
    gives_nothing_else_when_cut,
    gives_the_same_however_stored,
    stored,
    survives,
)
from tests.support.fixtures import ONE_OF_EACH, READABLE, short

#: Larger files are left out: they take long, and hold the same again and again.
MOST_BYTES = 64 * 1024

#: Of a whole file, so many bytes may be cut off.
LAST = 200

#: Of the samples: the options that a run prints one by one, in one value.
COLLECTED = {("ior_test", "options")}

#: Of what was tried, so much is kept to be damaged further.
MOST_KEPT = 5000


def sample_files() -> Iterator[Path]:
    """The files that cannot be committed, where they are at hand."""
    for path in sorted(samples_folder().rglob("*")):
        if path.is_file() and 0 < path.stat().st_size <= MOST_BYTES:
            yield path


WHOLE = [*READABLE, *sample_files()]


@dataclass(frozen=True)
class Target:
    """What damaged files are handed to.

    Parameters
    ----------
    name : str
        Of it.
    seeds : sequence of bytes
        Good files.
    ways : sequence of Way
        How they are damaged.
    hold : callable
        Holds a content to what must hold; is handed a folder to write into, and returns what
        became of it.
    """

    name: str
    seeds: Sequence[bytes]
    ways: Sequence[Way]
    hold: Callable[[bytes, Path], str]


def targets() -> dict[str, Target]:
    """All targets, by name; the first are the readers."""
    raw = [path.read_bytes() for path in WHOLE]
    readers = Target("raw files", raw, WAYS, lambda data, folder: survives(stored(folder, data)))
    manifests = [
        Target(each.name, [each.content], WAYS_OF_YAML, partial(_hold, each)) for each in MANIFESTS
    ]
    return {target.name: target for target in (readers, *manifests)}


def _hold(manifest: Manifest, data: bytes, folder: Path) -> str:
    if not (folder / "pipelines").is_dir():
        write_book(folder)
    return re.sub(r"\d+|'[^']*'", "0", is_read_or_refused(manifest, data, folder))


@dataclass
class Hunt:
    """One process's share: counts what it tries, and writes down what it finds.

    Parameters
    ----------
    folder : pathlib.Path
        Where findings go, each into a folder that is named by what failed where.
    scratch : pathlib.Path
        Where damaged files are written.
    """

    folder: Path
    scratch: Path
    inputs: int = 0
    found: set[str] = field(default_factory=set)
    ends: set[str] = field(default_factory=set)
    kept: dict[str, list[bytes]] = field(default_factory=dict)

    def hold(self, target: Target, data: bytes) -> str:
        """Try one input; what became of it, empty where something was found."""
        self.inputs += 1
        try:
            return target.hold(data, self.scratch)
        except Exception as error:
            self.note(target.name, error, data)
            return ""

    def note(self, of: str, error: BaseException, data: bytes) -> None:
        """Write down what was found: the first input for each place where something failed."""
        cause = error.__cause__ or error
        frames = traceback.extract_tb(cause.__traceback__)
        place = next((f for f in reversed(frames) if "/studybook/" in f.filename), frames[-1])
        said = re.sub(r"\d+|'[^']*'", "0", str(cause))[:80]
        at = f"{Path(place.filename).name} {place.name} {place.line}"
        mark = hashlib.sha256(f"{type(cause).__name__} {at} {said}".encode()).hexdigest()[:12]
        self.found.add(mark)
        folder = self.folder / mark
        if not folder.is_dir():
            folder.mkdir(parents=True)
            (folder / "input").write_bytes(data)
            told = "".join(traceback.format_exception(error))
            (folder / "told.txt").write_text(f"{of}\n{told}", encoding="utf-8", errors="replace")

    def tell(self, path: Path) -> None:
        """Write down how much was tried."""
        path.write_text(json.dumps({"inputs": self.inputs, "found": sorted(self.found)}))


def by_chance(hunt: Hunt, target: Target, chance: Random) -> None:
    """Damage one of the files by chance; keep what comes to an end that was not seen before."""
    kept = hunt.kept.setdefault(target.name, list(target.seeds))
    data = damage(chance.choice(kept), target.ways, chance).content[:MOST_BYTES]
    became = hunt.hold(target, data)
    if became not in hunt.ends and len(kept) < MOST_KEPT:
        hunt.ends.add(became)
        kept.append(data)


def sweep(hunt: Hunt, chance: Random) -> None:
    """Cut a file that is whole, store it otherwise, or append it to itself."""
    path = chance.choice(WHOLE)
    hunt.inputs += 1
    try:
        read(path, lambda *_: None)
    except Refused:
        return
    try:
        if chance.random() < 0.8:
            size = path.stat().st_size
            ends = sorted(size - chance.randrange(1, min(LAST, size)) for _ in range(20))
            gives_nothing_else_when_cut(path, ends, hunt.scratch, COLLECTED)
        elif path in ONE_OF_EACH.values():
            gives_the_same_however_stored(path, hunt.scratch)
        elif chance.random() < 0.5:
            counts_once_or_is_said(path, hunt.scratch)
        else:
            at = chance.uniform(0.1, 0.95)
            counts_once_or_is_said_behind_a_cut_one(path, hunt.scratch, at)
    except Exception as error:
        hunt.note(short(path), error, path.read_bytes())
