"""Files that are added again, and go on beyond those that a run has."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from studybook.checked_yaml import read_yaml
from studybook.dataset.manifest import FILE_NAME, Run
from studybook.errors import StudyBookError
from studybook.formats.raw import sha256
from studybook.intake.look import Seen, Unread, look_at
from studybook.intake.manifests import NewRun

#: Files, and where those lie beyond which they go on; None of a run that is not there.
Ahead = list[tuple[Seen | Unread, Path]] | None


def files_ahead(study: Path, runs: Sequence[NewRun]) -> dict[str, Ahead]:
    """The files of runs that go on beyond those of a study, by the names of the runs.

    Parameters
    ----------
    study : pathlib.Path
        The folder of the study's runs; it need not be there.
    runs : sequence of NewRun
        The runs.

    Returns
    -------
    dict
        Empty lists where a run is there with equal files; None where it has another one.
    """
    return {run.name: _ahead(study / run.name, run) for run in runs}


def _ahead(folder: Path, run: NewRun) -> Ahead:
    found: list[tuple[Seen | Unread, Path]] = []
    try:
        listed = {file.path for file in read_yaml(folder / FILE_NAME, Run).files}
        unread = {run.paths[each.name] for each in run.group.unread}
        if listed - unread != {run.paths[each.name] for each in run.group.files} - unread:
            return None
        for each in run.group.all_files:
            target = folder / run.paths[each.name]
            if run.paths[each.name] not in listed or sha256(target) == each.sha256:
                continue
            if not _goes_on(each, target):
                return None
            found.append((each, target))
    except (OSError, StudyBookError):
        return None
    return found


def _goes_on(seen: Seen | Unread, there: Path) -> bool:
    """Whether a file is one that is there, and more: its beginning, or a longer recording."""
    if _begins_with(seen.path, there):
        return True
    if isinstance(seen, Unread):
        return False
    before = look_at([(there, there.name)], date_order=seen.date_order).seen
    return not seen.is_driver and any(
        (each.format, each.hosts, each.first) == (seen.format, seen.hosts, seen.first)
        and each.last is not None
        and seen.last is not None
        and each.last < seen.last
        for each in before
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
