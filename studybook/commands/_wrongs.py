"""What "studybook doctor" calls wrong in data, in a few lines of the command that publishes."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

import click

from studybook.commands._shared import option_of
from studybook.errors import StudyBookError
from studybook.text import few

if TYPE_CHECKING:
    from studybook.dataset.inventory import Inventory

#: Wrongs that are told one by one, runs that each of them names, and how wide lines are.
_MOST, _RUNS, _WIDTH = 5, 3, 100
_INDENT = " " * 11


def say_wrongs(inventory: Inventory) -> None:
    """Name on standard error what is wrong with the data that were loaded, and what to do."""
    from studybook.doctor.data.check import Weight
    from studybook.doctor.data.report import doubts

    place = inventory.data_set
    doctor = f"studybook doctor{option_of(place)}"
    try:
        found = doubts(place.database, {run.study for run in inventory.runs})
    except StudyBookError as error:  # the book is there all the same
        said = str(error).splitlines()[0]
        click.echo(f"data       not looked at: {said}: {doctor}", err=True)
        return
    wrong = [each for each in found if each.weight is Weight.WRONG]
    for each in wrong[:_MOST]:
        said = f"wrong      {few(each.group.runs, _RUNS)}: {each.title}: {each.group.said}"
        click.secho(fill(said, _WIDTH, subsequent_indent=_INDENT), fg="red", err=True)
        do = f"{_INDENT}→ {each.group.do}"
        click.echo(fill(do, _WIDTH, subsequent_indent=f"{_INDENT}  "), err=True)
    doubtful = sum(len(each.group.runs) for each in found if each.weight is Weight.DOUBTFUL)
    more = [
        f"{number} {word}"
        for number, word in ((len(wrong) - _MOST, "more wrong"), (doubtful, "doubtful"))
        if number > 0
    ]
    if more:
        click.echo(f"data       {', '.join(more)}: {doctor}", err=True)
