"""The command ``studybook``: from raw exports to the published book."""

from __future__ import annotations

import sys

import click

from pipelines import __version__
from pipelines.commands import book, figures, inspect, load, serve, status, testbed
from pipelines.errors import StudyBookError


class InOrder(click.Group):
    """A group whose help lists the verbs in the order of their use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the verbs in the order in which they were added."""
        return list(self.commands)


@click.group(
    cls=InOrder,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 all is well; 1 something failed, and is named on standard error; "
    "2 the command was not understood; 3 something is stale (status only).",
)
@click.version_option(__version__, prog_name="studybook")
def cli() -> None:
    """Turn raw performance exports into a book that can be checked.

    Raw exports lie in data/raw/<data set>/<study>/<run>/, each run with a run.yml that says what
    it was. "studybook book" does all that is needed to publish them: it loads what has changed,
    runs the figures that are stale, and builds the pages.
    """


for command in (
    inspect.inspect, load.load, figures.figures, book.book, status.status, serve.serve,
    testbed.testbed,
):  # fmt: skip
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
