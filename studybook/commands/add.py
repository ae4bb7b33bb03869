"""The verb ``add``."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import click

from studybook.commands._shared import (
    DATE_ORDERS,
    data_set_option,
    option_of,
    progress,
    stated_zone,
    study_name,
    work_alone,
)
from studybook.text import counted, few

if TYPE_CHECKING:
    from datetime import datetime

    from studybook.dataset.definition import Definition
    from studybook.dataset.paths import DataSet
    from studybook.formats.contract import DateOrder
    from studybook.intake.fetch import There
    from studybook.intake.look import Look, Seen, Unread
    from studybook.intake.manifests import NewRun, Says
    from studybook.intake.write import Written

#: Kinds of tables for which lines are offered; the others are only counted.
SHOWN = 20

#: More runs that are there already are only counted.
NAMED = 10


def _as_folders(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    """Refuse a pattern of names of folders that is none."""
    from studybook.dataset.folder_names import pattern_of

    try:
        if text is not None:
            pattern_of(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return text


@click.command()
@click.argument("folder")
@data_set_option
@click.option("--study", help="Name of the study.  [default: the book's only one, else FOLDER's]")
@click.option(
    "--origin",
    type=click.Choice(["measured", "simulated", "published"]),
    default="measured",
    show_default=True,
    help="Where the data come from.",
)
@click.option(
    "--time-zone",
    metavar="ZONE",
    callback=stated_zone,
    help="Zone of local times in the files, such as Europe/Berlin.  [default: UTC, as a guess]",
)
@click.option(
    "--date-order",
    type=click.Choice(DATE_ORDERS),
    help="How to read dates such as 05/06/16.  [default: as files beside it say]",
)
@click.option(
    "--by-folder",
    is_flag=True,
    help="Make one run of each folder directly below FOLDER, whatever the times of its files.",
)
@click.option(
    "--factors",
    "folders",
    metavar="PATTERN",
    callback=_as_folders,
    help="What names of folders tell, such as {release}-p{users}; * stands for any letters."
    "  [default: folders in study.yml]",
)
@click.option("--link", is_flag=True, help="Leave the files where they are; link to them.")
@click.option("--dry-run", is_flag=True, help="Only say what would be added.")
def add(
    folder: str,
    data_set: str,
    study: str | None,
    origin: str,
    time_zone: str | None,
    date_order: DateOrder | None,
    by_folder: bool,
    folders: str | None,
    link: bool,
    dry_run: bool,
) -> None:
    """Take the raw exports of a folder into a data set, and write their run.yml.

    Looks at every file below FOLDER, also in zip and tar archives, by its content; groups files
    into runs by folder and by time; and writes for each run what its files tell: hosts and their
    kinds, users, packet size, page pool. The files are copied and never changed. What is of no
    known format is named, and left out; what cannot be read is named, and stays with the run beside
    whose files it lies: each load leaves it out until it can be read, and the book says so.

    FOLDER may be the URL of a folder or an archive in a bucket of S3, or wherever else fsspec can
    read. Its files are fetched, all of them each time: name the new ones.

    \b
    Examples:
      studybook add ~/results --dry-run
      studybook add ~/results --study checkout --time-zone Europe/Berlin
      studybook add ~/results-of-july -d last-release
      studybook add ~/nightly --by-folder
      studybook add ~/results --factors "{release}-{users}users-{repetition}"
      studybook add s3://team/nightly/2026-11-29

    What was added before is not told again. Ends with exit code 1 if a file is new and cannot be
    read, if one cannot be opened or belongs to no run, if a run is there with other files, or if
    nothing was found.
    """
    from zoneinfo import ZoneInfo

    from studybook.dataset.definition import Definition, read_definition
    from studybook.dataset.paths import DataSet
    from studybook.errors import StudyBookError
    from studybook.intake.again import in_other_runs
    from studybook.intake.ahead import files_ahead
    from studybook.intake.before import read_before
    from studybook.intake.look import look_at
    from studybook.intake.manifests import hosts_to_name, new_runs
    from studybook.intake.runs import doubts, group, group_by_folder, with_unread
    from studybook.intake.to_write import factors_to_write, folders_unlike, roles_to_write
    from studybook.intake.write import write_runs
    from studybook.memory import content_sha256

    place = DataSet.to_fill(data_set)
    aside: list[str] = []
    where = _where(folder, aside, link=link)
    name = where.resolve().name if isinstance(where, Path) else where.name
    says = _said(place, name, study, origin, time_zone)
    words = read_definition(place.root, says.study) or Definition(study=says.study)
    says = replace(says, folders=folders or words.folders)
    if not dry_run:
        work_alone(place)
    with _files(where, aside, link=link) as (files, look):
        tables = partial(words.table_of, time_zone=says.time_zone)
        with progress("looking", len(files), "file") as done:
            look_at(files, done, date_order, tables, by_folder=by_folder, look=look)
        zone = ZoneInfo(says.time_zone)
        groups = with_unread(
            (group_by_folder if by_folder else group)(look.seen, zone), look.unread
        )
        before = read_before(place.raw / says.study, words)
        runs = new_runs(groups, name, says, before)
        also = in_other_runs(place.raw / says.study, runs)
        ahead = files_ahead(place.raw / says.study, runs, tables)
        new = [run for run in runs if ahead[run.name] != []]
        unsure = [*doubts(groups, zone, stated=says.zone_stated), *hosts_to_name(runs)] * bool(new)
        made = [run for run in runs if ahead[run.name] is None]
        unsure += folders_unlike(made, says.folders)
        unsure += [*roles_to_write(made, before), *factors_to_write(made, before)]
        unsure += before.faults * bool(made)
        there = {
            each.name
            for run in runs
            for each in run.group.all_files
            if ahead[run.name] == []
            and content_sha256(place.raw / says.study / run.name / run.paths[each.name])
            == each.sha256
        }
        look = _without(look, there)
        _show(new, look, [*unsure, *also])
        _offer(look.offers, words, added=bool(runs) and not dry_run)
        if not runs:
            raise StudyBookError(
                f"{where if isinstance(where, Path) else where.place.name}: holds no raw export of"
                " a known format\n"
                "  → studybook inspect --formats lists those that are known"
                + "; tables are known once study.yml has these lines"
                * bool(look.offers)
            )
        if not dry_run:
            written = write_runs(place, runs, says.study, ahead, link=link)
            waits = not all(before.is_role(role) for run in made for role in run.roles.values())
            _say_written(place, says, written, "write the roles named above; " * waits)
            if folders and folders != words.folders:
                click.echo(
                    "names of further folders are read without --factors once"
                    f" pipelines/{says.study}/study.yml says\n    folders: {json.dumps(folders)}"
                )
    others = any(isinstance(each, str) for each in ahead.values())
    sys.exit(1 if look.refused or look.unread or others else 0)


def _said(
    place: DataSet, folder: str, study: str | None, origin: str, time_zone: str | None
) -> Says:
    """Check what a person said, before any file is looked at."""
    from studybook.dataset.definition import only_study
    from studybook.dataset.names import slug
    from studybook.intake.manifests import Says

    name = study_name(study or only_study(place.root) or slug(folder))
    return Says(name, origin, time_zone or "UTC", time_zone is not None)


def _where(folder: str, aside: list[str], *, link: bool) -> Path | There:
    """A folder of this machine, which must be there, or what lies where a URL says."""
    from studybook.errors import StudyBookError
    from studybook.intake.fetch import look_there
    from studybook.process.elsewhere import is_url

    here = Path(folder.removeprefix("file://"))
    if is_url(folder) and not here.is_dir():
        if link:
            raise click.UsageError(
                "--link is for folders of this machine: what a URL names is fetched"
            )
        return look_there(folder, aside)
    if not here.is_dir():
        raise StudyBookError(f"{folder}: is no folder\n  → name the folder that holds raw exports")
    return here


@contextmanager
def _files(
    folder: Path | There, aside: list[str], *, link: bool
) -> Iterator[tuple[list[tuple[Path, str]], Look]]:
    """The files of a folder and of the archives in it, and what is left aside so far."""
    from studybook.errors import StudyBookError
    from studybook.intake.fetch import fetch
    from studybook.intake.look import Look, files_below
    from studybook.intake.unpack import Limit, is_archive, unpack
    from studybook.process.scratch import scratch

    look, files, limit = Look(aside=aside), [], Limit()
    with scratch() as temporary:
        if not isinstance(folder, Path):
            there, folder = folder, Path(mkdtemp(dir=temporary))
            with progress("fetching", len(there.files), "file") as done:
                fetch(there, folder, done)
        found = list(files_below(folder, look.aside, look.refused))
        folders = {str(parent) for _, name in found for parent in PurePosixPath(name).parents}
        for path, name in found:
            if not is_archive(path):
                files.append((path, name))
                continue
            if link:
                raise StudyBookError(
                    f"{path}: is an archive, and cannot be linked to\n"
                    "  → leave out --link, or unpack it first"
                )
            stem = name.removesuffix(path.suffix).removesuffix(".tar")
            if stem in folders:
                stem = name  # the same unpacked lies beside it, perhaps, or packed otherwise
            folders.add(stem)
            unpacked = Path(mkdtemp(dir=temporary))
            try:
                unpack(path, name, unpacked, limit, look.aside)
            except StudyBookError as error:
                look.refused.append(str(error))
                continue
            inner = files_below(unpacked, look.aside, look.refused) if unpacked.is_dir() else ()
            files += [(each, f"{stem}/{below}") for each, below in inner]
        yield files, look


def _without(look: Look, there: Collection[str]) -> Look:
    """A look at a folder, without the files that were added before."""
    return replace(
        look,
        seen=[each for each in look.seen if each.name not in there],
        unread=[each for each in look.unread if each.name not in there],
    )


def _show(runs: Sequence[NewRun], look: Look, doubts: Sequence[str]) -> None:
    """Print the runs with their files, what is doubtful and left out, in one round."""
    run_of = {each.name: run.name for run in runs for each in run.group.unread}

    def why(each: Unread) -> str:
        run = run_of.get(each.name)
        return each.why + (f"\n    it stays with {run}, and each load leaves it out" if run else "")

    for run in runs:
        span = run.group.span
        when = f"  {_from_to(*span)} UTC" if span else ""
        click.echo(click.style(run.name, bold=True) + when)
        rows = [
            (each.format, few(each.hosts, 2), _times(each), _printable(each.name))
            for each in run.group.files
        ]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=False))
            click.echo(f"  {'  '.join(cells)}  {row[3]}".rstrip())
    several = [
        name
        for name, number in Counter(each.name for run in runs for each in run.group.files).items()
        if number > 1
    ]
    for what, lines in (
        ("recorded during several runs, and put to each of them", several),
        (
            "doubtful",
            [
                *doubts,
                *(
                    f"{each.name}: {counted(each.not_understood, 'line')} not understood"
                    for each in look.seen
                    if each.not_understood
                ),
                *_remarks(look.seen),
            ]
            + [
                f"{each.name}: {each.executions}: part it by them, each into a folder of its own;"
                " or say which counts by stable_phase in run.yml"
                for each in look.seen
                if each.executions
            ],
        ),
        ("refused: cannot be read", [*look.refused, *map(why, look.unread)]),
        ("of no known format, left out", [each.splitlines()[0] for each in look.unknown]),
        ("not looked at", look.aside),
    ):
        if lines:
            click.echo(f"\n{click.style(what, fg='yellow')} ({len(lines)})", err=True)
            for line in lines:
                click.echo(f"  {_printable(line)}", err=True)


def _offer(offers: Sequence[tuple[str, dict[str, Any]]], words: Definition, *, added: bool) -> None:
    """Print the lines that would map unknown tables."""
    from studybook.intake.tables import (
        like_one_another,
        lines_of,
        lines_of_file,
        of_study_and_of_files,
    )

    if not offers:
        return
    alike = like_one_another(offers)
    for _, names in alike[:SHOWN]:
        more = f" and {counted(len(names) - 1, 'other file')} like it" if names[1:] else ""
        said = f"{_printable(names[0])}{more}: a table of which no format is known"
        click.echo(f"\n{click.style(said, fg='yellow')}", err=True)
    click.echo(
        f"  These lines in pipelines/{words.study}/study.yml make metrics of its columns, in each\n"
        "  run with such a file. Correct names and units, take out what is none, and add again"
        + ("\n  once the runs that are added now are removed:" if added else ":"),
        err=True,
    )
    of_study, of_files = of_study_and_of_files(alike[:SHOWN])
    for line in lines_of(of_study, of_files, words):
        click.echo(f"    {_printable(line)}", err=True)
    for each in of_files:
        more = f", and so of {counted(len(each[1]) - 1, 'other file')}" if each[1][1:] else ""
        click.echo(
            f"  {_printable(each[1][0])} is unlike others of its name, for which the lines above"
            " count.\n  Say this of it below files in the run.yml of its run, in the place of its"
            f" path alone{more}:",
            err=True,
        )
        for line in lines_of_file(each):
            click.echo(f"    {_printable(line)}", err=True)
    if len(alike) > SHOWN:
        click.echo(f"  and {len(alike) - SHOWN} tables more", err=True)


#: What a file says of its own date: of the files of many days one is enough.
_DATED = re.compile(r"the date \S+ is \S+: ")


def _remarks(seen: Sequence[Seen]) -> Iterator[str]:
    """The first remark on each file, and how many more; the same on several files is said once.

    What is lost comes first, and last what nobody wants.
    """
    said: dict[str, list[tuple[str, str]]] = {}
    for each in seen:
        if each.remarks:
            first, *further = sorted(each.remarks, key=_is_little)
            more = f" (and {counted(len(further), 'remark')} more, see inspect)" if further else ""
            said.setdefault(_DATED.sub("", first) + more, []).append((each.name, first + more))
    for files in sorted(said.values(), key=lambda files: _is_little(files[0][1])):
        name, remark = files[0]
        others = f" and {counted(len(files) - 1, 'other file')}" if len(files) > 1 else ""
        dates = "; so are the other dates" if len({text for _, text in files}) > 1 else ""
        yield f"{name}{others}: {remark}{dates}"


def _is_little(remark: str) -> int:
    from studybook.formats.contract import CUT, NOT_MAPPED

    return remark.startswith(NOT_MAPPED) - remark.startswith(CUT)


def _times(seen: Seen) -> str:
    if seen.is_setting or seen.first is None or seen.last is None:
        return "no times" if not seen.is_setting else "settings"
    clock = "" if seen.clock == "UTC" else " local"
    return f"{_from_to(seen.first, seen.last)}{clock}"


def _from_to(first: datetime, last: datetime) -> str:
    """From when to when, with the day of the end where it is another one."""
    day = "%Y-%m-%d " if last.date() != first.date() else ""
    return f"{first:%Y-%m-%d %H:%M:%S} to {last:{day}%H:%M:%S}"


def _printable(text: str) -> str:
    """A text without what a terminal would act on."""
    return "".join(
        each if each.isprintable() or each == "\n" else "\N{REPLACEMENT CHARACTER}" for each in text
    )


def _say_written(place: DataSet, says: Says, written: Written, first: str) -> None:
    from studybook.intake.again import kept_zones

    study, (added, there, grown, others) = place.raw / says.study, written
    click.echo(f"\nadded {counted(len(added), 'run')} to {study.relative_to(place.root)}")
    if grown:
        names = ", ".join(grown)
        click.echo(f"files that have grown were taken anew, and run.yml is as it was: {names}")
    if there:
        named = ", ".join(there) if len(there) <= NAMED else counted(len(there), "run")
        click.echo(f"there already, with the same files: {named}")
    for name, how in others.items():
        click.secho(f"{name} stays as it is, for it has other files: {how}", fg="yellow", err=True)
    if others:
        click.echo("  → remove its folder, and add again; or put the files there by hand", err=True)
    if kept := kept_zones(study, [*there, *grown], says):
        click.echo(f"their zone stays until you change it in their run.yml: {', '.join(kept)}")
    if added:
        click.echo("look at the run.yml of each, most of all where it has a remark")
    if added or grown:
        click.echo(f"next: {first}studybook book{option_of(place)}")
