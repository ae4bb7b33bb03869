"""The tables of the DuckDB file of a data set: those of records, and the ledger."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import duckdb

from studybook.formats import Table, every_format
from studybook.plugins import book

#: Compression by column: DuckDB tries out each method, which takes longer than to compress. In
#: these columns the best is known: runs of one value, rising line numbers, decimal fractions.
_COMPRESSION_OF_NAME = {
    "file_id": "rle",
    "report_no": "rle",
    "segment": "rle",
    "line": "bitpacking",
}
_COMPRESSION_OF_TYPE = {"DOUBLE": "alp"}
#: Exceptions for the tables of one source, by the start of their names.
_COMPRESSION_IN = {
    "sar_": dict.fromkeys(("time_local", "time_utc", "set_back", "interval_s"), "rle"),
    "rpt_value": {"line": "rle"},
}

#: The ledger and the tables of runs. Times are UTC instants unless a name says otherwise.
LEDGER: dict[str, str] = {
    "run": "run_id VARCHAR, study VARCHAR, run VARCHAR, title VARCHAR, origin VARCHAR,"
    " kind VARCHAR, document VARCHAR, document_id VARCHAR, place VARCHAR, time_zone VARCHAR,"
    " time_zone_known VARCHAR, start_local TIMESTAMP, start_utc TIMESTAMP,"
    " stable_from_s DOUBLE, stable_to_s DOUBLE, manifest_sha256 VARCHAR",
    "factor": "run_id VARCHAR, name VARCHAR, value VARCHAR, number DOUBLE",
    "host": "run_id VARCHAR, host VARCHAR, role VARCHAR, kind VARCHAR, note VARCHAR,"
    " clock_offset_s DOUBLE, cpus INTEGER, memory_mib BIGINT",
    "run_note": "run_id VARCHAR, text VARCHAR",
    "raw_file": "file_id BIGINT, run_id VARCHAR, name VARCHAR, sha256 VARCHAR, bytes BIGINT,"
    " source VARCHAR, format VARCHAR, host VARCHAR, provenance VARCHAR, rows BIGINT,"
    " lines BIGINT, lines_in_records BIGINT, lines_in_headings BIGINT,"
    " lines_not_understood BIGINT, certainty VARCHAR",
    "refused_file": "run_id VARCHAR, name VARCHAR, sha256 VARCHAR, reason VARCHAR",
    "repair": "file_id BIGINT, line BIGINT, text VARCHAR",
    "remark": "file_id BIGINT, line BIGINT, text VARCHAR",
    "line_not_understood": "file_id BIGINT, line BIGINT, text VARCHAR",
    "reader": "source VARCHAR, code VARCHAR",
    "record": "name VARCHAR, meaning VARCHAR, source VARCHAR",
    "model": "study VARCHAR, name VARCHAR, meaning VARCHAR, across_runs BOOLEAN,"
    " reads VARCHAR[], digest VARCHAR, text_sha256 VARCHAR, query VARCHAR, scoped_by VARCHAR",
}


def record_tables() -> dict[str, Table]:
    """Every kind of record that the known formats can fill, by its name."""
    return _record_tables(book())


@cache
def _record_tables(_of_book: Path | None) -> dict[str, Table]:
    return {table.name: table for each in every_format() for table in each.tables}


def create(connection: duckdb.DuckDBPyConnection) -> None:
    """Create all tables that are not there.

    A table that another version of the readers has written is made anew: its rows come back with
    the next load.
    """
    there = dict(
        connection.execute(
            "SELECT table_name, list((column_name, data_type) ORDER BY column_index)"
            " FROM duckdb_columns() WHERE NOT internal AND schema_name = 'main'"
            " GROUP BY table_name"
        ).fetchall()
    )
    connection.begin()
    for name, columns in _definitions().items():
        if there.get(name) != list(columns.items()):
            kinds = ", ".join(
                f'"{column}" {kind}{_compression(name, column, kind)}'
                for column, kind in columns.items()
            )
            connection.execute(f"CREATE OR REPLACE TABLE {name} ({kinds})")
    connection.execute("DELETE FROM record")
    rows = [
        (table.name, table.row, each.source) for each in every_format() for table in each.tables
    ]
    connection.executemany("INSERT INTO record VALUES (?, ?, ?)", sorted(set(rows)))
    connection.commit()


def _definitions() -> dict[str, dict[str, str]]:
    """Every table of the database: its columns and their types."""
    ledger = {
        name: dict(column.strip().split(" ") for column in columns.split(","))
        for name, columns in LEDGER.items()
    }
    records = {
        name: {"file_id": "BIGINT", **table.columns} for name, table in record_tables().items()
    }
    return ledger | records


def _compression(table: str, column: str, kind: str) -> str:
    """The compression of a column, as SQL; empty where DuckDB finds it out."""
    known = _COMPRESSION_OF_NAME.get(column) or _COMPRESSION_OF_TYPE.get(kind)
    for start, columns in _COMPRESSION_IN.items():
        if table.startswith(start):
            known = columns.get(column, known)
    return f" USING COMPRESSION {known}" if known else ""
