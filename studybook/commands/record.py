"""The verb ``record``."""

from __future__ import annotations

import sys

import click

from studybook.commands._shared import data_set_option, force_option, workers_option


@click.command()
@click.argument("names", nargs=-1, metavar="[FIGURE]...")
@data_set_option
@force_option
@workers_option
def record(names: tuple[str, ...], data_set: str, force: bool, workers: int | None) -> None:
    """Keep the numbers of figures in notebooks, with which guard compares.

    Runs what is stale first, of all figures or of those named. A notebook of your own holds the
    outputs of its default data set itself; what other data sets give, and the figures that fit any
    study, is kept below notebooks/recorded/<data set>/, with the rows of each chart as CSV, in
    which a reviewer sees what changed.

    \b
    Examples:
      studybook record
      studybook record my-study -d last-release
    """
    from studybook.commands.figures import bring_up_to_date
    from studybook.dataset.inventory import take_inventory
    from studybook.dataset.paths import DataSet
    from studybook.engine.notebooks import figures_of
    from studybook.engine.record import no_longer_drawn, record_into_notebooks

    # Recording all anew takes the loading reports along.
    chosen, good = bring_up_to_date(names, data_set, force=force, workers=workers, anew=force)
    place = DataSet.named(data_set)
    if good:
        changed = record_into_notebooks(place, chosen)
        for path in changed:
            click.echo(f"recorded   {path}")
        if not changed:
            click.echo("what is recorded is as it was")
        for path in no_longer_drawn(place, figures_of(take_inventory(place))):
            click.echo(f"no figure any more, remove it: {path.relative_to(place.root)}", err=True)
    sys.exit(0 if good else 1)
