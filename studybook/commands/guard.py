"""The verb ``guard``."""

from __future__ import annotations

import sys

import click

from studybook.commands._shared import data_set_option, workers_option
from studybook.text import counted

#: Ends the command where a number has moved, or is not recorded.
MOVED = 4


@click.command()
@click.argument("names", nargs=-1, metavar="[FIGURE]...")
@data_set_option
@workers_option
def guard(names: tuple[str, ...], data_set: str, workers: int | None) -> None:
    """Run recorded notebooks by nbval, and end with exit code 4 where a number has moved.

    Loads what has changed and runs stale figures. Then each cell of each notebook that record has
    kept is run by nbval, and each of its outputs must come out the same, and the rows of its chart.
    Once something of a data set is recorded, a figure that is not, or a recorded notebook that
    belongs to no figure any more, ends it with exit code 4, too. Where the numbers are meant,
    record them anew, and commit the notebooks.

    \b
    Examples:
      studybook guard
      studybook guard my-study/overview -d last-release
    """
    from studybook.commands.figures import bring_up_to_date
    from studybook.dataset.inventory import take_inventory
    from studybook.dataset.paths import DataSet
    from studybook.engine.guard import guard as run
    from studybook.engine.guard import rows_moved
    from studybook.engine.notebooks import figures_of
    from studybook.engine.outputs import record_path
    from studybook.engine.record import is_drawn, is_recorded, no_longer_drawn, recorded_path

    chosen, good = bring_up_to_date(names, data_set, force=False, workers=workers)
    place = DataSet.named(data_set)
    figures = figures_of(take_inventory(place))
    paths = {each.id: recorded_path(place, each) for each in (*figures, *chosen)}
    there = {id_: path for id_, path in paths.items() if is_recorded(path)}
    gone = no_longer_drawn(place, figures)
    if not there and not gone:
        click.echo(
            f"nothing is recorded of {data_set}: no number is guarded\n"
            f"  → run: studybook record -d {data_set}",
            err=True,
        )
        sys.exit(0 if good else 1)
    recorded = {each.id: there[each.id] for each in chosen if each.id in there}
    missing = [each.id for each in chosen if each.id not in there and is_drawn(place, each)]
    for id_ in missing:
        click.echo(f"not recorded: {id_}", err=True)
    for path in gone:
        click.echo(f"no figure any more, remove it: {path.relative_to(place.root)}", err=True)
    moved = {each.figure: each for each in run(place.root, recorded)} if recorded else {}
    rows = {
        id_: rows_moved(path.with_suffix(".csv"), record_path(place, id_).with_suffix(".csv"))
        for id_, path in recorded.items()
    }
    told = [id_ for id_ in recorded if id_ in moved or rows[id_]]
    for id_ in told:
        of = f", {counted(len(moved[id_].cells), 'cell')}" if id_ in moved else ""
        click.echo(f"moved      {id_}{of}")
        for line in rows[id_] or moved[id_].how:
            click.echo(f"           {line}")
    click.echo(f"{counted(len(recorded) - len(told), 'figure')} as recorded, {len(told)} moved")
    if told or missing:
        click.echo(f"  → if that is meant: studybook record -d {data_set}", err=True)
    sys.exit(MOVED if told or missing or gone else 0 if good else 1)
