"""The verb ``changes``."""

from __future__ import annotations

import json
import sys
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click

from studybook.commands._shared import data_set_option
from studybook.errors import StudyBookError

if TYPE_CHECKING:
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
    built; without NOW, the book around. Figures are compared as they last ran: the title of the
    chart, each number of its data, the verdict on each claim, and the origin of the data. A number
    has moved where it differs by more than the order of a sum can make it; it is told whether it
    left the interval that it had. The reasons are those of which each build has the hashes: raw
    files, published values, models, readers, notebook, parameters, code, libraries.

    With --page the answer becomes a page: list it in book/_toc.yml, and build the book once more.

    \b
    Examples:
      studybook changes last-release.zip
      studybook changes last-release.zip --page book/changes.md
      studybook changes ../yesterday/build/mine build/mine --json

    Exit code 0: all says what it said; 4: something changed; 1: there is nothing to compare.
    """
    from studybook.dataset.paths import DataSet, project_root
    from studybook.publish.changes.builds import open_build
    from studybook.publish.changes.compare import changes as changed
    from studybook.publish.changes.told import page, summary

    root = project_root() if page_file or not now else None
    builds = (
        open_build(before, data_set),
        open_build(now or DataSet.named(data_set).build, data_set),
    )
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


def _say(change: Change) -> None:
    """Print a figure: what it said and says, what moved, and why."""
    click.echo(click.style(f"{change.kind:<8} ", bold=True) + change.figure)
    for mark, said in zip(("said", "says"), change.said, strict=True):
        if said and change.said[0] != change.said[1]:
            click.echo(f"         {mark:<8} {said}")
    if told := change.told():
        click.echo(f"         numbers  {told}")
    for line in change.lines:
        click.echo(f"         also     {line}")
    for line in change.why:
        click.echo(f"         because  {line}")
