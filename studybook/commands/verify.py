"""The verb ``verify``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from studybook.commands._shared import progress
from studybook.text import counted

#: Ends the command where a figure differs, or cannot be run.
DIFFERS = 4

_COLOURS = {"same": "green", "as recorded": "green", "differs": "red", "cannot be run": "yellow"}


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("names", nargs=-1, metavar="[FIGURE]...")
@click.option(
    "--rerun",
    is_flag=True,
    help="Load its raw files and run its figures, and compare what comes out. That runs the code "
    "of the archive: have it from someone whom you trust.",
)
def verify(file: Path, names: tuple[str, ...], rerun: bool) -> None:
    """Check an archive of a book, on any machine; no book is needed around.

    Each file must have the hash that is in the archive's crate; those that were altered, are
    missing or are not in the crate are named. Then each figure, or each that is named, must have
    the data and the raw files of which its record has the hashes. Nothing is unpacked or run for
    that.

    With --rerun the installed studybook loads the raw files in a folder of its own, which is
    removed at the end, runs the figures, and compares the rows of each chart, figure by figure:
    same, differs (and in which rows), or cannot be run (and why). A figure of tables is compared by
    what its cells give.

    \b
    Examples:
      studybook verify book.zip
      studybook verify book.zip my-study/overview --rerun

    Exit code 0: all is well; 1: the archive is damaged, or none; 4: a figure differs, or cannot be
    run.
    """
    from studybook.publish.archive import verify as archives

    archive = archives.read(file.absolute())
    for fault in archive.faults:
        click.echo(f"damaged       {fault}")
    if archive.faults:
        click.echo(
            f"{file}: damaged in {counted(len(archive.faults), 'place')}\n"
            "  → fetch it once more from where it was published",
            err=True,
        )
        sys.exit(1)
    click.echo(f"files         {counted(len(archive.inside), 'file')} as packed")
    figures = archives.chosen(archive, names)
    verdicts = archives.by_record(archive, figures)
    if rerun:
        with progress("running", len(figures) + 1) as done:
            anew = archives.by_running(archive, figures, done)
        by_record = {each.figure: each for each in verdicts}
        # Rows say more than hashes; a figure may also differ by these alone.
        verdicts = [by_record[e.figure] if e.state == "same" and by_record[e.figure].lines else e
                    for e in anew]  # fmt: skip
        for line in archives.other_versions(archive):
            click.echo(f"other version {line}")
    for each in verdicts:
        click.echo(f"{click.style(f'{each.state:<13}', fg=_COLOURS[each.state])} {each.figure}")
        for line in each.lines:
            click.echo(f"              {line}")
    bad = [each for each in verdicts if each.state in ("differs", "cannot be run")]
    click.echo(f"{counted(len(verdicts) - len(bad), 'figure')} well, {len(bad)} not")
    if not rerun:
        click.echo("no figure was run: that takes --rerun", err=True)
    sys.exit(DIFFERS if bad else 0)
