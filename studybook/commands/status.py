"""The verb ``status``."""

from __future__ import annotations

import json
import sys

import click

from studybook.commands._shared import data_set_option, say_reasons


@click.command()
@data_set_option
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def status(data_set: str, as_json: bool) -> None:
    """Say what is stale, and why; run nothing.

    Raw files are compared by content: the database, each figure and the book are stale when
    what they were made from is not what lies there now. Exit code 3 if anything is stale.
    """
    from studybook.dataset.inventory import take_inventory
    from studybook.dataset.paths import DataSet
    from studybook.engine.notebooks import figures_of
    from studybook.engine.stale import load_reasons
    from studybook.engine.update import plan_figures
    from studybook.publish.build import book_reasons

    place = DataSet.named(data_set)
    inventory = take_inventory(place)
    stale = {"database": load_reasons(place, inventory)}
    chosen = figures_of(inventory)
    plans = plan_figures(place, inventory, chosen)
    stale |= {plan.notebook.id: plan.reasons for plan in plans}
    stale["book"] = book_reasons(place, chosen, [name for name, why in stale.items() if why])
    if as_json:
        click.echo(json.dumps(stale, indent=2))
    else:
        for name, reasons in stale.items():
            say_reasons(name, reasons)
    sys.exit(3 if any(stale.values()) else 0)
