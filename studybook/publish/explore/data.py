"""The data that readers ask: one DuckDB file with the data of all figures, runs, and models.

It is the smaller part of what a book has. Left out are raw records and the models that bring them
into one form, and of the others the largest, where all would be too much for a page to load.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from studybook.checked_yaml import read_yaml
from studybook.dataset.definition import FILE_NAME, Definition, folder
from studybook.dataset.paths import DataSet
from studybook.engine.outputs import METADATA, Record, record_path
from studybook.process.scratch import scratch
from studybook.records import store
from studybook.records.meaning import FOLDER
from studybook.records.models import models_of
from studybook.units import METRICS, Metric, unit_of

#: What all tables of models may have together, as rows times columns: some 3 MB to load.
MOST_CELLS = 2_000_000

#: A format of files that the DuckDB of browsers reads, too, which is an older one.
_FORMAT = "STORAGE_VERSION 'v1.0.0', BLOCK_SIZE 16384, RECOVERY_MODE 'NO_WAL_WRITES'"

#: The tables of runs and files that tell a reader something.
_OF_RUNS = ("run", "factor", "host", "run_note", "raw_file", "refused_file", "remark", "repair")

#: Names of databases and schemas there, which a study may have, too.
_TAKEN = ("main", "temp", "system", "book", "memory", "data")

#: Tables that stand beside those of the database.
_OURS = ("figure", "metric_name")

#: What a table is of, in the order in which a page tells of them.
FIGURES, RUNS, MODELS = "figures", "runs and files", "models"

#: Types of columns of CSV files, in the words of their metadata.
_TYPES = {"number": "DOUBLE", "integer": "BIGINT", "string": "VARCHAR"}
_IN_BRACKETS = re.compile(r"(?P<meaning>.*?)(?: \[(?P<unit>[^\[\]]*)\])?", re.DOTALL)


@dataclass(frozen=True)
class Table:
    """A table that readers can ask.

    Attributes
    ----------
    name : str
        As queries name it.
    group : str
        What it is of.
    meaning : str
        What a row is.
    rows : int
        How many there are.
    origins : tuple of str
        Where its rows come from; empty where they are of no run.
    columns : tuple of tuples
        Name, type, unit and meaning of each.
    """

    name: str
    group: str
    meaning: str
    rows: int
    origins: tuple[str, ...]
    columns: tuple[tuple[str, str, str, str], ...]


@dataclass(frozen=True)
class Contents:
    """What the file holds.

    Attributes
    ----------
    tables : tuple of Table
        Its tables.
    left_out : tuple of tuples
        Name and rows of each model that it has not, as it is too large.
    """

    tables: tuple[Table, ...]
    left_out: tuple[tuple[str, int], ...]


def write(data_set: DataSet, records: Sequence[Record], target: Path) -> Contents:
    """Write the file, packed by gzip: the same rows for the same data, if not in the same bytes.

    Parameters
    ----------
    data_set : DataSet
        The data set; it must be loaded.
    records : sequence of Record
        The figures of its book.
    target : pathlib.Path
        The file.
    """
    with (
        scratch(data_set.build) as place,
        store.connect(data_set.database) as source,
        store.working() as made,
    ):
        source.execute("SET threads = 1")  # rows in the same order each time
        made.execute("ATTACH ':memory:' AS book; USE book")
        writer = _Writer(source, made)
        tables = [*_figures(writer, data_set, records), *_of_runs(writer, data_set.root)]
        models, left_out = _models(writer, data_set.root)
        # At once: written bit by bit, the same rows may lie in other places of the file.
        file = place / "data.duckdb"
        made.execute(f"ATTACH '{_text(file)}' AS file ({_FORMAT})")
        made.execute("COPY FROM DATABASE book TO file; USE memory; DETACH file")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(gzip.compress(file.read_bytes(), compresslevel=6, mtime=0))
    return Contents((*tables, *models), tuple(left_out))


class _Writer:
    """What takes rows from the database of a book, or from files, into the one for readers."""

    def __init__(self, source: duckdb.DuckDBPyConnection, made: duckdb.DuckDBPyConnection) -> None:
        self.source, self.made = source, made
        rows = made.execute(
            "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category != 'unreserved'"
        )
        self._reserved = {word for (word,) in rows.fetchall()}
        # Said of the views over all studies; a database that was moved has others before them.
        said = source.execute(
            "SELECT view_name, '', comment FROM duckdb_views() WHERE schema_name = 'main'"
            " UNION ALL SELECT table_name, '', comment FROM duckdb_tables()"
            " WHERE schema_name = 'main'"
            " UNION ALL SELECT table_name, column_name, comment FROM duckdb_columns()"
            " WHERE schema_name = 'main'"
        ).fetchall()
        self._said = {(table, column): text for table, column, text in said if text}

    def named(self, *parts: str) -> str:
        """A name as queries have it: quoted only where it must be."""
        plain = re.compile(r"[a-z_][a-z0-9_]*")
        return ".".join(
            part
            if plain.fullmatch(part) and part not in self._reserved
            else '"' + part.replace('"', '""') + '"'
            for part in parts
        )

    def columns(self, name: str) -> dict[str, str]:
        """The columns of a table of the book, with their types."""
        rows = self.source.execute(f'DESCRIBE FROM "{name}"').fetchall()
        return {row[0]: row[1] for row in rows}

    def count(self, name: str) -> int:
        """The rows of a table of the book."""
        rows = self.source.execute(f'SELECT count(*) FROM "{name}"').fetchall()
        return int(rows[0][0])

    def take(self, name: str, group: str) -> Table:
        """Take over a table, without runs that do not count; each row says where it comes from."""
        columns = self.columns(name)
        of, origin = f'FROM "{name}" t', ""
        if "origin" not in columns and "run_id" in columns:
            of, origin = f"{of} LEFT JOIN run r USING (run_id)", "r.origin, "
        elif "origin" not in columns and "file_id" in columns:
            of += " LEFT JOIN raw_file f USING (file_id) LEFT JOIN run r ON r.run_id = f.run_id"
            origin = "r.origin, "
        if name != "run" and (key := next((k for k in ("run_id", "file_id") if k in columns), "")):
            every = "run" if key == "run_id" else "raw_file JOIN run USING (run_id)"
            excluded = f"SELECT {key} FROM {every} WHERE excluded IS NOT NULL"
            of += f' WHERE t."{key}" IS NULL OR t."{key}" NOT IN ({excluded})'
        # A browser has no time zones: instants are those of UTC, as all others here.
        shown = ", ".join(
            f'epoch_us(t."{each}")::BIGINT AS "{each}"'
            if kind == "TIMESTAMP WITH TIME ZONE"
            else f't."{each}"'
            for each, kind in columns.items()
        )
        rows = self.source.sql(f"SELECT {origin}{shown} {of}").to_arrow_table()
        self.made.register("rows_of_it", rows)
        instants = [each for each, kind in columns.items() if kind == "TIMESTAMP WITH TIME ZONE"]
        replaced = ", ".join(f'make_timestamp("{each}") AS "{each}"' for each in instants)
        query = f"SELECT * {f'REPLACE ({replaced})' if replaced else ''} FROM rows_of_it"
        meant = {}
        for each in columns:
            found = _IN_BRACKETS.fullmatch(self._said.get((name, each), ""))
            assert found  # noqa: S101 - it matches any text
            meant[each] = (found["unit"] or unit_of(each)[1], found["meaning"])
        meant.setdefault("origin", ("", "Where the run comes from: measured or simulated."))
        free = f"{name}_" if name in _OURS else name  # a study may have a model of that name
        table = self.keep((free,), group, self._said.get((name, ""), ""), query, meant)
        self.made.unregister("rows_of_it")
        return table

    def keep(
        self,
        name: tuple[str, ...],
        group: str,
        meaning: str,
        query: str,
        meant: Mapping[str, tuple[str, str]],
    ) -> Table:
        """Make a table of the rows of a query, and say in the file, too, what it means."""
        said = self.named(*name)
        self.made.execute(f"CREATE TABLE {said} AS {query}")
        statements = [f"COMMENT ON TABLE {said} IS '{_text(meaning)}'"]
        columns = []
        for column, kind, *_ in self.made.execute(f"DESCRIBE {said}").fetchall():
            unit, words = meant.get(column, (unit_of(column)[1], ""))
            columns.append((column, kind.lower(), unit, words))
            if text := f"{words} [{unit}]".strip() if unit else words:
                statements.append(f"COMMENT ON COLUMN {said}.\"{column}\" IS '{_text(text)}'")
        self.made.execute(";".join(statements))
        rows = self.made.execute(f"SELECT count(*) FROM {said}").fetchall()[0][0]
        origins: list[str] = []
        if "origin" in (column[0] for column in columns):
            found = self.made.execute(
                f"SELECT DISTINCT origin FROM {said} WHERE origin IS NOT NULL ORDER BY 1"
            )
            origins = [origin for (origin,) in found.fetchall()]
        return Table(said, group, meaning, rows, tuple(origins), tuple(columns))


def _text(text: object) -> str:
    return str(text).replace("'", "''")


def _figures(writer: _Writer, data_set: DataSet, records: Sequence[Record]) -> Iterator[Table]:
    """The data of each figure, as in the CSV file beside it; and which figures there are."""
    drawn, made = [], list[Table]()
    for record in records:
        data = record_path(data_set, record.id).with_suffix(".csv")
        if not record.finding or not data.is_file():
            continue
        said = json.loads(data.with_name(data.name + METADATA).read_text(encoding="utf-8"))
        study, _, figure = record.id.partition("/")
        # No schema that DuckDB has itself, as a study may be called.
        schema = re.sub(r"\W", "_", study)
        schema += "_figures" if schema in _TAKEN else ""
        writer.made.execute(f"CREATE SCHEMA IF NOT EXISTS {writer.named(schema)}")
        name = (schema, re.sub(r"\W", "_", figure))
        made.append(writer.keep(name, FIGURES, record.finding, _rows_of(data, said), _meant(said)))
        origins = ", ".join(made[-1].origins)
        drawn.append((made[-1].name, record.id, record.title, record.finding, origins))
    if drawn:
        columns = {
            "data": "The table with the data of the figure.",
            "figure": "The figure, as study/name.",
            "title": "The title of its page.",
            "finding": "What its chart says.",
            "origin": "Where its data come from.",
        }
        values = ", ".join(f"({', '.join(_quoted(each) for each in row)})" for row in drawn)
        yield writer.keep(
            ("figure",), FIGURES, "One row per figure: what it says, and the table of its data.",
            f"SELECT * FROM (VALUES {values}) f ({', '.join(columns)})",
            {column: ("", words) for column, words in columns.items()},
        )  # fmt: skip
    yield from made


def _quoted(text: str) -> str:
    return f"'{_text(text)}'"


def _rows_of(data: Path, said: Mapping[str, Any]) -> str:
    """A query of a CSV file, with the unit of each row where its quantity is named there."""
    columns = {}
    for each in said["tableSchema"]["columns"]:
        kind = each["datatype"]
        columns[each["name"]] = "BOOLEAN" if isinstance(kind, dict) else _TYPES[kind]
    typed = ", ".join(f"{_quoted(name)}: '{kind}'" for name, kind in columns.items())
    rows = f"read_csv({_quoted(str(data))}, header = true, columns = {{{typed}}})"
    measured = said.get("schema:variableMeasured", [])
    by = next((each for each in ("metric", "quantity") if each in columns), "")
    if not measured or not by or "unit" in columns:
        return f"SELECT * FROM {rows}"
    cases = []
    # Those of a part of the rows, which its description ends in, come first.
    for each in sorted(measured, key=lambda each: "," not in each["schema:description"]):
        part = each["schema:description"].rpartition(", ")[2]
        known = part in ("difference", "knee", "residual") and "part" in columns
        of_part = f" AND part = {_quoted(part)}" if known else ""
        where = f'"{by}" = {_quoted(each["schema:name"])}{of_part}'
        cases.append(f"WHEN {where} THEN {_quoted(each['schema:unitText'])}")
    return f"SELECT *, CASE {' '.join(cases)} END AS unit FROM {rows}"


def _meant(said: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Unit and meaning of the columns of a figure's data."""
    found = {
        each["name"]: (
            each.get("schema:unitText", ""),
            each.get("dc:description", "").replace("schema:variableMeasured", "unit"),
        )
        for each in said["tableSchema"]["columns"]
    }
    return found | {"unit": ("", "The unit of value, low and high.")}


