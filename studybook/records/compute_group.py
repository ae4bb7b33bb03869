"""Computing the models of a group of runs, each from what it reads, into files of its folder."""

from __future__ import annotations

import time
from collections import ChainMap, Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from graphlib import TopologicalSorter
from itertools import count
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from studybook.process.stop import Stop
from studybook.records import store
from studybook.records.emptiness import holds
from studybook.records.folders import CODEC, CODEC_LEVEL, write_account
from studybook.records.groups import across_runs
from studybook.records.models import Model, in_order, models_of
from studybook.records.rows import add_macros, query_of, said_of
from studybook.records.schema import no_records, records_in
from studybook.records.shapes import Columns, huge, scoped_by, tables

#: Memory of DuckDB while it computes models of runs, for each thread: beside Python and its
#: libraries, a process of one stays below 600 MiB. What is beyond goes to the disk.
_COMPUTING = "256MiB"

#: A model sorts and groups whole tables, and not all that it holds meanwhile can go to the disk:
#: then, and across runs, it has so much.
AT_MOST = "1GiB"

#: A model of more rows than this is asked in its file. One of fewer is a table: DuckDB knows enough
#: of it to join it in a good order.
_KEPT_ROWS = 100_000

#: Seconds between two requests to a query to end.
_LOOK_S = 0.05


def compute_group(
    own: Path,
    ledger: Mapping[str, pa.Table],
    records: Mapping[str, list[Path]],
    shapes: Mapping[str, Columns],
    at_once: int,
    folder: Path,
) -> None:
    """Compute the models of a group that look at one run each.

    A model of which all that it reads is empty is not computed: it is empty, too; nor is one that
    can have no rows where some of that has none.

    Parameters
    ----------
    own : pathlib.Path
        The folder of the study's own models.
    ledger : mapping of str to pyarrow.Table
        What the ledger has of the runs.
    records : mapping of str to list of pathlib.Path
        The files of their records.
    shapes : mapping
        The columns of all models.
    at_once : int
        How many models are computed at once, in threads; it changes no result.
    folder : pathlib.Path
        Where the models go; made here.

    Raises
    ------
    StudyBookError
        Naming the file of a model that DuckDB does not accept.
    """
    folder.mkdir(parents=True)
    models = models_of(own)
    across = across_runs(models)
    names = [model.name for model in in_order(models) if model.name not in across]
    order = TopologicalSorter({name: models[name].reads.intersection(names) for name in names})
    order.prepare()
    running: dict[Future[int], str] = {}
    in_python: list[str] = []
    with (
        _Group(own, ledger, records, shapes, folder) as group,
        _threads(at_once, group, running) as threads,
    ):
        while order.is_active():
            ready = order.get_ready()
            # What reads most begins first: others are done meanwhile.
            for name in sorted(ready, key=lambda each: (-group.rows_read(models[each]), each)):
                if group.is_empty(models[name]):
                    order.done(name)
                elif models[name].sql:
                    running[threads.submit(group.compute, models[name])] = name
                else:
                    in_python.append(name)
            if ready:
                continue
            for each in wait(running, return_when=FIRST_COMPLETED).done:
                name = running[each]
                group.rows[name] = each.result()
                del running[each]
                order.done(name)
            # Here an interrupt ends them, where they work alone.
            if in_python and not running:
                name = in_python.pop(0)
                group.rows[name] = group.compute(models[name])
                order.done(name)
    written = [[name, group.rows[name]] for name in names if group.rows[name]]
    write_account(folder, {"group_model": written})


@contextmanager
def _threads(
    most: int, group: _Group, running: Mapping[Future[int], str]
) -> Iterator[ThreadPoolExecutor]:
    """Threads for queries of a group, which end at once if an error leaves the block."""
    with ThreadPoolExecutor(most, "models") as threads:
        try:
            yield threads
        except BaseException:
            with Stop():  # a second Ctrl-C does not leave them running
                threads.shutdown(wait=False, cancel_futures=True)
                group.stop()
                while not all(each.done() for each in running):
                    group.stop()
            raise


@dataclass(frozen=True, eq=False)
class _Room:
    """A database in memory, and the names that it knows."""

    connection: duckdb.DuckDBPyConnection
    there: set[str] = field(default_factory=set)


