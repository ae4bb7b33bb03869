"""Queries as they are parsed: tables that they ask, themselves and through functions; digests."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from studybook.records.parsed import macros, parse, tables_in, through_macros


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        yield opened


def test_tables_are_told_from_names_that_the_query_defines(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    sql = """
        WITH own AS (SELECT * FROM Run), later AS (FROM own SEMI JOIN (FROM host) USING (run_id))
        SELECT (SELECT count(*) FROM factor) FROM later JOIN main.metric USING (run_id)
    """
    assert tables_in(sql, connection, ()) == {"run", "host", "factor", "metric"}


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("WITH run AS (FROM run WHERE x) SELECT * FROM run", {"run"}),
        ("FROM (WITH host AS (FROM run) FROM host) JOIN host USING (x)", {"run", "host"}),
        ("WITH a AS (FROM b), b AS (FROM run) FROM a JOIN b USING (x)", {"b", "run"}),
        ("WITH host AS (FROM query_table(['host'])) FROM host", {"host"}),
        ("WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL FROM n) FROM n", set()),
    ],
)
def test_a_name_is_that_of_a_query_from_where_it_is_given(
    connection: duckdb.DuckDBPyConnection, sql: str, tables: set[str]
) -> None:
    assert tables_in(sql, connection, ["host"]) == tables


def test_a_text_is_a_table_where_one_of_that_name_is_known(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    sql = "FROM query_table(['Run', 'other'])"
    assert tables_in(sql, connection, ["run", "host"]) == {"run"}


def test_comments_and_layout_say_nothing(connection: duckdb.DuckDBPyConnection) -> None:
    one = parse("SELECT a FROM run", connection)
    assert parse("-- the runs\nSELECT\n    a\nFROM run", connection) == one
    assert parse("SELECT b FROM run", connection).digest != one.digest


def test_what_is_no_select_is_refused(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.Error):
        parse("DROP TABLE run", connection)


def test_a_query_asks_and_says_what_its_functions_do(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    def read(table: str, unused: str = "1") -> tuple[frozenset[str], str]:
        known = macros(
            (
                f"CREATE MACRO twice(n) AS 2 * n; CREATE MACRO never() AS {unused}",
                "CREATE MACRO runs() AS (SELECT twice(count(*)) FROM run)",
                f"CREATE MACRO stamped(r) AS TABLE\nFROM query_table(r) JOIN {table} USING (i)",
            )
        )
        return through_macros(parse("SELECT runs() FROM stamped('host')", connection), known)

    tables, digest = read("file")
    assert tables == {"run", "file", "host"}
    assert read("file", unused="2")[1] == digest
    assert read("clock")[1] != digest
