"""The verb ``load``."""

from __future__ import annotations

import click

from pipelines.commands._shared import (
    data_set_option,
    force_option,
    progress,
    say_left_aside,
    work_alone,
)


@click.command()
@data_set_option
@force_option
def load(data_set: str, force: bool) -> None:
    """Load the raw exports of a data set into DuckDB.

    Runs the notebooks in pipelines/load, one per kind of raw export that the data set has. The
    database is replaced as a whole: if a file cannot be read, the command names it and the last
    good database stays.

    \b
    Example:
      studybook load --data-set reference
    """
    from pipelines.engine.update import update_database
    from pipelines.inventory import take_inventory
    from pipelines.paths import DataSet

    place = DataSet.named(data_set)
    work_alone(place)
    inventory = take_inventory(place)
    with progress("loading", len(inventory.sources())) as done:
        reasons = update_database(place, inventory, force=force, done=done)
    if reasons:
        click.echo(
            f"loaded {len(inventory.entries)} files of {len(inventory.runs)} runs"
            f" into {place.database.relative_to(place.root)}"
        )
    else:
        click.echo(f"nothing has changed: {len(inventory.entries)} files are loaded")
    say_left_aside(inventory)
