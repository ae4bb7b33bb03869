"""The verb ``changes``."""

from __future__ import annotations

import json
import sys
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click

from studybook.commands._shared import data_set_option, option_of, say_reasons
from studybook.errors import StudyBookError

if TYPE_CHECKING:
    from studybook.dataset.paths import DataSet
    from studybook.publish.changes.compare import Change

#: Ends the command where something moved.
MOVED = 4


@click.command()
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("now", type=click.Path(path_type=Path), required=False)
@data_set_option
@click.option(
    "--page",
    "page_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the answer as a page of the book, such as book/changes.md, too.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def changes(
    before: Path, now: Path | None, data_set: str, page_file: Path | None, as_json: bool
) -> None:
    """Say what changed since an earlier build: which numbers moved, by how much, and why.

    BEFORE and NOW are archives (studybook archive), folders build/<data set>, or books that are
    built; without NOW, the book around, whose figures must be up to date. Figures are compared as
    they last ran: the verdict on each goal and claim, the title of the chart (of a page without
    one, its sentence), each number of its data, and the origin of the data. A number
    has moved where it differs by more than the order of a sum can make it; it is told whether it
    left the interval that it had. The reasons are those of which each build has the hashes: raw
    files, published values, models, readers, notebook, parameters, code, libraries.

    With --page the answer becomes a page: list it in book/_toc.yml, and build the book once more.

    \b
    Examples:
      studybook changes last-release.zip
      studybook changes last-release.zip --page book/changes.md
      studybook changes ../yesterday/build/mine build/mine --json

    Exit code 0: all says what it said; 4: something changed; 1: there is nothing to compare, or a
    figure of the book around is stale.
    """
    from studybook.dataset.paths import project_root
    from studybook.publish.changes.builds import open_build
    from studybook.publish.changes.compare import changes as changed
    from studybook.publish.changes.told import page, summary

    root = project_root() if page_file or not now else None
    target = now or project_root()
    around = _around(target, data_set)
    builds = (
        open_build(before, data_set),
        open_build(around.build if around else target, data_set),
    )
    if around:
        _refuse_stale(around)
    found = changed(*builds)
    if page_file and root:
        path = page_file.absolute()
        if path.suffix != ".md" or not path.is_relative_to(root / "book"):
            raise StudyBookError(
                f"{page_file}: is no page of the book\n  → name one such as book/changes.md"
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        place = PurePosixPath(path.relative_to(root).as_posix())
        path.write_text(page(found, *builds, place), encoding="utf-8")
    if as_json:
        click.echo(json.dumps([each.record() for each in found], indent=2, ensure_ascii=False))
    else:
        for each in found:
            _say(each)
        click.echo(summary(found, *builds))
    sys.exit(MOVED if found else 0)


def _around(now: Path, data_set: str) -> DataSet | None:
    """The data set of the book around whose build is meant; None where another one is."""
    from studybook.dataset.paths import DataSet, project_root

    try:
        root, place = project_root(), now.resolve()
    except StudyBookError:
        return None
    if place == root:
        return DataSet.named(data_set)
    if place.parent == root / "build" and (root / "data/raw" / place.name).is_dir():
        return DataSet.named(place.name)
    return None


def _refuse_stale(place: DataSet) -> None:
    """End the command where figures do not say what the data say now."""
    from studybook.dataset.inventory import take_inventory
    from studybook.engine.notebooks import figures_of
    from studybook.engine.update import plan_figures

    inventory = take_inventory(place)
    stale = False
    for plan in plan_figures(place, inventory, figures_of(inventory)):
        # That a figure failed, and would again, is what its build says.
        reasons = [each for each in plan.reasons if not each.startswith("failed: ")]
        if reasons:
            stale = True
            say_reasons(plan.notebook.id, reasons, err=True)
    if stale:
        click.echo(f"nothing was compared\n  → studybook book{option_of(place)}, first", err=True)
        sys.exit(1)


def _say(change: Change) -> None:
    """Print a figure: its other verdicts, what it said and says, what moved, and why."""
    click.echo(click.style(f"{change.kind:<8} ", bold=True) + change.figure)
    for verdict in change.verdicts:
        click.echo(f"         verdict  {verdict}")
    for mark, said in zip(("said", "says"), change.said, strict=True):
        if said and change.said[0] != change.said[1]:
            click.echo(f"         {mark:<8} {said}")
    if told := change.told():
        click.echo(f"         numbers  {told}")
    for line in change.lines:
        click.echo(f"         also     {line}")
    for line in change.why:
        click.echo(f"         because  {line}")
