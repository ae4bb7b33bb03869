"""Files that are added again, and go on beyond those that a run has."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from studybook.checked_yaml import read_yaml
from studybook.dataset.manifest import FILE_NAME, Run
from studybook.errors import StudyBookError
from studybook.intake.look import Seen, Tables, Unread, look_at
from studybook.intake.manifests import NewRun
from studybook.memory import content_sha256
from studybook.text import few

#: Files, and where those lie beyond which they go on; in words, what the run of that name has that
#: is another; None where there is no such run.
Ahead = list[tuple[Seen | Unread, Path]] | str | None


def files_ahead(
    study: Path, runs: Sequence[NewRun], tables: Tables = lambda _name: None
) -> dict[str, Ahead]:
    """The files of runs that go on beyond those of a study, by the names of the runs.

    Parameters
    ----------
    study : pathlib.Path
        The folder of the study's runs; it need not be there.
    runs : sequence of NewRun
        The runs.
    tables : callable, optional
        As of :func:`~studybook.intake.look.look_at`.

    Returns
    -------
    dict
        Empty lists where a run is there with equal files, but for such as cannot be read.
    """
    return {run.name: _ahead(study / run.name, run, tables) for run in runs}


def _ahead(folder: Path, run: NewRun, tables: Tables) -> Ahead:
    if not folder.exists():
        return None
    found: list[tuple[Seen | Unread, Path]] = []
    try:
        listed = {file.path for file in read_yaml(folder / FILE_NAME, Run).files}
        wanted = {run.paths[each.name] for each in run.group.files}
        unread = {run.paths[each.name] for each in run.group.unread}
        if more := sorted(wanted - listed):
            return f"it has no {few(more, 3)}"
        beyond = sorted(listed - wanted - unread)
        if less := [path for path in beyond if _can_be_read(folder / path, tables)]:
            return f"it has {few(less, 3)} besides"
        for each in run.group.all_files:
            target = folder / run.paths[each.name]
            if target.is_file() and content_sha256(target) == each.sha256:
                continue
            if isinstance(each, Unread):
                # What was made whole there stays, and so does what lies there and is not listed.
                if not (target.is_file() and _can_be_read(target, tables)):
                    found.append((each, target))
            elif _goes_on(each, target, tables):
                found.append((each, target))
            else:
                return f"its {run.paths[each.name]} is another file"
    except (OSError, StudyBookError) as error:
        return f"its files cannot be told: {str(error).splitlines()[0]}"
    return found


def _can_be_read(path: Path, tables: Tables) -> bool:
    return bool(look_at([(path, path.name)], tables=tables).seen)


def _goes_on(seen: Seen, there: Path, tables: Tables) -> bool:
    """Whether a file is more than the one that is there, and loses nothing of it.

    It has that at its beginning, or goes on for longer; or it can be read, and that cannot be.
    """
    if _begins_with(seen.path, there):
        return True
    before = look_at([(there, there.name)], date_order=seen.date_order, tables=tables).seen
    return not before or (
        not seen.is_driver
        and any(
            (each.format, each.hosts, each.first) == (seen.format, seen.hosts, seen.first)
            and each.last is not None
            and seen.last is not None
            and each.last < seen.last
            for each in before
        )
    )


def _begins_with(path: Path, beginning: Path) -> bool:
    """Whether a file holds another one at its beginning, and goes on."""
    if path.stat().st_size <= beginning.stat().st_size:
        return False
    with path.open("rb") as whole, beginning.open("rb") as part:
        while block := part.read(1 << 20):
            if whole.read(len(block)) != block:
                return False
    return True
