"""Which checks a study is held against: those of the library, and its own.

Advice that speaks of roles or factors that only one study has stands with that study, in
``pipelines/<study>/advice.yml``: the document that gives it, and checks as those of the library are
made. A check with the name of one of the library takes its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from studybook.checked_yaml import Strict, line_of, read_yaml
from studybook.dataset.manifest import Name
from studybook.dataset.paths import project_root
from studybook.doctor import caches, cluster, database, disks, network, processors, volumes
from studybook.doctor.check import Check, Document
from studybook.errors import StudyBookError, did_you_mean
from studybook.formats.raw import sha256
from studybook.study import provenance

#: Name of the file in the folder of the study's own words.
FILE_NAME = "advice.yml"

#: The checks of the library, in the order in which they are shown.
CHECKS: tuple[Check, ...] = tuple(
    check
    for topic in (disks, caches, cluster, network, processors, volumes, database)
    for check in topic.CHECKS
)


class Cited(Strict):
    """The document that the advice is taken from; see :class:`studybook.doctor.check.Document`."""

    title: str
    short: str


class OwnCheck(Strict):
    """A check of one study; see :class:`studybook.doctor.check.Check`."""

    id: Name
    title: str
    advice: str
    place: str
    sql: str
    source: Literal["linux", "scale", ""] = ""
    table: str = ""
    capture: str = ""


def _each_once(checks: tuple[OwnCheck, ...]) -> tuple[OwnCheck, ...]:
    names = [check.id for check in checks]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"the id {', '.join(twice)} stands there twice")
    return checks


class Advice(Strict):
    """The advice of one study."""

    document: Cited
    effects: dict[Name, tuple[Name, ...]] = Field(default_factory=dict)
    """What keeping to advice brings: check, of the library's or its own, to claims of the study."""
    checks: Annotated[tuple[OwnCheck, ...], AfterValidator(_each_once)] = Field(min_length=1)


def place(root: Path, study: str) -> Path:
    """The file with the advice of a study, which need not be there."""
    return root / "pipelines" / study / FILE_NAME


def advised() -> Iterator[tuple[Path, str]]:
    """The studies of the book around the current folder that have such a file; none without one."""
    try:
        root = project_root()
    except StudyBookError:
        return
    for path in sorted((root / "pipelines").glob(f"*/{FILE_NAME}")):
        yield root, path.parent.name


def own_checks(root: Path, study: str) -> tuple[Check, ...]:
    """The checks that only this study has; none where it has no such file.

    Raises
    ------
    StudyBookError
        If the file is wrong.
    """
    path = place(root, study)
    if not path.is_file():
        return ()
    found = read_yaml(path, Advice)
    document = Document(found.document.title, found.document.short)
    return tuple(
        Check(
            **check.model_dump(), document=document,
            written=f"{path}, line {line_of(path, 'checks', number)}",
        )
        for number, check in enumerate(found.checks)
    )  # fmt: skip


def effects(root: Path, study: str) -> dict[str, tuple[str, ...]]:
    """What advice brings in a study: the id of a check to those of claims; none without its file.

    Raises
    ------
    StudyBookError
        If the file is wrong, or names a check that there is not.
    """
    path = place(root, study)
    if not path.is_file():
        return {}
    found = read_yaml(path, Advice)
    known = {*(check.id for check in CHECKS), *(check.id for check in found.checks)}
    if strange := sorted(found.effects.keys() - known):
        hint = did_you_mean(strange[0], known) or "see studybook doctor"
        raise StudyBookError(f"{path}: effects: there is no check {strange[0]!r}\n  → {hint}")
    return dict(found.effects)


def checks(study: str) -> tuple[Check, ...]:
    """The checks that a study is held against; a notebook that asks is noted to have used them.

    Raises
    ------
    StudyBookError
        If the study's own advice is wrong.
    """
    root = project_root()
    own = {check.id: check for check in own_checks(root, study)}
    if own:
        path = place(root, study)
        title = next(iter(own.values())).document.title
        provenance.note_published(path.relative_to(root).as_posix(), sha256(path), title)
    replaced = tuple(own.pop(check.id, check) for check in CHECKS)
    return (*replaced, *own.values())
