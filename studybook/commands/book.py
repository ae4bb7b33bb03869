"""The verb ``book``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

import click

from studybook.commands._shared import (
    cluster_options,
    data_set_option,
    force_option,
    loading,
    progress,
    say_excluded,
    say_left_aside,
    say_left_out,
    say_records,
    strict_option,
    verify_option,
    work_alone,
    workers_option,
)
from studybook.commands._wrongs import say_wrongs


@click.command()
@data_set_option
@force_option
@strict_option
@verify_option
@workers_option
@cluster_options
def book(data_set: str, force: bool, strict: bool, workers: int | None) -> None:
    """Publish the book: load, run stale figures, build the pages.

    The book is plain files in build/<data set>/html and needs no network to be read. A figure
    that failed shows its error in its page, and the command ends with exit code 1; also where a
    raw file cannot be read: it is left out and named or, with --strict, nothing is done. Verdicts
    on goals are printed, too, as by "studybook check": where one is missed, the book is there, and
    the exit code is 4. What "studybook doctor" calls wrong with the data is named.
    """
    from studybook.commands.check import MISSED, judged, say_goals
    from studybook.dataset.inventory import take_inventory
    from studybook.dataset.paths import DataSet
    from studybook.engine.notebooks import figures_of
    from studybook.engine.update import plan_figures, update_database, update_figures
    from studybook.publish.build import build
    from studybook.publish.shape import check_shape
    from studybook.text import counted

    place = DataSet.named(data_set)
    check_shape(place.root)
    work_alone(place)
    inventory = take_inventory(place)
    with loading(place, inventory) as done:
        update_database(place, inventory, force=force, strict=strict, done=done)
    chosen = figures_of(inventory)
    plans = plan_figures(place, inventory, chosen)
    with progress("figures", sum(1 for plan in plans if plan.reasons or force)) as done:
        records = update_figures(place, plans, force=force, workers=workers, done=done)
    say_left_aside(inventory)
    left_out = say_left_out(inventory)
    good = say_records(records)
    cli = click.get_current_context().find_root().command

    def sections() -> Mapping[str, Callable[[], str]]:
        from studybook.commands import _reference  # with all that it tells of

        return _reference.sections(cli, place.root, place.database)

    def making() -> None:
        click.echo("pages      are being built", err=True)

    result = build(place, chosen, sections, force=force, making=making)
    made = (
        "are as they were" if result.as_before
        else f"{result.made} of {counted(result.pages, 'page')} were made anew"
    )  # fmt: skip
    click.echo(f"pages      {made}", err=True)
    goals = judged(place, inventory)
    say_goals(goals)
    say_excluded(*(each.excluded for each in goals))
    say_wrongs(inventory)
    click.echo(f"book       {(place.html / 'index.html').relative_to(place.root)}")
    for warning in result.warnings:
        click.echo(warning, err=True)
    if result.failed:
        click.echo(f"failed figures in the book: {', '.join(result.failed)}", err=True)
    well = good and not result.warnings and not result.failed and not left_out
    sys.exit((MISSED if any(each.missed for each in goals) else 0) if well else 1)
