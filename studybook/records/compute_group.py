"""Computing the models of a group of runs, each from what it reads, into files of its folder."""

from __future__ import annotations

import time
from collections import ChainMap, Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from graphlib import TopologicalSorter
from pathlib import Path
from queue import SimpleQueue

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from studybook.process.stop import Stop
from studybook.records import store
from studybook.records.emptiness import holds
from studybook.records.folders import CODEC, CODEC_LEVEL, write_account
from studybook.records.groups import across_runs
from studybook.records.models import Model, in_order, models_of
from studybook.records.rows import add_macros, create, query_of, said_of
from studybook.records.schema import no_records, records_in
from studybook.records.shapes import Columns, huge, scoped_by, tables

#: Memory of DuckDB while it computes models of runs: beside Python and its libraries, a process
#: stays below 600 MiB. What is beyond goes to the disk.
_COMPUTING = "256MiB"

#: A model sorts and groups whole tables, and not all that it holds meanwhile can go to the disk:
#: then, and across runs, it has so much.
AT_MOST = "1GiB"

#: A model that reads more rows than this goes to its file at once; of more rows, it is asked there.
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
    group = _Group(own, ledger, records, shapes, folder)
    running: dict[Future[int], str] = {}
    with ExitStack() as opened:
        rooms = [opened.enter_context(group.room(number)) for number in range(at_once)]
        threads = opened.enter_context(_threads(group, rooms))
        while order.is_active():
            # What reads most begins first: others are done meanwhile.
            for name in sorted(order.get_ready(), key=lambda n: (-group.rows_read(models[n]), n)):
                if group.is_empty(models[name]):
                    order.done(name)
                else:
                    running[threads.submit(group.compute, models[name])] = name
            for each in wait(running, return_when=FIRST_COMPLETED).done:
                name = running.pop(each)
                group.rows[name] = each.result()
                order.done(name)
    written = [[name, group.rows[name]] for name in names if group.rows[name]]
    write_account(folder, {"group_model": written})


@contextmanager
def _threads(group: _Group, rooms: Sequence[_Room]) -> Iterator[ThreadPoolExecutor]:
    """A thread for each room, which ends at once if an error leaves the block."""
    for room in rooms:
        group.free.put(room)
    with ThreadPoolExecutor(len(rooms), "models") as threads:
        try:
            yield threads
        except BaseException:
            with Stop():  # a second Ctrl-C does not leave them running
                threads.shutdown(wait=False, cancel_futures=True)
                group.stop()
            raise


@dataclass(frozen=True, eq=False)
class _Room:
    """A database in memory, and the names that it knows."""

    connection: duckdb.DuckDBPyConnection
    there: set[str] = field(default_factory=set)


class _Group:
    """What the models of a group read: tables of the ledger, records, and models that are there."""

    def __init__(
        self,
        own: Path,
        ledger: Mapping[str, pa.Table],
        records: Mapping[str, list[Path]],
        shapes: Mapping[str, Columns],
        folder: Path,
    ) -> None:
        self._own, self._ledger, self._shapes, self._folder = own, ledger, shapes, folder
        self._known = ChainMap(dict(shapes), tables())
        self._records = records
        self._filled = {name for name, table in ledger.items() if table.num_rows}
        self._stopped = False
        self._busy: set[_Room] = set()
        self.free: SimpleQueue[_Room] = SimpleQueue()
        self.rows = Counter({name: sum(map(_rows_in, files)) for name, files in records.items()})

    def rows_read(self, model: Model) -> int:
        """How many rows of records and of other models a model reads."""
        return sum(self.rows[name] for name in model.reads)

    def is_empty(self, model: Model) -> bool:
        """Whether a model has no rows, by what it reads."""
        filled = {name for name in model.reads if name in self._filled or self.rows[name]}
        return bool(model.reads and not filled) or not holds(model.rows_if, filled)

    def compute(self, model: Model) -> int:
        """Compute a model in a room that is free, and return the number of its rows.

        With few rows it is a table first, of which DuckDB knows enough to join it in a good order;
        else it goes to its file as it comes, without being in memory.
        """
        room = self.free.get()
        self._busy.add(room)
        try:
            if self._stopped:
                return 0
            self._show(room, model)
            compute = self._copy if self.rows_read(model) > _KEPT_ROWS else self._create
            with said_of(model):
                return _with_room(room.connection, partial(compute, room, model))
        finally:
            self._busy.discard(room)
            self.free.put(room)

    def stop(self) -> None:
        """End what threads are computing."""
        self._stopped = True
        while self._busy:
            for each in [*self._busy]:
                with suppress(duckdb.Error):  # it may have ended
                    each.connection.interrupt()
            time.sleep(_LOOK_S)

    @contextmanager
    def room(self, number: int) -> Iterator[_Room]:
        """Open a database in memory, in which models are computed."""
        with store.working(_COMPUTING, spill=f"{self._folder}.{number}.spill") as connection:
            add_macros(connection, self._own)
            yield _Room(connection)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.parquet"

    def _show(self, room: _Room, model: Model) -> None:
        """Let a model see what it reads; other models as tables, unless they have many rows."""
        for name in model.reads.intersection(self._known) - room.there:
            room.there.add(name)
            if name in self._ledger:
                room.connection.register(name, self._ledger[name])
                continue
            kind, query = "VIEW", no_records(self._known[name])
            if self.rows[name] and name in self._records:
                query = records_in(self._records[name])
            elif self.rows[name]:
                kind = "VIEW" if self.rows[name] > _KEPT_ROWS else "TABLE"
                query = records_in([self._path(name)], huge(self._shapes[name]))
            room.connection.execute(f"CREATE TEMP {kind} {name} AS {query}")

    def _create(self, room: _Room, model: Model) -> int:
        connection, name = room.connection, model.name
        create(connection, model, f"TEMP TABLE {name}")
        room.there.add(name)
        if not model.reads:  # it says the same in each group
            key = scoped_by(model, self._shapes[name])
            of = "run" if key == "run_id" else "raw_file"
            connection.register(of, self._ledger[of])
            connection.execute(f"DELETE FROM {name} WHERE {key} NOT IN (SELECT {key} FROM {of})")
        return self._write(room, f"FROM {name}", model)

    def _copy(self, room: _Room, model: Model) -> int:
        with query_of(room.connection, model) as sql:
            return self._write(room, sql, model)

    def _write(self, room: _Room, query: str, model: Model) -> int:
        """Write the rows of a query into the file of a model; none where there are none."""
        casts = ", ".join(
            f'"{each}"::DECIMAL(38, 0) AS "{each}"' for each in huge(self._shapes[model.name])
        )
        replaced = f"SELECT * REPLACE ({casts}) FROM ({query})" if casts else query
        path = self._path(model.name)
        quoted = str(path).replace("'", "''")
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
