"""Files that are added again, and go on beyond those that a run has."""

from __future__ import annotations

from pathlib import Path

from studybook.checked_yaml import read_yaml
from studybook.dataset.manifest import FILE_NAME, Run
from studybook.errors import StudyBookError
from studybook.formats.raw import sha256
from studybook.intake.look import Seen, look_at
from studybook.intake.manifests import NewRun


def files_ahead(folder: Path, run: NewRun) -> list[tuple[Seen, Path]] | None:
    """The files of a run that go on beyond those in its folder, and where these lie.

    Parameters
    ----------
    folder : pathlib.Path
        The folder; it need not be there.
    run : NewRun
        The run.

    Returns
    -------
    list or None
        Empty where the folder holds equal files; None where one of them is another file.
    """
    found = []
    try:
        if {file.path for file in read_yaml(folder / FILE_NAME, Run).files} != {
            *run.paths.values()
        }:
            return None
        for each in run.group.files:
            target = folder / run.paths[each.name]
            if sha256(target) == each.sha256:
                continue
            if not _goes_on(each, target):
                return None
            found.append((each, target))
    except (OSError, StudyBookError):
        return None
    return found


def _goes_on(seen: Seen, there: Path) -> bool:
    """Whether a file is one that is there, and more: its beginning, or a longer recording."""
    if _begins_with(seen.path, there):
        return True
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
