"""Parts that verbs share: the data set option, progress bars, last lines."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import wraps
from typing import TYPE_CHECKING

import click

from studybook.text import counted

if TYPE_CHECKING:
    from pathlib import Path

    from studybook.dataset.inventory import Inventory
    from studybook.dataset.paths import DataSet
    from studybook.engine.execute import Outcome
    from studybook.engine.outputs import Record
    from studybook.formats.contract import DateOrder

#: How commands end.
EXIT_CODES = {
    0: "all is well",
    1: "something failed, and is named on standard error",
    2: "the command was not understood",
    3: "something is stale (status only)",
    4: "a goal is missed (check, book), a number has moved (guard, verify, changes), something got"
    " worse (compare, history), or data or settings are wrong (doctor)",
    130: "stopped by Ctrl-C",
}

#: All orders that there are, without the libraries that readers need.
DATE_ORDERS: tuple[DateOrder, ...] = ("day-first", "month-first", "year-first")

#: Seconds between two lines in a log that tell how far long work has come.
LOG_EVERY_S = 10.0


def _usual_data_set() -> str:
    from studybook.dataset.paths import FIRST, project_root, usual_data_set
    from studybook.errors import StudyBookError

    try:
        return usual_data_set(project_root())
    except StudyBookError:  # the command will say that there is no book
        return FIRST


def option_of(place: DataSet) -> str:
    """The option that names a data set, behind a blank; none where it is the usual one."""
    from studybook.dataset.paths import usual_data_set

    return "" if place.name == usual_data_set(place.root) else f" -d {place.name}"


def stated_zone(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    """The time zone that an option names, which must be one; nothing where nobody named any."""
    from studybook.zones import known_zone

    try:
        return known_zone(name) if name else name
    except ValueError as error:
        raise click.UsageError(str(error)) from error


data_set_option = click.option(
    "-d",
    "--data-set",
    "data_set",
    default=_usual_data_set,
    show_default="the only one, else reference, else main",
    envvar="STUDYBOOK_DATA_SET",
    show_envvar=True,
    help="Data set: the folder below data/raw.",
)

force_option = click.option("--force", is_flag=True, help="Do it even where nothing is stale.")

strict_option = click.option(
    "--strict", is_flag=True, help="Stop where a raw file cannot be read; else it is left out."
)


def _verify(_context: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    from studybook.memory import verify

    if asked:
        verify()


verify_option = click.option(
    "--verify",
    is_flag=True,
    expose_value=False,
    callback=_verify,
    help="Read all files again, also those that nothing seems to have touched.",
)


def _use_cluster(scheduler: str | None, share: str | None) -> None:
    """Have all processes of this command use the cluster, and say which it is."""
    from studybook.process.cluster import SCHEDULER, connected
    from studybook.process.share import SHARE, Share

    if share and not scheduler:
        named = click.get_current_context().get_parameter_source("share")
        if named is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError("--share is for the workers of a cluster: name its --scheduler")
    # Given empty, an option takes back what the environment says.
    os.environ.update({SCHEDULER: scheduler or "", SHARE: share or ""})
    if not scheduler:
        return
    if share:
        Share(share)  # it can be used at all
    with connected(scheduler) as client:
        workers = counted(len(client.scheduler_info(n_workers=-1)["workers"]), "worker")
        where = f"{workers} at {scheduler}, dashboard {client.dashboard_link}"
        here = "; they do not see the book: figures run here" if share else ""
        click.echo(f"Dask: {where}{here}", err=True)


def cluster_options(command: Callable[..., None]) -> Callable[..., None]:
    """Which cluster reads files, and what its workers see."""

    @wraps(command)
    def with_cluster(*, scheduler: str | None, share: str | None, **given: object) -> None:
        _use_cluster(scheduler, share)
        command(**given)

    by_address = click.option(
        "--scheduler",
        metavar="ADDRESS",
        envvar="STUDYBOOK_SCHEDULER",
        show_envvar=True,
        help="Read files, compute models and run figures on a Dask cluster, such as"
        " tcp://host:8786.",
    )
    by_url = click.option(
        "--share",
        metavar="URL",
        envvar="STUDYBOOK_SHARE",
        show_envvar=True,
        help="Where its workers get files and leave them, such as s3://bucket/prefix, if they do"
        " not see the book by the path that it has here.",
    )
    return by_address(by_url(with_cluster))


workers_option = click.option(
    "-j",
    "--workers",
    type=click.IntRange(min=1),
    envvar="STUDYBOOK_WORKERS",
    show_envvar=True,
    help="Notebooks to run at once.  [default: number of processors]",
)


def study_name(said: str) -> str:
    """The name of a study that a person gave, or that was made of other words.

    Raises
    ------
    click.UsageError
        If it cannot be one; with a name like it.
    """
    from studybook.dataset.names import slug

    like = slug(said)
    if not like or like != said:
        raise click.UsageError(
            "a study is named by small letters, digits and hyphens; name it by --study"
            + (f", such as {like}" if like else "")
        )
    return said


def say_left_aside(inventory: Inventory) -> None:
    """Name on standard error what no figure will use: files not listed, studies not known."""
    from studybook.dataset.inventory import few_of_each_run
    from studybook.engine.notebooks import studies_without_figures

    few, more = few_of_each_run(inventory.not_listed)
    for said in few + more:
        click.echo(f"not listed in any run.yml, not loaded: {said}", err=True)
    studies = {run.study for run in inventory.runs}
    for study, like in studies_without_figures(inventory.data_set.root, studies).items():
        near = f"; did you mean {like[0]}?" if like else ""
        click.echo(
            f"the study {study} has no notebooks of its own (notebooks/{study}/): it gets the"
            f" figures that fit any study{near}",
            err=True,
        )


def study_around(study: str | None = None) -> tuple[Path, str] | None:
    """The book around the current folder, and a study of it: that of a name, or the only one.

    Raises
    ------
    StudyBookError
        If there is no study of that name.
    """
    from studybook.dataset.definition import only_study, place
    from studybook.dataset.paths import project_root
    from studybook.errors import StudyBookError

    try:
        root = project_root()
    except StudyBookError:
        if study:
            raise
        return None
    if study and not place(root, study_name(study)).is_file():
        raise StudyBookError(f"{place(root, study)}: there is no such file\n  → name another study")
    name = study or only_study(root)
    return (root, name) if name else None


def say_left_out(inventory: Inventory) -> bool:
    """Name on standard error the files that cannot be read; whether one is not accepted."""
    from contextlib import closing

    from studybook.dataset.inventory import few_of_each_run
    from studybook.errors import StudyBookError
    from studybook.records import ledger, store

    database = inventory.data_set.database
    left_out = ledger.without_left_out(inventory, database).left_out
    known: dict[str, str] = {}
    if left_out:
        with suppress(StudyBookError), closing(store.connect(database)) as connection:
            known = ledger.accepted(connection)  # status may be asked before anything is loaded
    for is_known in (False, True):
        few, more = few_of_each_run(e for e in left_out if (e.name in known) is is_known)
        why = {
            each.name: f"accepted: {known[each.name]}" if is_known else each.reason for each in few
        }
        for said in [f"{name}: {reason}" for name, reason in why.items()] + more:
            click.echo(f"left out: {said}", err=True)
    unknown = any(each.name not in known for each in left_out)
    if unknown:
        click.echo(
            "  → give it anew, or say in its run.yml that it is known:\n"
            "    accepted: [{check: left-out, subject: FILE, because: WHY}]",
            err=True,
        )
    return unknown


def say_if_older(data_set: str) -> None:
    """Say on standard error that what is loaded is not what the data set is now."""
    from studybook.dataset.paths import DataSet

    place = DataSet.named(data_set)
    words = [*place.raw.glob("*/*/run.yml"), *place.root.glob("pipelines/*/study.yml")]
    changed = max((path.stat().st_mtime for path in words), default=0.0)
    if not place.database.is_file() or changed < place.database.stat().st_mtime:
        return  # a look at each raw file takes a second, and what looks half of one to import
    from studybook.dataset.inventory import take_inventory
    from studybook.engine.stale import load_reasons
    from studybook.errors import StudyBookError

    try:
        reasons = load_reasons(place, take_inventory(place))
    except StudyBookError as error:
        reasons = [str(error).splitlines()[0]]
    if reasons:
        click.echo(f"as it was loaded before: {reasons[0]}\n  → studybook load", err=True)


def say_excluded(*excluded: Mapping[str, str]) -> None:
    """Say on standard error which runs do not count, by their names, and why."""
    for line in dict.fromkeys(f"{run}: {why}" for each in excluded for run, why in each.items()):
        click.echo(f"does not count: {line}", err=True)


def work_alone(data_set: DataSet) -> None:
    """Keep other commands off the data set until this one ends; say so if it has to wait."""
    from studybook.engine.alone import alone

    say = f"waiting: another studybook works on {data_set.name}"
    lock = alone(data_set, waiting=lambda: click.echo(say, err=True))
    click.get_current_context().with_resource(lock)


@contextmanager
def loading(place: DataSet, inventory: Inventory) -> Iterator[Callable[[Outcome | str], None]]:
    """Show how far loading has come, and say at its end what was read and computed."""
    from studybook.errors import StudyBookError
    from studybook.records.ledger import loaded, made_since

    before = None
    with suppress(StudyBookError):  # it is not there, or cannot be read
        before = loaded(place.database) if place.database.is_file() else None
    with progress("loading", 1 + len(inventory.sources())) as done:
        yield done
    if before is None or loaded(place.database) is not before:
        for line in made_since(place.database, before):
            click.echo(line, err=True)


@contextmanager
def progress(
    what: str, total: int, thing: str = "notebook"
) -> Iterator[Callable[[Outcome | str], None]]:
    """Show a bar on a terminal; in a log, a line now and then where it takes long."""
    from tqdm import tqdm

    terminal = sys.stderr.isatty()
    bar = tqdm(total=total, desc=what, unit=thing, leave=False, disable=not terminal)
    ended, said = 0, time.monotonic()
    with bar:

        def done(outcome: Outcome | str) -> None:
            nonlocal ended, said
            bar.set_postfix_str(outcome if isinstance(outcome, str) else outcome.task.id)
            bar.update()
            ended += 1
            if not terminal and time.monotonic() - said > LOG_EVERY_S:
                click.echo(f"{what}: {ended} of {counted(total, thing)}", err=True)
                said = time.monotonic()

        yield done


@contextmanager
def progress_in_bytes(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show on a terminal how much has come, of how much."""
    from tqdm import tqdm

    with tqdm(desc=what, unit="B", unit_scale=True, leave=False, disable=None) as bar:

        def done(came: int, whole: int) -> None:
            bar.total = whole or None
            bar.update(came - bar.n)

        yield done


def say_records(records: list[Record]) -> bool:
    """Print one line per figure that ran; whether all of them came out well."""
    colours = {"ok": "green", "needs data": "yellow", "failed": "red"}
    for record in records:
        state = click.style(f"{record.state:<10}", fg=colours[record.state])
        first = record.message.splitlines()[0] if record.message else ""
        click.echo(f"{state} {record.id}" + (f": {first}" if first else ""))
    return all(record.state != "failed" for record in records)


def say_reasons(name: str, reasons: list[str], *, err: bool = False) -> None:
    """Print what is stale and why, one reason a line."""
    if reasons:
        click.echo(f"{click.style('stale', fg='yellow')}  {name}: {reasons[0]}", err=err)
        for reason in reasons[1:]:
            click.echo(f"       {' ' * len(name)}  {reason}", err=err)
    else:
        click.echo(f"{click.style('fresh', fg='green')}  {name}")
