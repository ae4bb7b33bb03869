"""The verb ``status``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import click

from studybook.commands._shared import data_set_option, say_left_out, say_reasons, verify_option

if TYPE_CHECKING:
    from studybook.dataset.paths import DataSet
    from studybook.engine.update import Plan


@click.command()
@data_set_option
@verify_option
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--explain", metavar="FIGURE", help="Show all that a figure follows from.")
def status(data_set: str, as_json: bool, explain: str | None) -> None:
    """Say what is stale, and why; run nothing.

    Raw files are compared by content (one whose size and times are what they were is read again
    with --verify only), code by what it says: the database, each figure and the
    book are stale when what they were made from is not what there is now. A comment, or a reader
    or model that a figure has no use for, changes nothing. Exit code 3 if anything is stale.

    \b
    Examples:
      studybook status
      studybook status --explain bandwidth
    """
    from studybook.dataset.inventory import take_inventory
    from studybook.dataset.paths import DataSet
    from studybook.engine.notebooks import choose, figures_of
    from studybook.engine.stale import load_reasons
    from studybook.engine.update import plan_figures
    from studybook.publish.build import book_reasons

    place = DataSet.named(data_set)
    inventory = take_inventory(place)
    chosen = figures_of(inventory)
    if explain:
        _explain(place, plan_figures(place, inventory, choose(chosen, [explain])))
    stale = {"database": load_reasons(place, inventory)}
    plans = plan_figures(place, inventory, chosen)
    stale |= {plan.notebook.id: plan.reasons for plan in plans}
    stale["book"] = book_reasons(place, chosen, [name for name, why in stale.items() if why])
    if as_json:
        click.echo(json.dumps(stale, indent=2))
    else:
        for name, reasons in stale.items():
            say_reasons(name, reasons)
    say_left_out(inventory)
    sys.exit(3 if any(stale.values()) else 0)


def _explain(place: DataSet, plans: Sequence[Plan]) -> NoReturn:
    """Print what figures follow from, and whether they are stale."""
    from studybook.engine.explain import explain
    from studybook.engine.outputs import read_record

    for plan in plans:
        say_reasons(plan.notebook.id, plan.reasons)
        record = read_record(place, plan.notebook.id)
        before = ""
        for what, which in explain(place, record) if record else ():
            click.echo(f"  {'' if what == before else what:<21} {which}")
            before = what
    sys.exit(3 if any(plan.reasons for plan in plans) else 0)
