"""The verb ``serve``."""

from __future__ import annotations

import webbrowser

import click

from studybook.commands._shared import data_set_option


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
def serve(data_set: str, host: str, port: int, show: bool) -> None:
    """Serve the book to a browser on this machine, until Ctrl-C."""
    from studybook.dataset.paths import DataSet
    from studybook.errors import StudyBookError
    from studybook.publish.server import server_of

    place = DataSet.named(data_set)
    if not (place.html / "index.html").is_file():
        raise StudyBookError(f"{place.html}: there is no book yet\n  → run: studybook book")
    try:
        server = server_of(place.html, host, port)
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
            server.serve_forever()
        except SystemExit:
            click.echo()
