"""The verb ``inspect``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studybook.commands._shared import DATE_ORDERS, study_around
from studybook.errors import StudyBookError
from studybook.text import few, lasting

if TYPE_CHECKING:
    from studybook.dataset.inspection import FileType, Inspection
    from studybook.formats.contract import DateOrder
    from studybook.formats.mapped.mapping import Mapping

#: Texts in the first rows are cut at so many characters.
_LONGEST = 40


def _list_formats(context: click.Context, _option: click.Parameter, asked: bool) -> None:
    """Print every known format, and end."""
    if not asked:
        return
    from studybook.dataset.paths import use_book_around
    from studybook.formats import all_formats

    use_book_around()
    known = all_formats()
    width = max(len(each.name) for each in known)
    for each in known:
        layout = "" if each.certainty == "seen" else f" (layout {each.certainty})"
        click.echo(f"{click.style(each.name.ljust(width), bold=True)}  {each.title}{layout}")
    context.exit()


@click.command()
@click.option(
    "--formats",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_formats,
    help="List the known formats, and end.",
)
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON, one list.")
@click.option(
    "--to",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the records into this folder, one file per table.",
)
@click.option(
    "--as",
    "file_type",
    type=click.Choice(["parquet", "csv"]),
    default="parquet",
    show_default=True,
    help="How --to writes them.",
)
@click.option(
    "--rows", default=3, show_default=True, type=click.IntRange(0), help="First rows to show."
)
@click.option(
    "--date-order",
    type=click.Choice(DATE_ORDERS),
    help="How to read dates such as 05/06/16, where a file leaves it open.",
)
def inspect(
    files: tuple[Path, ...],
    as_json: bool,
    to: Path | None,
    file_type: FileType,
    rows: int,
    date_order: DateOrder | None,
) -> None:
    """Say what raw files are and what is in them; load nothing.

    For each file, and for each below a folder: format, hosts, time span, tables with their first
    rows, and the lines that were not understood. A file that is refused is named with the reason;
    the others are still shown, and the command ends with exit code 1. A file that no format knows
    is read by the tables in the study.yml of the book around, if it is one of these.

    \b
    Examples:
      studybook inspect ior.txt
      studybook inspect *.txt --json
      studybook inspect ior.txt --to records --as csv
    """
    if to is None and file_type != "parquet":
        raise click.UsageError("--as says how --to writes; name a folder by --to")
    from functools import partial

    from studybook.dataset.inspection import inspect_file
    from studybook.dataset.paths import use_book_around
    from studybook.errors import Unknown
    from studybook.formats import Hints

    use_book_around()

    files = tuple(_files(files))
    # Files of one name, as in the folders of runs, are told apart by their folders.
    names = [path.name for path in files]
    if len(set(names)) < len(names):
        names = ["-".join(part for part in path.parts if part not in "./..") for path in files]
    answers = []
    refused = 0
    for path, name in zip(files, names, strict=True):
        try:
            look = partial(inspect_file, path, keep=rows, to=to, file_type=file_type, name=name)
            try:
                seen = look(hints=Hints(date_order))
            except Unknown:
                if (table := _table_of(path)) is None:
                    raise
                seen = look(hints=Hints(date_order, table=table))
        except StudyBookError as error:
            refused += 1
            answers.append({"path": str(path), "refused": str(error)})
            click.secho(str(error), fg="red", err=True)
            continue
        answers.append(asdict(seen))
        if not as_json:
            _show(seen)
    if as_json:
        click.echo(json.dumps(answers, indent=2, default=str, ensure_ascii=False))
    sys.exit(1 if refused else 0)


def _table_of(path: Path) -> Mapping | None:
    """How the study of the book around maps a file that no format knows."""
    from studybook.dataset.definition import read_definition

    around = study_around()
    words = read_definition(*around) if around else None
    return words.table_of(path.name) if words else None


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files, and those below folders; what is left aside there is told."""
    from studybook.intake.look import files_below

    for path in paths:
        if not path.is_dir():
            yield path
            continue
        aside: list[str] = []
        found = [each for each, _ in files_below(path, aside, aside)]
        for each in aside:
            click.echo(f"not looked at: {path}/{each}", err=True)
        if not found:
            raise StudyBookError(f"{path}: holds no files\n  → name a folder with raw exports")
        yield from found


def _show(seen: Inspection) -> None:
    import pandas as pd

    click.secho(seen.path, bold=True)
    facts = {
        "format": f"{seen.format} ({seen.title})",
        "layout": {"seen": "seen in real files"}.get(seen.certainty, seen.certainty),
        "encoding": seen.encoding,
    }
    if seen.hosts:
        facts["hosts"] = few(seen.hosts, 6)
    if seen.first_time:
        last = f" to {seen.last_time}" if seen.last_time != seen.first_time else ""
        facts["times"] = f"{seen.first_time}{last}, {seen.clock}"
        if seen.last_time and seen.last_time > seen.first_time:
            facts["times"] += f": {lasting((seen.last_time - seen.first_time).total_seconds())}"
    if seen.samples:
        every = f", every {seen.interval_s:g} s" if seen.interval_s else ""
        facts["samples"] = f"{seen.samples}{every}"
    if seen.processors:
        facts["CPUs"] = " and ".join(map(str, seen.processors))
    if seen.restarts:
        facts["restarts"] = str(seen.restarts)
    if seen.executions:
        facts["load"] = f"{seen.executions}: each belongs into a run of its own"
    facts["lines"] = (
        f"{seen.lines}: {seen.lines_in_records} in records, {seen.lines_in_headings} in headings,"
        f" {seen.lines_not_understood} not understood"
    )
    for name, value in facts.items():
        click.echo(f"  {name:<9} {value}")
    for table, count in seen.rows.items():
        click.echo(f"\n  {click.style(table, bold=True)}: {count} row{'s' if count != 1 else ''}")
        if seen.first_rows.get(table):
            frame = pd.DataFrame(
                [{name: _cell(name, value) for name, value in row.items()}
                 for row in seen.first_rows[table]]
            )  # fmt: skip
            text = frame.to_string(index=False, na_rep="", max_colwidth=None, line_width=96)
            click.echo("\n".join(f"    {line}" for line in text.splitlines()))
    for what, lines in (
        ("repairs", seen.repairs),
        ("remarks", seen.remarks),
        ("not understood", seen.not_understood),
    ):
        if lines:
            click.echo(f"\n  {what}:")
            for number, line in lines[:10]:
                click.echo(f"    line {number}: {line}")
                if what == "not understood" and number in seen.unlike:
                    click.echo(f"      → {seen.unlike[number]}")
            if len(lines) > 10:
                click.echo(f"    and {len(lines) - 10} more")
    click.echo()


def _cell(name: str, value: object) -> object:
    """A value as it is shown: a long text or list is cut; a path not, whose end tells most."""
    text = str(value) if isinstance(value, str | list) and name != "path" else ""
    return f"{text[: _LONGEST - 3]}..." if len(text) > _LONGEST else value