def definitions(root: Path) -> list[Path]:
    """The files that say what the metrics of studies are."""
    return sorted(root.glob(f"pipelines/*/{FILE_NAME}"))


def _of_runs(writer: _Writer, root: Path) -> Iterator[Table]:
    for name in _OF_RUNS:
        yield writer.take(name, RUNS)
    own: dict[str, Metric] = {}
    for path in definitions(root):
        for name, of_study in read_yaml(path, Definition).metrics.items():
            own[name] = of_study.as_metric(name)
    found = writer.source.execute("SELECT DISTINCT metric FROM metric ORDER BY 1").fetchall()
    known = [each for (name,) in found if (each := own.get(name) or METRICS.get(name))]
    if known:
        columns = {
            "metric": "Name of the metric, as in other tables.",
            "label": "What it is.",
            "unit": "Its unit; empty for counts.",
            "better": "Which direction is an improvement.",
        }
        values = ", ".join(
            f"({', '.join(map(_quoted, (each.name, each.label, each.unit, each.better)))})"
            for each in known
        )
        yield writer.keep(
            ("metric_name",), MODELS, "One row per metric that these data have: what it is.",
            f"SELECT * FROM (VALUES {values}) m ({', '.join(columns)})",
            {column: ("", words) for column, words in columns.items()},
        )  # fmt: skip


def _models(writer: _Writer, root: Path) -> tuple[list[Table], list[tuple[str, int]]]:
    """The models that have rows, but for those that bring raw records into one form.

    The smallest come first, so that what there is no room for are few.
    """
    studies = writer.source.execute("SELECT DISTINCT study FROM model ORDER BY 1").fetchall()
    names: set[str] = set()
    for (study,) in studies:
        for name, model in models_of(folder(root, study)).items():
            place = model.path.parent
            if not place.is_relative_to(FOLDER / "staging"):
                names.add(name)
    sizes = {name: writer.count(name) for name in sorted(names)}
    cells = {name: rows * len(writer.columns(name)) for name, rows in sizes.items() if rows}
    room, tables, left_out = MOST_CELLS, [], []
    for name in sorted(cells, key=lambda name: (cells[name], name)):
        room -= cells[name]
        if room < 0:
            left_out.append((name, sizes[name]))
        else:
            tables.append(writer.take(name, MODELS))
    return sorted(tables, key=lambda table: table.name), left_out
