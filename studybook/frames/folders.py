"""Two folders of raw files as the two sides of a comparison, without a book.

They are loaded into a book that lives as long as the comparison, grouped into runs as ``studybook
add`` groups them: the runs of a side are its repetitions. The folders are only read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import product
from pathlib import Path
from zoneinfo import ZoneInfo

import yaml

from studybook.checked_yaml import read_keys
from studybook.dataset.definition import Definition, place, read_definition
from studybook.dataset.inventory import take_inventory
from studybook.dataset.manifest import FILE_NAME
from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError
from studybook.frames.evidence import read_evidence
from studybook.frames.side import Side
from studybook.intake.ahead import files_ahead
from studybook.intake.before import Before
from studybook.intake.look import Look, files_below, look_at
from studybook.intake.manifests import Says, new_runs
from studybook.intake.runs import Group, group
from studybook.intake.write import write_runs
from studybook.process.scratch import scratch
from studybook.records.load import update
from studybook.study.scope import Scope
from studybook.study.study import Study

#: The study, and the data set, of the book that is made.
NAME = "two-folders"

#: So far is the local time of any zone ahead of UTC, and behind it.
_EAST, _WEST = timedelta(hours=14), timedelta(hours=12)


@contextmanager
def folders_as_sides(
    before: Path,
    after: Path,
    time_zone: str | None = None,
    study: tuple[Path, str] | None = None,
) -> Iterator[tuple[Side, Side, list[str]]]:
    """Load two folders as the sides ``before`` and ``after``.

    Parameters
    ----------
    before, after : pathlib.Path
        The folders; files below them are taken, too.
    time_zone : str, optional
        That of local times; else they are taken as UTC, on both sides alike.
    study : tuple of pathlib.Path and str, optional
        A book, and a study of it by whose tables files are mapped that no reader knows.

    Yields
    ------
    tuple of Side, Side and list of str
        The sides, and the files that were left aside, each with the reason.

    Raises
    ------
    StudyBookError
        If a folder holds no raw file of a known format, or it cannot be told of what run they are.
    """
    says = Says(NAME, "measured", time_zone or "UTC", zone_stated=time_zone is not None)
    with scratch() as root:
        (root / "_config.yml").write_text("title: Two folders\n", encoding="utf-8")
        _take_tables(root, study)
        data_set = DataSet(NAME, root)
        aside: list[str] = []
        excluded: dict[str, str] = {}
        runs = {
            side: _add(data_set, says, side, folder, aside, excluded)
            for side, folder in (("before", before), ("after", after))
        }
        inventory = take_inventory(data_set)
        update(data_set.database, inventory, inventory.sources())
        evidence = read_evidence(Study(Scope(NAME, {}), data_set.database, root))
        evidence = replace(evidence, excluded=excluded)
        first, second = (Side(side, evidence, names) for side, names in runs.items())
        yield first, second, aside


def _add(
    data_set: DataSet,
    says: Says,
    side: str,
    folder: Path,
    aside: list[str],
    excluded: dict[str, str],
) -> tuple[str, ...]:
    """Put the runs of a folder into the book, and return their ids.

    What is left aside is added, and what a person has excluded.
    """
    if not folder.is_dir():
        raise StudyBookError(f"{folder}: is no folder\n  → name the folder of the raw files")
    below, words = Look(), read_definition(data_set.root, NAME) or Definition()
    tables = partial(words.table_of, time_zone=says.time_zone)
    files = list(files_below(folder, below.aside, below.refused))
    not_counting = _excluded(folder, below.refused)
    excluded |= {str(run): why for run, why in not_counting.items()}
    counting = [each for each in files if not_counting.keys().isdisjoint(each[0].parents)]
    look = look_at(counting, tables=tables)
    cannot = [each.why for each in look.unread]
    left = [*below.aside, *below.refused, *look.aside, *cannot, *look.refused, *look.unknown]
    groups = [
        replace(each, folder=side if each.folder == "." else f"{side}/{each.folder}")
        for each in group(look.seen, ZoneInfo(says.time_zone))
    ]
    if not says.zone_stated:
        _refuse_other_clocks(folder, groups)
    runs = new_runs(groups, side, says, Before(words))
    if not runs:
        told = [f"{run} does not count: {why}" for run, why in not_counting.items()] + left
        why = f"\n{told[0]}" if told else ""
        raise StudyBookError(
            f"{folder}: holds no raw file of a known format{why}\n  → studybook inspect FILE says"
            " what a file is"
        )
    aside += left
    write_runs(data_set, runs, NAME, files_ahead(data_set.raw / NAME, runs, tables), link=True)
    return tuple(f"{NAME}/{each.name}" for each in runs)


def _excluded(folder: Path, left: list[str]) -> dict[Path, str]:
    """The folders of runs that a person has excluded, by their manifests, and why.

    Nothing else of a manifest is taken over: it may be of another tool, or of a folder elsewhere.
    Where one cannot be read, that is added to what is left.
    """
    found = {}
    for manifest in sorted(folder.rglob(FILE_NAME)):
        try:
            told = read_keys(manifest)
        except StudyBookError as error:
            left.append(str(error))
            continue
        if why := told.get("excluded") if isinstance(told, dict) else None:
            found[manifest.parent] = " ".join(str(why).split())
    return found


def _take_tables(root: Path, study: tuple[Path, str] | None) -> None:
    """Give the book the tables of a study, and the metrics that their columns become."""
    if not study or not (words := read_definition(*study)) or not words.tables:
        return
    said = yaml.safe_load(place(*study).read_text(encoding="utf-8"))
    kept = {key: said[key] for key in ("tables", "metrics") if key in said}
    place(root, NAME).parent.mkdir(parents=True)
    place(root, NAME).write_text(yaml.safe_dump(kept), encoding="utf-8")
    words.model_copy(update={"study": NAME}).use()


def _refuse_other_clocks(folder: Path, groups: Sequence[Group]) -> None:
    """Refuse runs that may be one, by a zone of local times: they have no format in common."""
    told: dict[bool, list[tuple[Group, set[str], datetime, datetime]]] = {True: [], False: []}
    for run in groups:
        clocks = {each.clock == "UTC" for each in run.files if each.clock}
        # One that has both tells which zone it is.
        if run.span and len(clocks) == 1:
            told[clocks.pop()].append((run, {each.format for each in run.files}, *run.span))
    for (one, formats, first, last), (other, others, begin, end) in product(*told.values()):
        if not formats & others and begin - _EAST <= last and end + _WEST >= first:
            raise StudyBookError(
                f"{folder}: {one.files[0].name} and {other.files[0].name} are of two runs if local"
                " times are UTC, and perhaps of one\n  → say which zone local times are of:"
                " --time-zone Europe/Berlin; or UTC, if they are"
            )
