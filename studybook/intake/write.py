"""Putting runs into a data set: their folders, the files in them, and those that have grown."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from studybook.dataset.manifest import FILE_NAME, read_run
from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError
from studybook.formats.raw import sha256
from studybook.intake.ahead import Ahead
from studybook.intake.look import Seen, Unread
from studybook.intake.manifests import NewRun


class Written(NamedTuple):
    """Names of runs, by what became of them; of those with other files, what is another."""

    added: list[str]
    there: list[str]
    grown: list[str]
    others: dict[str, str]


def write_runs(
    data_set: DataSet,
    runs: Sequence[NewRun],
    study: str,
    ahead: Mapping[str, Ahead],
    *,
    link: bool = False,
) -> Written:
    """Put runs into a data set: all that are not there with other files, or none.

    Parameters
    ----------
    data_set : DataSet
        Its folders need not be there.
    runs : sequence of NewRun
        The runs.
    study : str
        Name of their study.
    ahead : mapping
        What of them is there; see :func:`~studybook.intake.ahead.files_ahead`.
    link : bool
        Whether files stay where they are, and only links to them are made.

    Returns
    -------
    Written
        Names of the runs that were added, that are there already with equal files, and that are
        there and have the files now as they have grown since; and those that stay as they are.

    Raises
    ------
    StudyBookError
        If the only runs that are there have other files, or something cannot be written.
    """
    new = [run for run in runs if ahead[run.name] is None]
    grown = {name: files for name, files in ahead.items() if files and not isinstance(files, str)}
    others = {name: how for name, how in ahead.items() if isinstance(how, str)}
    there = [name for name, files in ahead.items() if files == []]
    if others and not (there or grown):  # perhaps all of it is of another study
        raise StudyBookError(
            f"{data_set.raw / study}: holds other runs of these names:\n"
            + "".join(f"  {name}: {how}\n" for name, how in others.items())
            + "  → remove them, or name another study by --study"
        )
    made: list[Path] = []
    try:
        data_set.build.mkdir(parents=True, exist_ok=True)
        place = Path(mkdtemp(prefix="adding-", dir=data_set.build))
        try:
            for run in new:
                _make(place / study / run.name, run, link=link)
            anew: list[tuple[Path, Path]] = []
            for each, target in (pair for files in grown.values() for pair in files):
                anew.append((place / str(len(anew)), target))
                _copy(each, anew[-1][0], link=link)
            (data_set.raw / study).mkdir(parents=True, exist_ok=True)
            for run in new:
                target = data_set.raw / study / run.name
                (place / study / run.name).rename(target)
                made.append(target)
            for copy, target in anew:
                target.parent.mkdir(parents=True, exist_ok=True)
                copy.replace(target)
        except BaseException:
            for target in made:
                shutil.rmtree(target, ignore_errors=True)
            raise
        finally:
            shutil.rmtree(place, ignore_errors=True)
    except OSError as error:
        # Of a copy that fails, the first name is that of the file that is read.
        place = error.filename2 or error.filename or data_set.raw
        raise StudyBookError(
            f"{place}: cannot be written: {error.strerror}\nnothing was added\n"
            "  → see whether there is room, and who may write there, and add again"
        ) from error
    return Written([run.name for run in new], there, [*grown], others)


def _make(folder: Path, run: NewRun, *, link: bool) -> None:
    folder.mkdir(parents=True)
    for each in run.group.all_files:
        target = folder / run.paths[each.name]
        target.parent.mkdir(parents=True, exist_ok=True)
        _copy(each, target, link=link)
    manifest = folder / FILE_NAME
    manifest.write_text(run.text, encoding="utf-8")
    read_run(manifest)  # what is written can be read


def _copy(seen: Seen | Unread, target: Path, *, link: bool) -> None:
    if link:
        target.symlink_to(seen.path.resolve())
        return
    shutil.copyfile(seen.path, target)
    if sha256(target) != seen.sha256:
        raise StudyBookError(f"{seen.path}: has changed meanwhile\n  → add it again")
