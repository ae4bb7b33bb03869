"""The verb ``book``."""

from __future__ import annotations

import sys

import click

from studybook.commands._shared import (
    data_set_option,
    force_option,
    progress,
    say_left_aside,
    say_records,
    work_alone,
    workers_option,
)


@click.command()
@data_set_option
@force_option
@workers_option
def book(data_set: str, force: bool, workers: int | None) -> None:
    """Publish the book: load, run stale figures, build the pages.

    The book is plain files in build/<data set>/html and needs no network to be read. A figure
    that failed shows its error in its page, and the command ends with exit code 1.
    """
    from studybook.dataset.inventory import take_inventory
    from studybook.dataset.paths import DataSet
    from studybook.engine.notebooks import figures_of
    from studybook.engine.update import plan_figures, update_database, update_figures
    from studybook.publish.build import build

    place = DataSet.named(data_set)
    work_alone(place)
    inventory = take_inventory(place)
    with progress("loading", 1 + len(inventory.sources())) as done:
        update_database(place, inventory, force=force, done=done)
    chosen = figures_of(inventory)
    plans = plan_figures(place, inventory, chosen)
    with progress("figures", sum(1 for plan in plans if plan.reasons or force)) as done:
        records = update_figures(place, plans, force=force, workers=workers, done=done)
    say_left_aside(inventory)
    good = say_records(records)
    click.echo("pages      are being built", err=True)
    result = build(place, chosen)
    click.echo(f"book       {(place.html / 'index.html').relative_to(place.root)}")
    for warning in result.warnings:
        click.echo(warning, err=True)
    if result.failed:
        click.echo(f"failed figures in the book: {', '.join(result.failed)}", err=True)
    sys.exit(0 if good and not result.warnings and not result.failed else 1)
