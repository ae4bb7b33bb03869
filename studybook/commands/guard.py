"""The verb ``guard``."""

from __future__ import annotations

import sys

import click

from studybook.commands._shared import data_set_option, workers_option
from studybook.text import counted

#: Ends the command where a number has moved.
MOVED = 4


@click.command()
@click.argument("names", nargs=-1, metavar="[FIGURE]...")
@data_set_option
@workers_option
def guard(names: tuple[str, ...], data_set: str, workers: int | None) -> None:
    """Run recorded notebooks by nbval, and end with exit code 4 where a number has moved.

    Loads what has changed and runs stale figures. Then each cell of each notebook that record has
    kept is run by nbval, and each of its outputs must come out the same. Where another is meant,
    record it anew, and commit the notebooks.

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
    from studybook.engine.record import no_longer_drawn, recorded_path

    chosen, good = bring_up_to_date(names, data_set, force=False, workers=workers)
    place = DataSet.named(data_set)
    recorded = {each.id: path for each in chosen if (path := recorded_path(place, each)).is_file()}
    for each in chosen:
        if each.id not in recorded and record_path(place, each.id).with_suffix(".csv").is_file():
            click.echo(f"not recorded: {each.id}", err=True)
    for path in no_longer_drawn(place, figures_of(take_inventory(place))):
        click.echo(f"no figure any more, remove it: {path.relative_to(place.root)}", err=True)
    if not recorded:
        click.echo(
            f"nothing is recorded of {data_set}: no number is guarded\n"
            f"  → run: studybook record -d {data_set}",
            err=True,
        )
        sys.exit(0 if good else 1)
    moved = run(place.root, recorded)
    for one in moved:
        click.echo(f"moved      {one.figure}, {counted(len(one.cells), 'cell')}")
        rows = record_path(place, one.figure).with_suffix(".csv")
        kept = recorded[one.figure].with_suffix(".csv")
        for line in rows_moved(kept, rows) or one.how:
            click.echo(f"           {line}")
    click.echo(f"{counted(len(recorded) - len(moved), 'figure')} as recorded, {len(moved)} moved")
    if moved:
        click.echo(f"  → if that is meant: studybook record -d {data_set}", err=True)
    sys.exit(MOVED if moved else 0 if good else 1)
