"""The command ``studybook``: from raw exports to the published book."""

from __future__ import annotations

import sys

import click

from pipelines import __version__
from pipelines.commands import book, figures, inspect, load, serve, status
from pipelines.errors import StudyBookError


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 all is well · 1 something failed, said on standard error · "
    "2 the command was not understood · 3 something is stale (status).",
)
@click.version_option(__version__, prog_name="studybook")
def cli() -> None:
    r"""Turn raw performance exports into a book that can be checked.

    \b
    Raw exports lie in data/raw/<data set>/<study>/<run>/, each run with a run.yml.
      studybook inspect FILE   what is this file? (loads nothing)
      studybook load           raw exports into DuckDB
      studybook figures        run the notebooks of stale figures
      studybook book           all of that, then publish the book
      studybook serve          read the book in a browser
      studybook status         what is stale, and why
    """


for command in (inspect.inspect, load.load, figures.figures, book.book, status.status, serve.serve):
    cli.add_command(command)


def main() -> None:
    """Run the command line; errors meant for people are printed without a traceback."""
    try:
        cli(prog_name="studybook")
    except StudyBookError as error:
        click.secho(f"studybook: {error}", fg="red", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
