"""The verb ``explore``."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option(
    "--from",
    "file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE.tgz",
    help="Take the package from a file, for a machine without a network.",
)
def explore(file: Path | None) -> None:
    """Fetch DuckDB for browsers, so that readers can ask the data of a book.

    It is DuckDB-Wasm, a package of npm: 30 MB are fetched once and checked against a known hash; 8
    MB are kept in your data folder for all books. From then on "studybook book" puts it beside the
    page book/explore.md, on which readers ask in SQL, without any network. Nothing of your data is
    sent anywhere. The environment variable npm_config_registry names another registry.

    \b
    Examples:
      studybook explore
      studybook explore --from duckdb-wasm-1.32.0.tgz

    Exit code 1: it cannot be fetched, or is another file than it should be.
    """
    from studybook.commands._shared import progress_in_bytes
    from studybook.publish.explore import package

    there = f"{package.NAME} {package.VERSION}: in {package.place()}"
    if package.is_there() and file is None:
        click.echo(f"{there}, as before")
        return
    if file is not None:
        package.take_in(file.read_bytes(), str(file))
    else:
        click.echo(f"fetching   {package.address()}", err=True)
        with progress_in_bytes("fetching") as done:
            packed = package.fetch(done)
        package.take_in(packed, package.address())
    size = sum(path.stat().st_size for path in package.place().iterdir())
    click.echo(f"{there}, {size / 2**20:.1f} MiB")
    click.echo("  → studybook book puts it into a book")
