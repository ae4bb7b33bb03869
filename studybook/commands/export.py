"""The verb ``export``."""

from __future__ import annotations

from pathlib import Path

import click

from studybook.commands._shared import data_set_option


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@data_set_option
def export(file: Path, data_set: str) -> None:
    """Write all records and models of a data set into one DuckDB FILE, to hand on.

    The database of a book has the models, and finds the records in Parquet files beside it; this
    one needs no other file. The data set must be loaded. A FILE that is there stays as it is.

    \b
    Example:
      studybook export for-you.duckdb --data-set reference

    Exit code 1: the data set is not loaded, or FILE is there or cannot be written.
    """
    from studybook.dataset.paths import DataSet
    from studybook.records.export import export_database

    export_database(DataSet.named(data_set).database, file)
    click.echo(f"{file}: {file.stat().st_size / 2**20:.1f} MiB")
