"""What a query needs to have rows: asked of DuckDB, with and without rows in each table."""

from __future__ import annotations

from itertools import product

import duckdb
import pytest

from studybook.records.emptiness import holds, plain_functions, rows_if
from studybook.records.parsed import macros, serialised

TABLES = ("t", "u", "v")

MACROS = (
    "CREATE OR REPLACE MACRO doubled(n) AS 2 * n;",
    "CREATE OR REPLACE MACRO total(n) AS sum(doubled(n));",
    "CREATE OR REPLACE MACRO rows_of(name) AS TABLE\nSELECT max(x) AS x FROM query_table(name);",
)

#: Where the rows of all tables match: these have some exactly where it is said that they may.
EXACT = [
    "SELECT doubled(x) AS x, if(y > 0, lower(z), NULL) FROM t",
    "FROM t JOIN u USING (x) LEFT JOIN v USING (x)",
    "FROM t, u WHERE t.x = u.x",
    "FROM t RIGHT JOIN u USING (x)",
    "FROM t FULL JOIN u USING (x) SEMI JOIN v USING (x)",
    "FROM t ASOF JOIN u USING (x)",
    "FROM t UNION ALL BY NAME FROM u",
    "(FROM t INTERSECT FROM u) UNION FROM v",
    "SELECT x, sum(y) FROM t GROUP BY x",
    "SELECT x, sum(y) FROM t GROUP BY ALL",
    "SELECT sum(y) FROM t",
    "SELECT total(y) FROM t",
    "SELECT count(*) OVER (PARTITION BY x) FROM t",
    "SELECT x, (SELECT count(*) FROM u) FROM t QUALIFY row_number() OVER () = 1",
    "SELECT x, sum(y) FROM t GROUP BY GROUPING SETS ((x), ())",
    "SELECT sum(y) AS n FROM t GROUP BY ALL",
    "WITH a AS (SELECT x FROM t), b AS (FROM a JOIN u USING (x)) FROM b",
    "WITH t AS (FROM t JOIN u USING (x)) FROM t",
    "WITH RECURSIVE r AS (SELECT x FROM t UNION ALL SELECT x + 1 FROM r WHERE x < 3) FROM r",
    "FROM (SELECT x, unnest([1, 2]) FROM t)",
    "SELECT 1",
    "FROM rows_of('t')",
    "FROM t, (SELECT max(x) FROM u WHERE u.x = t.x)",
]
#: What hangs on values: of these it is said only where they have no rows.
MORE = [
    "FROM t ANTI JOIN u USING (x)",
    "FROM t EXCEPT FROM u",
    "FROM t WHERE x IN (SELECT x FROM u)",
    "FROM t WHERE x > 7 LIMIT 1",
    "SELECT max(x) FROM t HAVING count(*) > 0",
    "FROM t POSITIONAL JOIN u",
    "FROM range(3)",
    "FROM (VALUES (1), (2))",
]


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for text in MACROS:
        connection.execute(text)
    return connection


@pytest.mark.parametrize("query", [*EXACT, *MORE])
def test_what_is_said_to_have_no_rows_has_none(
    query: str, connection: duckdb.DuckDBPyConnection
) -> None:
    (tree,) = serialised([query], connection)
    condition = rows_if(tree, plain_functions(connection, macros(MACROS)))
    for rows in product((0, 1), repeat=len(TABLES)):
        for name, n in zip(TABLES, rows, strict=True):
            one = f"SELECT 1 AS x, 2 AS y, 'a' AS z LIMIT {n}"
            connection.execute(f"CREATE OR REPLACE TABLE {name} AS {one}")
        filled = {name for name, n in zip(TABLES, rows, strict=True) if n}
        found = connection.execute(f"SELECT count(*) FROM ({query})").fetchone()
        assert holds(condition, filled) or found == (0,), filled
        if query in EXACT:
            assert holds(condition, filled) == (found != (0,)), filled
