"""The verb ``serve``."""

from __future__ import annotations

import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import HTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import click

from studybook.commands._shared import data_set_option
from studybook.text import counted

if TYPE_CHECKING:
    from studybook.dataset.paths import DataSet
    from studybook.publish.server import News


@click.command()
@data_set_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="0: any free one.",
)
@click.option("--open", "show", is_flag=True, help="Open the book in a browser.")
@click.option(
    "--watch",
    is_flag=True,
    help="Build the book again when a file is saved that it follows from, and reload open pages.",
)
def serve(data_set: str, host: str, port: int, show: bool, watch: bool) -> None:
    """Serve the book to a browser on this machine, until Ctrl-C."""
    from studybook.dataset.paths import DataSet
    from studybook.errors import StudyBookError
    from studybook.publish.build import edition
    from studybook.publish.server import News, server_of

    place = DataSet.named(data_set)
    if not (place.html / "index.html").is_file():
        raise StudyBookError(f"{place.html}: there is no book yet\n  → run: studybook book")
    news = News(edition(place)) if watch else None
    try:
        server = server_of(place.html, host, port, news=news)
    except OSError as error:
        raise StudyBookError(
            f"cannot listen on {host}, port {port}: {error.strerror}\n  → try --port 0"
        ) from error
    with server:
        address = f"http://{host}:{server.server_address[1]}/"
        click.echo(f"{address}  (Ctrl-C to stop)")
        if show:
            webbrowser.open(address)
        try:
            if news:
                with _answering(server):
                    _keep_built(place, news)
            else:
                server.serve_forever()
        except SystemExit:
            click.echo()


@contextmanager
def _answering(server: HTTPServer) -> Iterator[None]:
    """Answer requests meanwhile."""
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()


def _keep_built(place: DataSet, news: News) -> None:
    """Build the book, and again each time that something has changed; tell open pages."""
    from studybook.commands.check import MISSED
    from studybook.publish.build import edition
    from studybook.publish.watch import changes

    with changes(place) as changed:
        while True:
            code = _book(place)
            fault = "" if code in (0, MISSED) else f"studybook book ended with exit code {code}"
            before = news.edition
            news.tell(edition(place), f"{fault}: see the terminal" if fault else "")
            if fault:
                stay = "; the pages are as they were" if news.edition == before else ""
                click.secho(f"{fault}{stay}", fg="red", err=True)
            click.echo("watching   the files of the book")
            first, *others = changed()
            more = f" and {counted(len(others), 'other file')}" if others else ""
            click.echo(f"changed    {first}{more}")


def _book(place: DataSet) -> int:
    """Publish the book by a process of its own, with the code as it is now; its exit code."""
    from studybook.process.pool import none_left_running
    from studybook.process.stop import Stop

    # The folder that this is called in holds no code to run; Ctrl-C is for this process alone.
    command = [sys.executable, "-P", "-m", "studybook", "book", "--data-set", place.name]
    with none_left_running():
        process = subprocess.Popen(command, start_new_session=True)  # noqa: S603 - own command
        try:
            return process.wait()
        except SystemExit:
            with Stop():  # it removes what it has half made
                process.terminate()
                process.wait()
            raise