class _Group(ExitStack):
    """What the models of a group read: tables of the ledger, records, and models that are there."""

    def __init__(
        self,
        own: Path,
        ledger: Mapping[str, pa.Table],
        records: Mapping[str, list[Path]],
        shapes: Mapping[str, Columns],
        folder: Path,
    ) -> None:
        super().__init__()
        self._own, self._ledger, self._shapes, self._folder = own, ledger, shapes, folder
        self._known = ChainMap(dict(shapes), tables())
        self._records = records
        self._filled = {name for name, table in ledger.items() if table.num_rows}
        self._stopped = False
        self._free: list[_Room] = []
        self._busy: set[_Room] = set()
        self._numbers = count()
        self.rows = Counter({name: sum(map(_rows_in, files)) for name, files in records.items()})

    def rows_read(self, model: Model) -> int:
        """How many rows of records and of other models a model reads."""
        return sum(self.rows[name] for name in model.reads)

    def is_empty(self, model: Model) -> bool:
        """Whether a model has no rows, by what it reads."""
        filled = {name for name in model.reads if name in self._filled or self.rows[name]}
        return bool(model.reads and not filled) or not holds(model.rows_if, filled)

    def compute(self, model: Model) -> int:
        """Compute a model in a room that is free, and return the number of its rows."""
        with self._room() as room:
            if self._stopped:
                return 0
            with said_of(model):
                return _with_room(room.connection, partial(self._write, room, model))

    def stop(self) -> None:
        """Ask what threads are computing to end."""
        self._stopped = True
        for each in [*self._busy]:
            with suppress(duckdb.Error):  # it may have ended
                each.connection.interrupt()
        time.sleep(_LOOK_S)

    @contextmanager
    def _room(self) -> Iterator[_Room]:
        """A room that nobody else is in: the last one that was left, or a new one."""
        try:
            room = self._free.pop()
        except IndexError:
            room = self._opened()
        self._busy.add(room)
        try:
            yield room
        finally:
            self._busy.discard(room)
            self._free.append(room)

    def _opened(self) -> _Room:
        spill = f"{self._folder}.{next(self._numbers)}.spill"
        connection = self.enter_context(store.working(_COMPUTING, spill=spill))
        add_macros(connection, self._own)
        return _Room(connection)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.parquet"

    def _show(self, room: _Room, model: Model) -> None:
        """Let a model see what it reads; other models as tables, unless they have many rows."""
        for name in model.reads.intersection(self._known) - room.there:
            if name in self._ledger:
                room.connection.register(name, self._ledger[name])
            else:
                kind, query = "VIEW", no_records(self._known[name])
                if self.rows[name] and name in self._records:
                    query = records_in(self._records[name])
                elif self.rows[name]:
                    kind = "VIEW" if self.rows[name] > _KEPT_ROWS else "TABLE"
                    query = records_in([self._path(name)], huge(self._shapes[name]))
                room.connection.execute(f"CREATE TEMP {kind} {name} AS {query}")
            room.there.add(name)

    def _write(self, room: _Room, model: Model) -> int:
        """Write the rows of a model into its file; none where there are none.

        Others read it there, whatever room they are in: what DuckDB knows of a table that was just
        computed is not what it knows of the same rows from a file, and so would their order be.
        """
        self._show(room, model)
        path = self._path(model.name)
        quoted = str(path).replace("'", "''")
        casts = ", ".join(
            f'"{each}"::DECIMAL(38, 0) AS "{each}"' for each in huge(self._shapes[model.name])
        )
        with query_of(room.connection, model) as query:
            if not model.reads:  # it says the same in each group
                key = scoped_by(model, self._shapes[model.name])
                of = "run" if key == "run_id" else "raw_file"
                room.connection.register(of, self._ledger[of])
                query = f"FROM ({query}) WHERE {key} IN (SELECT {key} FROM {of})"
            replaced = f"SELECT * REPLACE ({casts}) FROM ({query})" if casts else query
            ((rows,),) = room.connection.execute(
                f"COPY ({replaced}) TO '{quoted}'"
                f" (FORMAT parquet, COMPRESSION {CODEC}, COMPRESSION_LEVEL {CODEC_LEVEL})"
            ).fetchall()
        if not rows:
            path.unlink()
        return int(rows)


def _rows_in(path: Path) -> int:
    return int(pq.read_metadata(path).num_rows)


def _with_room(connection: duckdb.DuckDBPyConnection, compute: Callable[[], int]) -> int:
    """Compute a model; with more memory where it cannot do with what is enough for others."""
    try:
        return compute()
    except duckdb.OutOfMemoryException:
        connection.execute(f"SET memory_limit = '{AT_MOST}'")
    try:
        return compute()
    finally:
        connection.execute(f"SET memory_limit = '{_COMPUTING}'")
