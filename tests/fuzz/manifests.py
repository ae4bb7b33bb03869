"""The YAML files that people write, damaged: each is read, or refused in words with its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from studybook.claims import goals, published_tables, published_values
from studybook.dataset import definition
from studybook.dataset.manifest import read_run
from studybook.errors import StudyBookError
from tests.conftest import REPOSITORY
from tests.fuzz.damage import WAYS, Way
from tests.support import tea_house
from tests.support.work import CALLS, calls_counted

#: What stands in the place of a value.
VALUES = [
    "", "~", "true", "-1", "0", "1e300", ".inf", ".nan", "9" * 400, "1:30", "2024-02-30",
    "9999-12-31T23:59:59", "Europe", "[]", "{}", "[[x]]", "{x: y}", "*a", "&a x", "!!set {x}",
    "<<", "..", "/etc/passwd", "../../x", "*", "x" * 5000, "[" * 50, "'", '"\\0"', '"\\ud800"',
    "|", "- x", "a: b: c", "\t", "#", "%", "@x", "é\u2028", "<b>", "{{x}}", "[[x]]",
]  # fmt: skip


def _change_value(content: bytes, by: str, chance: Random) -> bytes:
    """Change what stands behind a key, or in an entry of a list."""
    lines = content.splitlines()
    places = [n for n, line in enumerate(lines) if b": " in line or line.strip().startswith(b"- ")]
    if not places:
        return content
    at = chance.choice(places)
    mark = b": " if b": " in lines[at] else b"- "
    before, _, _ = lines[at].partition(mark)
    lines[at] = before + mark + by.encode("utf-8", "replace")
    return b"\n".join(lines) + b"\n"


def _shift(content: bytes, by: int, chance: Random) -> bytes:
    """Indent a line by more or less than it is."""
    lines = content.splitlines() or [b""]
    at = chance.randrange(len(lines))
    lines[at] = b" " * by + lines[at] if by > 0 else lines[at][-by:]
    return b"\n".join(lines) + b"\n"


_OF_ANY_TEXT = {"cut", "lines", "bytes", "number", "one word", "each such word", "dates"}
#: The ways in which they get damaged.
WAYS_OF_YAML = [
    *(way for way in WAYS if way.name in _OF_ANY_TEXT),
    Way("value", VALUES, _change_value),
    Way("indented", [2, 1, -1, -2], _shift),
]


#: Letters of a message; and calls of functions for a byte.
LONGEST, CALLS_OF_YAML = 20_000, 500


@dataclass(frozen=True)
class Manifest:
    """A good file of a kind.

    Parameters
    ----------
    name : str
        As people call it.
    content : bytes
        The good one.
    place : str
        Where it lies in a book.
    read : callable
        Reads that of a book.
    """

    name: str
    content: bytes
    place: str
    read: Callable[[Path], object]


def _manifests() -> Iterator[Manifest]:
    page = (REPOSITORY / "docs/goals.md").read_text(encoding="utf-8")
    example = re.search(r"^goals:\n(?:[ -].*\n)+", page, re.MULTILINE)
    assert example, "the docs have an example of goals"
    yield Manifest(
        "goals.yml", example[0].replace("role: web", "role: kettle").encode(),
        f"pipelines/{tea_house.STUDY}/goals.yml",
        partial(goals.read_goals, study=tea_house.STUDY),
    )  # fmt: skip
    for study, definition_file in _studies():
        yield Manifest(
            f"study.yml of {study}", definition_file.read_bytes(), f"pipelines/{study}/study.yml",
            partial(definition.read_definition, study=study),
        )  # fmt: skip
        published = REPOSITORY / f"data/published/{study}.yml"
        yield Manifest(
            f"{study}.yml", published.read_bytes(), f"data/published/{study}.yml",
            partial(published_values.read_published, study=study),
        )  # fmt: skip
        tables = REPOSITORY / f"data/published/{study}/tables.yml"
        if tables.is_file():
            yield Manifest(
                f"tables.yml of {study}", tables.read_bytes(),
                f"data/published/{study}/tables.yml",
                partial(published_tables.content, study=study),
            )  # fmt: skip
        runs = REPOSITORY / "data/raw/reference" / study
        run = min(runs.glob("*/run.yml"), key=lambda path: path.stat().st_size)
        place = f"data/raw/reference/{study}/{run.parent.name}/run.yml"
        yield Manifest(f"run.yml of {study}", run.read_bytes(), place, partial(_run, place))


def _run(place: str, root: Path) -> object:
    return read_run(root / place)


def _studies() -> Iterator[tuple[str, Path]]:
    for path in sorted((REPOSITORY / "pipelines").glob("*/study.yml")):
        yield path.parent.name, path


MANIFESTS = tuple(_manifests())


def write_book(root: Path) -> None:
    """Write the words of all studies, which the other files may use."""
    tea_house.add_study(root)
    for study, path in _studies():
        place = root / f"pipelines/{study}/study.yml"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())


def is_read_or_refused(manifest: Manifest, content: bytes, root: Path) -> str:
    """Hold a file of any content to this: it is read, or refused by its name, in one pass.

    Parameters
    ----------
    manifest : Manifest
        What it is in the place of.
    content : bytes
        What it holds.
    root : pathlib.Path
        The book (:func:`write_book`); the file is as it was, afterwards.

    Returns
    -------
    str
        What was said of it, empty where it was read.
    """
    path = root / manifest.place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    said = ""
    try:
        with calls_counted() as calls:
            try:
                manifest.read(root)
            except StudyBookError as error:
                said = str(error)
    finally:
        path.write_bytes(manifest.content)
    assert not said or said.startswith(str(path)), said
    assert len(said) < LONGEST, said[:2000]
    size = len(content) + len(manifest.content)
    assert calls[0] <= CALLS + CALLS_OF_YAML * size, f"{calls[0]} calls for {size} bytes"
    return said
