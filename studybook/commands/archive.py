"""The verb ``archive``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from studybook.commands._shared import data_set_option, say_reasons, work_alone


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_set_option
@click.option(
    "--without-raw",
    is_flag=True,
    help="Leave the raw files out; a list of their hashes goes along (data/<data set>.sha256).",
)
def archive(file: Path, data_set: str, without_raw: bool) -> None:
    """Pack the book of a data set into one zip FILE that others can verify.

    In it are the pages (and what lies beside them as PDF), the data of all figures as CSV with the
    meaning of their columns, executed notebooks, raw files, published values, pipelines and
    notebooks, as they lie in the book: unpacked, it is one. Its ro-crate-metadata.json (RO-Crate
    1.1) has the hash of each file, and of each figure the raw files, code, parameters and libraries
    that it follows from. The same book gives the same bytes.

    The book must be up to date. A FILE that is there stays as it is.

    \b
    Examples:
      studybook archive book.zip
      studybook archive book.zip --data-set reference --without-raw
      studybook verify book.zip

    Exit code 1: something is stale, the book was never built, or FILE is there.
    """
    from studybook.dataset.inventory import take_inventory
    from studybook.dataset.paths import DataSet
    from studybook.engine.notebooks import figures_of
    from studybook.engine.stale import load_reasons
    from studybook.engine.update import plan_figures
    from studybook.publish.archive.pack import pack
    from studybook.publish.build import book_reasons

    place, target = DataSet.named(data_set), file.absolute()
    work_alone(place)
    inventory = take_inventory(place)
    chosen = figures_of(inventory)
    stale = {"database": load_reasons(place, inventory)}
    stale |= {plan.notebook.id: plan.reasons for plan in plan_figures(place, inventory, chosen)}
    stale["book"] = book_reasons(place, chosen, [name for name, why in stale.items() if why])
    if any(stale.values()):
        for name, reasons in stale.items():
            if reasons:
                say_reasons(name, reasons)
        click.echo(f"nothing was packed\n  → studybook book -d {data_set}, first", err=True)
        sys.exit(1)
    files = pack(place, chosen, target, raw=not without_raw)
    size = target.stat().st_size / 2**20
    click.echo(f"{file}: {files:,} files, {len(chosen)} figures, {size:.1f} MiB")
