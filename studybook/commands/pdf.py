"""The verb ``pdf``."""

from __future__ import annotations

from pathlib import Path

import click

from studybook.commands._shared import data_set_option


@click.command()
@data_set_option
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write it.  [default: build/<data set>/book.pdf]",
)
def pdf(data_set: str, output: Path | None) -> None:
    """Print the book into one PDF: title, contents, all chapters.

    Chromium, which must be installed, prints the pages as "studybook book" built them: run that
    before. The PDF is tagged for screen readers and has an outline, page numbers in its contents,
    links, and charts as drawings that stay sharp. Folds are open on paper; left to the screen are
    the code of figures, the numbers behind charts, loading reports, and the rows of tables and
    folds that are very long: a note says so there. A FILE that is there is replaced. No network
    is used.

    \b
    Examples:
      studybook book && studybook pdf
      studybook pdf --data-set reference --output ~/study-book.pdf

    Exit code 1: the book is not built, there is no Chromium, or FILE cannot be written.
    """
    from studybook.dataset.paths import DataSet
    from studybook.publish.paper import print_book

    place = DataSet.named(data_set)
    target = output or place.build / "book.pdf"
    click.echo("pages      are being printed, which takes minutes for hundreds of them", err=True)
    printed = print_book(place, target)
    size = f"{target.stat().st_size / 2**20:.1f} MiB"
    click.echo(f"{target}: {printed.pages} sheets of {printed.chapters} pages of the book, {size}")
    if printed.left_out:
        click.echo(f"left out: {printed.left_out} loading reports, which are for the screen")
