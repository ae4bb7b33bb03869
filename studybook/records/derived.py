"""What the stable phase of each run says, computed once per data set and kept beside the database.

Dozens of notebooks ask for the same means over the stable phase. These depend on the exports of
their run alone, so they are computed once, for all runs, into ``derived.duckdb`` (by
:mod:`studybook.engine.derive`). A study takes a run's rows from there if it sees all the exports
of its runs that they rest on, and asks for no other phase. Else, or without the file, it computes
them: by the same views, with the same result, and once, too.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import duckdb

from studybook.records import store

#: The views that find the stable phase: all others rest on them.
STABLE_PHASE = ("driver_interval", "mser_batch", "stable_phase")

#: The views that are kept: each row tells of one run, from exports of that run alone.
VIEWS = (
    *STABLE_PHASE, "phase_driver", "phase_driver_bytes",
    "phase_ifl", "phase_guest", "phase_cpu", "phase_host_cpu", "phase_node_cpu", "phase_interface",
    "phase_network", "phase_disk", "phase_file_system", "phase_operation", "run_metric",
    "common_time", "host_metric", "page_pool_use",
)  # fmt: skip

#: What several of those read: where they are computed, each of these is computed first, and once.
SHARED = ("perfkit_row", "cpu_use", "network_rate", "disk_rate", "throughput", "response_time")

#: The load drivers, by the kinds of raw export: the same views tell of all of them.
DRIVERS = ("gatling", "jtl", "k6", "locust", "rpt")

#: The kinds of raw export that they rest on; the stable phase rests on those of drivers alone.
SOURCES = (*DRIVERS, "mmpmon", "perfkit", "sar")


def view_files() -> list[Path]:
    """The views of a study, in the order of creation: the stable phase, and what builds on it.

    The other views are of the database; these depend on what a notebook asks for.
    """
    return sorted((Path(__file__).parent.parent / "models/study").glob("*.sql"))


def place(database: Path) -> Path:
    """Where the derived tables of a database lie."""
    return database.with_name("derived.duckdb")


def made_from(database: Path) -> str:
    """Hash of everything that the derived tables follow from: the database and the views."""
    digest = hashlib.sha256(repr(store.loaded(database)).encode())
    for path in view_files():
        digest.update(path.read_bytes())
    return digest.hexdigest()


def attach(connection: duckdb.DuckDBPyConnection, database: Path) -> bool:
    """Attach the derived tables of a database as ``derived``, if they are those of it as it is.

    Returns
    -------
    bool
        Whether they can be used.
    """
    path = place(database)
    if not path.is_file():
        return False
    try:
        quoted = str(path).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS derived (READ_ONLY)")
        found = connection.execute("SELECT digest FROM derived.made_from").fetchone()
    except duckdb.Error:
        return False  # of another version, or being written: what it holds is computed instead
    return found == (made_from(database),)
