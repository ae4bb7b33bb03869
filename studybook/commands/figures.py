"""The verb ``figures``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from studybook.commands._shared import (
    cluster_options,
    data_set_option,
    force_option,
    progress,
    say_left_aside,
    say_left_out,
    say_records,
    work_alone,
    workers_option,
)

if TYPE_CHECKING:
    from studybook.engine.notebooks import Notebook


def _parameter(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    import yaml

    parameters = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r}: expected NAME=VALUE")
        if name == "data_set":
            raise click.BadParameter("choose the data set with --data-set")
        if name in parameters:
            raise click.BadParameter(f"{name} is given twice")
        try:
            parameters[name] = yaml.safe_load(value)
        except yaml.YAMLError as error:
            raise click.BadParameter(f"{text!r}: the value is not YAML") from error
    return parameters


@click.command()
@click.argument("names", nargs=-1, metavar="[FIGURE]...")
@data_set_option
@click.option(
    "-p",
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_parameter,
    help="Set a parameter of the notebook, this time: the figure counts as stale from then on, and "
    "the next run of it, or of the book, is as before. To keep it, write it into the data set's "
    "parameters.yml.",
)
@force_option
@workers_option
@cluster_options
def figures(
    names: tuple[str, ...],
    data_set: str,
    parameters: dict[str, Any],
    force: bool,
    workers: int | None,
) -> None:
    """Run the notebooks of stale figures.

    Of all, or of those named: as study/figure, as figure, or by study. Loads first what has
    changed. A figure that fails keeps its error in its page; the others still run, and
    the command ends with exit code 1.

    \b
    Examples:
      studybook figures
      studybook figures my-study/bandwidth --force
      studybook figures bandwidth -p level=0.99
    """
    _, good = bring_up_to_date(names, data_set, parameters, force=force, workers=workers)
    sys.exit(0 if good else 1)


def bring_up_to_date(
    names: tuple[str, ...],
    data_set: str,
    parameters: dict[str, Any] | None = None,
    *,
    force: bool,
    workers: int | None,
    anew: bool = False,
) -> tuple[list[Notebook], bool]:
    """Load what has changed and run stale figures; say so.

    Returns
    -------
    list of Notebook and bool
        The figures that were meant, and whether all that ran came out well.
    """
    from studybook.dataset.inventory import take_inventory
    from studybook.dataset.paths import DataSet
    from studybook.engine.notebooks import choose, figures_of
    from studybook.engine.notebooks import figures as all_figures
    from studybook.engine.update import plan_figures, update_database, update_figures

    place = DataSet.named(data_set)
    work_alone(place)
    inventory = take_inventory(place)
    # A figure that is asked for by name says itself what the data set lacks for it.
    chosen = figures_of(inventory)
    if names:
        there = {each.id: each for each in (*all_figures(place.root), *chosen)}
        chosen = choose(there.values(), names)
    with progress("loading", 1 + len(inventory.sources())) as done:
        update_database(place, inventory, force=anew, done=done)
    plans = plan_figures(place, inventory, chosen, parameters)
    total = sum(1 for plan in plans if plan.reasons or force)
    with progress("figures", total) as done:
        records = update_figures(place, plans, force=force, workers=workers, done=done)
    if not names:
        say_left_aside(inventory)
    say_left_out(inventory)
    good = say_records(records)
    if parameters:
        for each in records:
            click.echo(f"           {(place.notebooks / each.id).relative_to(place.root)}.ipynb")
    if not records:
        click.echo(f"nothing has changed: {len(plans)} figures are up to date")
    return chosen, good
