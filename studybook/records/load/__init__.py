"""Loading: raw files into tables of records, and models computed from these; a file or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from studybook.dataset.inventory import Inventory, take_inventory
from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError
from studybook.formats import every_format
from studybook.records import compute, ledger, store
from studybook.records.load.insert import load_files
from studybook.records.report import LoadReport, report


def sources() -> list[str]:
    """Every kind of raw export that the known formats belong to."""
    return sorted({each.source for each in every_format()})


def check_source(source: str) -> None:
    """Refuse a kind of raw export that no format belongs to.

    Raises
    ------
    StudyBookError
        With the kinds that there are.
    """
    if source not in sources():
        raise StudyBookError(f"no format belongs to {source!r}\n  → known: {', '.join(sources())}")


def load(
    source: str = "", *, data_set: str, database: str = "", strict: bool = False
) -> LoadReport:
    """Load every raw file of one source, or of all.

    A file that cannot be read is left out, with all its records, and the report names it. Nothing
    is done where the database has them already, as they are now, from these readers.

    Parameters
    ----------
    source : str, optional
        Kind of raw export, one of :func:`sources`; all of them by default.
    data_set : str
        Name of the data set.
    database : str, optional
        The DuckDB file; the data set's own by default.
    strict : bool
        Whether to load nothing where a file cannot be read.

    Raises
    ------
    StudyBookError
        Naming what cannot be loaded; the database is then as it was.
    """
    if source:
        check_source(source)
    place = DataSet.named(data_set)
    target = Path(database) if database else place.database
    inventory = take_inventory(place, strict=strict)
    wanted = [source] if source else inventory.sources()
    update(target, inventory, wanted, strict=strict)
    return report(source, target, inventory.not_listed)


def update(
    database: Path, inventory: Inventory, wanted: Iterable[str], *, strict: bool = False
) -> None:
    """Bring sources of a data set into a database as they are now, and its models with them.

    Parameters
    ----------
    database : pathlib.Path
        The DuckDB file; made where there is none.
    inventory : Inventory
        The data set.
    wanted : iterable of str
        The kinds of raw export.
    strict : bool
        Whether a file that cannot be read is a fault. Else it is left out, and entered as such.

    Raises
    ------
    StudyBookError
        Naming what cannot be loaded; the database is then as it was.
    """
    root = inventory.data_set.root
    missing = [each for each in wanted if not ledger.holds(database, each, inventory)]
    if not missing and database.is_file() and not compute.stale(database, root):
        return
    with _changing(database) as connection:
        if missing:
            ledger.write_runs(connection, inventory)
            for each in missing:
                ledger.forget(connection, each, inventory)
                ledger.mark_loaded(connection, each, inventory)
            ledger.leave_out(connection, inventory.left_out)
            entries = (e for e in inventory.entries if e.format.source in missing)
            load_files(connection, entries, strict=strict)
        compute.compute(connection, root)


def is_current(database: Path, inventory: Inventory, wanted: Iterable[str]) -> bool:
    """Whether a database has sources of a data set, and the models, as they are now."""
    held = all(ledger.holds(database, each, inventory) for each in wanted)
    return held and not compute.stale(database, inventory.data_set.root)


@contextmanager
def _changing(target: Path) -> Iterator[store.Connection]:
    """Change a database, or say in words why it is as it was."""
    try:
        with store.writer(target) as connection:
            yield connection
    except StudyBookError as error:
        raise StudyBookError(f"{error}\nnothing was loaded") from error
    except (OSError, *store.NOT_WRITTEN) as error:
        raise StudyBookError(
            f"{target}: cannot be written: {error}\nnothing was loaded\n"
            "  → see whether there is room on the disk, also for temporary files, and load again"
        ) from error
