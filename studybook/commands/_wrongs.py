"""What "studybook doctor" calls wrong in data, in a few lines of the command that publishes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from studybook.commands._shared import option_of
from studybook.errors import StudyBookError

if TYPE_CHECKING:
    from studybook.dataset.inventory import Inventory
    from studybook.dataset.paths import DataSet

#: Wrongs that are told one by one, runs that each of them names, and how wide lines are.
_MOST, _RUNS, _WIDTH = 5, 3, 100
_INDENT = " " * 11


def say_wrongs(inventory: Inventory) -> None:
    """Name on standard error what is wrong with the data that were loaded, and what to do."""
    place = inventory.data_set
    doctor = f"studybook doctor{option_of(place)}"
    try:
        found = _found(place, sorted({run.study for run in inventory.runs}))
    except StudyBookError as error:  # the book is there all the same
        said = str(error).splitlines()[0]
        click.echo(f"data       not looked at: {said}: {doctor}", err=True)
        return
    for said, do in found["wrong"][:_MOST]:
        click.secho(
            fill(f"wrong      {said}", _WIDTH, subsequent_indent=_INDENT), fg="red", err=True
        )
        click.echo(fill(f"{_INDENT}→ {do}", _WIDTH, subsequent_indent=f"{_INDENT}  "), err=True)
    more = [
        f"{number} {word}"
        for number, word in (
            (len(found["wrong"]) - _MOST, "more wrong"), (found["doubtful"], "doubtful"),
        )
        if number > 0
    ]  # fmt: skip
    if more:
        click.echo(f"data       {', '.join(more)}: {doctor}", err=True)


def _found(place: DataSet, studies: Sequence[str]) -> Any:
    """What is wrong, each with what to do, and how many things are doubtful.

    It follows from the database and the checks: where neither has changed, nothing is asked.
    """
    from studybook.code import LIBRARY, text_digest
    from studybook.memory import content_sha256, recall

    def ask() -> dict[str, Any]:
        from studybook.doctor.data import Weight, examine_data
        from studybook.doctor.data.report import grouped

        found = examine_data(place.database, studies)
        wrong = []
        for check, own in groupby(
            (each for each in found if each.weight is Weight.WRONG), lambda each: each.check
        ):
            for group in grouped(own):
                more = len(group.runs) - _RUNS
                runs = ", ".join(group.runs[:_RUNS]) + (f" and {more} more" if more > 0 else "")
                wrong.append([f"{runs}: {check.title}: {group.subject}: {group.found}", group.do])
        return {
            "wrong": wrong,
            "doubtful": sum(each.weight is Weight.DOUBTFUL for each in found),
        }

    code = "".join(text_digest(LIBRARY / room) for room in ("doctor/data", "statistics"))
    follows = f"{code} {content_sha256(place.database)}"
    return recall("what is wrong with data", follows.encode(), ask, private=True)
