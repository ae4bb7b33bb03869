"""Loading: raw files into records, and models computed from these; a file or nothing.

What was read before, by the same code, is not read again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from studybook.dataset.inventory import Inventory, take_inventory
from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError
from studybook.formats import every_format
from studybook.records import compute, ledger, store
from studybook.records.folders import beside, check_place, put, read_account, remove_others
from studybook.records.load.read import read_parts
from studybook.records.parts import Part, parts_of
from studybook.records.report import LoadReport, report
from studybook.records.schema import files_of_records, show_records


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
    source: str = "",
    *,
    data_set: str,
    database: str = "",
    strict: bool = False,
    anew: bool = False,
) -> LoadReport:
    """Load every raw file of one source, or of all.

    A file that cannot be read is left out, with all its records, and the report names it. What the
    database has of other sources is brought up to date, too. Nothing is done where all is there
    already, as it is now, from these readers.

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
    anew : bool
        Whether to read again what was read before.

    Raises
    ------
    StudyBookError
        Naming what cannot be loaded; the database is then as it was.
    """
    place = DataSet.named(data_set)  # and its book, whose formats are known from now on
    if source:
        check_source(source)
    target = Path(database) if database else place.database
    inventory = take_inventory(place)
    wanted = [source] if source else inventory.sources()
    update(target, inventory, wanted, strict=strict, anew=anew)
    return report(source, target, inventory.not_listed)


def update(
    database: Path,
    inventory: Inventory,
    wanted: Iterable[str],
    *,
    strict: bool = False,
    anew: bool = False,
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
    anew : bool
        Whether to read again what was read before.

    Raises
    ------
    StudyBookError
        Naming what cannot be loaded; the database is then as it was.
    """
    wanted = {*wanted}
    if not anew and is_current(database, inventory, wanted):
        if strict:
            with closing(store.connect(database)) as connection:
                ledger.refuse_left_out(connection, inventory.data_set)
        return
    check_place(beside(database, "records"))
    with _changing(database) as connection:
        before = connection.execute("SELECT DISTINCT source FROM part").fetchall()
        of_sources = parts_of(inventory, wanted.union(*before))
        records = beside(database, "records")
        # Until this database takes its place, people read the one that is there, or a copy of it.
        in_use = store.folders_in_use(inventory.data_set.database)
        for kind, of_copy in store.folders_of(connection).items():
            in_use[kind] += of_copy
        kept = set() if anew else _kept(of_sources, records, database)
        folders = _read(of_sources, records, kept, in_use["records"], store.scratch(connection))
        accounts = [read_account(records / folder) for folder in folders]
        ledger.write_runs(connection, inventory)
        ledger.write_files(connection, accounts, inventory.left_out)
        if strict:
            ledger.refuse_left_out(connection, inventory.data_set)
        read = zip(of_sources, folders, accounts, strict=True)
        ledger.write_parts(connection, records, read)
        compute.forget_views(connection)
        show_records(connection, files_of_records(connection, records))
        root = inventory.data_set.root
        compute.compute(connection, database, root, in_use["models"], anew=anew)


def _kept(of_sources: Iterable[Part], records: Path, database: Path) -> set[Part]:
    """The parts of which the records are there, as they were written."""
    # The hash of a large file takes a while: it is not needed where nothing was read of its run.
    able = [part for part in of_sources if (records / part.run_id).is_dir()]
    altered = store.altered(database, "records", [part.folder for part in able])
    return {part for part in able if part.folder not in altered}


def _read(
    of_sources: Collection[Part],
    records: Path,
    kept: Collection[Part],
    in_use: Collection[str],
    scratch: Path,
) -> list[str]:
    """Read the parts that are not kept, and return the folders of all of them."""
    found = {part: part.folder for part in kept}
    remove_others(records, [*in_use, *found.values()])
    for part, made, digests in read_parts([p for p in of_sources if p not in kept], scratch):
        found[part] = part.folder_of(digests)
        put(made, records / found[part])
    return [found[part] for part in of_sources]


def is_current(database: Path, inventory: Inventory, wanted: Iterable[str]) -> bool:
    """Whether a database has sources of a data set, and the models, as they are now."""
    found = ledger.loaded(database) if database.is_file() else None
    if found is None:
        return False
    said = inventory.run_hashes | inventory.words
    there = said.keys() | inventory.file_hashes.keys()
    known = said | {each.name: each.sha256 for each in inventory.left_out}
    sources = {*wanted}
    now = {part.folder for part in parts_of(inventory, sources)}
    return (
        known.items() <= found.files.items()
        and found.files.keys() <= there
        and now == {folder for folder, (source, _) in found.parts.items() if source in sources}
        and not store.altered(database, "records", now)
        and not store.altered(database, "models", found.groups)
        and not compute.stale(found.models, inventory.data_set.root)
    )


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
