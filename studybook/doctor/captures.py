"""The captures of a data set in a database: the one that is loaded, or one made for the moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from studybook.dataset.inventory import Inventory
from studybook.doctor.check import SOURCES
from studybook.errors import StudyBookError
from studybook.process.scratch import scratch
from studybook.records.load import is_current, update


@contextmanager
def captures(inventory: Inventory) -> Iterator[Path]:
    """Find or make a database that holds the captures as they lie there now.

    Nothing of the data set is changed: where it is not loaded, or stale, the captures alone (they
    are small) go to a database in a temporary folder.

    Parameters
    ----------
    inventory : Inventory
        The data set.

    Yields
    ------
    pathlib.Path
        The DuckDB file.

    Raises
    ------
    StudyBookError
        Naming every capture that cannot be read.
    """
    loaded = inventory.data_set.database
    if _is_current(loaded, inventory):
        yield loaded
        return
    with scratch() as folder:
        database = folder / loaded.name
        update(database, inventory, SOURCES)
        yield database


def _is_current(database: Path, inventory: Inventory) -> bool:
    try:
        return is_current(database, inventory, SOURCES)
    except StudyBookError:
        # It cannot be opened: whoever loads it next will be told; the captures lie there still.
        return False
