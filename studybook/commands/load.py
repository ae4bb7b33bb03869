"""The verb ``load``."""

from __future__ import annotations

import sys

import click

from studybook.commands._shared import (
    cluster_options,
    data_set_option,
    force_option,
    loading,
    say_left_aside,
    say_left_out,
    strict_option,
    work_alone,
)


@click.command()
@data_set_option
@force_option
@strict_option
@cluster_options
def load(data_set: str, force: bool, strict: bool) -> None:
    """Load the raw exports of a data set into DuckDB.

    Runs the notebook pipelines/load.ipynb: once for all raw exports, and for the report on each
    kind of them. The database is replaced as a whole. A file that cannot be read is left out: the
    command names it with the reason, and ends with exit code 1. With --strict the last good
    database stays instead.

    \b
    Example:
      studybook load --data-set reference
    """
    from studybook.dataset.inventory import take_inventory
    from studybook.dataset.paths import DataSet
    from studybook.engine.update import update_database
    from studybook.records.ledger import hosts_not_listed, not_understood, without_left_out
    from studybook.text import counted

    place = DataSet.named(data_set)
    work_alone(place)
    inventory = take_inventory(place)
    with loading(place, inventory) as done:
        reasons = update_database(place, inventory, force=force, strict=strict, done=done)
    inventory = without_left_out(inventory, place.database)
    if reasons:
        click.echo(
            f"loaded {counted(len(inventory.entries), 'file')} of"
            f" {counted(len(inventory.runs), 'run')} into {place.database.relative_to(place.root)}"
        )
        for host, file in hosts_not_listed(place.database):
            click.echo(
                f"host {host} of {file} is not among the hosts of its run.yml: figures that go by"
                " roles leave it out",
                err=True,
            )
        lines, files = not_understood(place.database)
        if lines:
            reports = place.load_reports.relative_to(place.root)
            click.echo(
                f"{counted(lines, 'line')} in {counted(files, 'file')} not understood: see the"
                f" loading reports in {reports}/"
            )
    else:
        there = counted(len(inventory.entries), "file")
        click.echo(f"nothing has changed: {there} of the data set loaded before")
    say_left_aside(inventory)
    sys.exit(1 if say_left_out(inventory) else 0)
