"""The command ``studybook``: from raw exports to the published book."""

from __future__ import annotations

import errno
import gc
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.metadata import entry_points
from types import FrameType
from typing import NoReturn

import click

from studybook import __version__
from studybook.commands._shared import EXIT_CODES
from studybook.commands._terminal import guard
from studybook.errors import StudyBookError, did_you_mean
from studybook.process.stop import SIGNALS

#: In the order of their use; each is the command of that name in ``studybook.commands.<verb>``.
#: Other packages add theirs by the entry-point group of that name.
VERBS = (
    "new", "add", "inspect", "load", "figures", "book", "check", "record", "guard", "compare",
    "history", "status",
    "sql", "export", "pdf", "archive", "verify", "changes", "doctor", "serve", "explore", "measure",
)  # fmt: skip
_GROUP = "studybook.commands"

#: Python looks for cycles among objects after each 700 new ones, and often among all that are
#: there: half of the time in which pages were made from nothing. What ends soon can do without.
_NEW_OBJECTS = 100_000, 50, 10

#: What the system refuses, and no mistake of a program: what to do about it.
_OF_THE_SYSTEM = {
    errno.EACCES: "see by ls -ld to whom it and its folder belong, and who may write there",
    errno.EPERM: "see by ls -ld to whom it and its folder belong, and who may write there",
    errno.EROFS: "the file system can only be read: work on a copy of the book",
    errno.EEXIST: "move it away: a folder must be in its place",
    errno.ENOTDIR: "move it away, or the file that is in the place of a folder above it",
    errno.ENOSPC: "make room on the disk; what was there before is as it was",
    errno.EFBIG: "raise what one file may hold (ulimit -f)",
    errno.EDQUOT: "make room within your quota; what was there before is as it was",
}


class Verbs(click.Group):
    """A group whose verbs are imported when they are asked for.

    The libraries of all of them together take longer than the work of most.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the verbs in the order of their use."""
        return [*VERBS, *sorted(each.name for each in entry_points(group=_GROUP))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a verb; None if there is no such."""
        command: click.Command
        if cmd_name in VERBS:
            command = getattr(import_module(f"studybook.commands.{cmd_name}"), cmd_name)
            return command
        for entry in entry_points(group=_GROUP, name=cmd_name):
            command = entry.load()
            return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb that is asked for; one that is misspelt is told with the one like it."""
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            like = did_you_mean(args[0], self.list_commands(ctx))
            ctx.fail(f"there is no verb {args[0]!r}" + (like and f"; {like}"))
        return super().resolve_command(ctx, args)


@click.group(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"Exit codes: {'; '.join(f'{code} {said}' for code, said in EXIT_CODES.items())}.",
)
@click.version_option(__version__, prog_name="studybook")
def cli() -> None:
    """Turn raw performance exports into a book that can be checked.

    Raw exports lie in data/raw/<data set>/<study>/<run>/, each run with a run.yml that says what
    it was. "studybook book" does all that is needed to publish them: it loads what has changed,
    runs the figures that are stale, and builds the pages.
    """


class Stopped(SystemExit):
    """Someone asked to stop: what is being made is removed on the way out."""


def answer(arguments: Sequence[str] | None = None) -> NoReturn:
    """Do what arguments ask for, by default those of the process, and end with its exit code.

    Errors meant for people are printed without a traceback.
    """
    try:
        cli(arguments, prog_name="studybook")
    except StudyBookError as error:
        click.secho(f"studybook: {error}", fg="red", err=True)
        sys.exit(1)
    except OSError as error:
        first = _first(error)
        if first.errno not in _OF_THE_SYSTEM:
            raise
        do, place = _OF_THE_SYSTEM[first.errno], first.filename or "a file"
        click.secho(f"studybook: {place}: {first.strerror}\n  → {do}", fg="red", err=True)
        sys.exit(1)
    sys.exit(0)


def _first(error: OSError) -> OSError:
    """The error itself; of a folder that was copied, that of the first file that was not."""
    if not isinstance(error, shutil.Error) or not isinstance(error.args[0], list):
        return error
    _, target, said = error.args[0][0]
    number = re.search(r"\[Errno (\d+)\]", said)
    return OSError(int(number[1]), os.strerror(int(number[1])), target) if number else error


def main() -> None:
    """Run the command line, until it is done or someone asks to stop."""
    gc.set_threshold(*_NEW_OBJECTS)
    with stoppable():
        guard()
        try:
            answer()
        except Stopped:
            with suppress(OSError):  # the terminal may be gone
                click.echo("studybook: stopped", err=True)
            raise


@contextmanager
def stoppable() -> Iterator[None]:
    """Have signals raise :class:`Stopped` while this is entered, and end the process behind it.

    What Python does at its end must not be interrupted by an error: a thread that it then no longer
    waits for may hold a lock, for which it would wait itself, for ever.
    """
    asked = [each for each in SIGNALS if signal.getsignal(each) is not signal.SIG_IGN]  # by nohup
    for number in asked:
        signal.signal(number, _stop)
    before, sys.unraisablehook = sys.unraisablehook, _ask_again
    try:
        yield
    finally:
        sys.unraisablehook = before
        for number in asked:
            signal.signal(number, signal.SIG_DFL)


def _stop(number: int, _: FrameType | None) -> NoReturn:
    raise Stopped(128 + number)


def _ask_again(ignored: sys.UnraisableHookArgs) -> None:
    """Raise a signal once more that came where Python ignores what is raised.

    Such as in what it calls when an object goes: at the end of each import there is one.
    """
    error = ignored.exc_value
    if not isinstance(error, Stopped):
        sys.__unraisablehook__(ignored)
        return
    number = int(error.code or 0) - 128
    # Raised here, it would be ignored here.
    signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(number))
    signal.setitimer(signal.ITIMER_REAL, 0.01)


if __name__ == "__main__":
    main()
