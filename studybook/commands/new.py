"""The verb ``new``."""

from __future__ import annotations

import getpass
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import click

from studybook.commands._shared import study_name
from studybook.errors import StudyBookError


@click.command()
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--author", help="Who writes the book.  [default: as git has it]")
@click.option("--study", help="Name of its first study.  [default: from NAME]")
def new(name: str, folder: Path | None, author: str | None, study: str | None) -> None:
    """Write a book of your own into an empty FOLDER.

    NAME is the title that its pages print. FOLDER is made where it is not there; without it, it is
    one named like the book, in the current folder.

    \b
    Examples:
      studybook new "Checkout service"
      studybook new "Checkout service" ~/books/checkout --author "Team Payment"
    """
    from studybook.dataset.names import slug
    from studybook.intake.book import write_book

    title = " ".join(name.split())
    if title.startswith(("/", "./", "../", "~")):
        raise StudyBookError(
            f"{title!r} is a folder, and the first word is the title that pages print\n"
            f"  → studybook new {Path(title).name.title()!r} {folder or title}"
        )
    own = study_name(study or slug(title))
    place = folder or Path(own)
    written = write_book(place, title, author or _author(), own)
    click.echo(f"wrote {len(written)} files of the book {title!r} to {place}")
    there = "" if Path(place).resolve() == Path.cwd() else f"cd {place}; "
    click.echo(f"next: {there}studybook add FOLDER-OF-RAW-EXPORTS; studybook book")


def _author() -> str:
    """The name that git knows, or that of the account."""
    if git := shutil.which("git"):
        asked = subprocess.run(  # noqa: S603 - git, with words of ours
            [git, "config", "user.name"], capture_output=True, text=True, check=False
        )
        if said := asked.stdout.strip():
            return said
    with suppress(OSError, KeyError):
        return getpass.getuser()
    return "the authors"
