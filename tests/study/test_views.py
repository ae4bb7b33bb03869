"""Views that are created when a query names them."""

from __future__ import annotations

import re

import duckdb
import pytest

from studybook.records import derived, schema
from studybook.study.views import Views

VIEWS = """
-- one, not broken, is what all build on
CREATE OR REPLACE MACRO twice(x) AS 2 * x;
CREATE OR REPLACE VIEW one AS SELECT 1 AS n, 'the column' AS two;
CREATE OR REPLACE VIEW two AS SELECT twice(n) AS n FROM one;
CREATE VIEW broken AS FROM nowhere;  -- two
CREATE VIEW words AS SELECT 'it''s one -- of' AS text, 1 AS "both's"; /* one */
"""


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


@pytest.fixture
def views(connection: duckdb.DuckDBPyConnection) -> Views:
    views = Views(connection)
    views.define(VIEWS)
    return views


def there(connection: duckdb.DuckDBPyConnection) -> set[str]:
    rows = connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
    return {name for (name,) in rows}


def without_comments(statement: str) -> str:
    return re.sub("--.*", "", statement).strip("; \n")


def test_what_a_query_names_is_there_with_all_that_it_builds_on(
    connection: duckdb.DuckDBPyConnection, views: Views
) -> None:
    views.need("SELECT n FROM two")
    assert there(connection) == {"one", "two"}
    assert connection.execute("FROM two").fetchall() == [(2,)]


def test_a_column_may_have_the_name_of_a_later_view(
    connection: duckdb.DuckDBPyConnection, views: Views
) -> None:
    views.need("FROM one")
    assert there(connection) == {"one"}
    assert connection.execute("SELECT two FROM one").fetchall() == [("the column",)]


def test_a_view_that_cannot_be_made_is_an_error_of_who_asks(views: Views) -> None:
    views.need("FROM one")
    with pytest.raises(duckdb.CatalogException, match="nowhere"):
        views.need("FROM broken")


def test_names_may_be_written_in_capitals_and_behind_dashes(
    connection: duckdb.DuckDBPyConnection, views: Views
) -> None:
    views.need("SELECT 'a -- b' FROM TWO")
    assert there(connection) == {"one", "two"}


def test_what_a_text_or_a_comment_says_names_no_view(
    connection: duckdb.DuckDBPyConnection, views: Views
) -> None:
    views.need("""SELECT text, 'two' AS "it's", -- broken
        /* one's */ "both's" FROM words""")
    assert there(connection) == {"words"}
    views.need('SELECT n AS "it\'s --" FROM two')
    assert there(connection) == {"one", "two", "words"}


def test_who_asks_again_is_told_again(connection: duckdb.DuckDBPyConnection, views: Views) -> None:
    for _ in range(2):
        with pytest.raises(duckdb.CatalogException, match="nowhere"):
            views.need("FROM broken")
    connection.execute("CREATE TABLE nowhere (n INTEGER)")
    views.need("FROM broken")
    assert connection.execute("FROM broken").fetchall() == []


def test_the_last_definition_counts(connection: duckdb.DuckDBPyConnection, views: Views) -> None:
    views.define("CREATE VIEW one AS SELECT 10 AS n, 0 AS two")
    views.need("FROM two")
    assert connection.execute("FROM two").fetchall() == [(20,)]


@pytest.mark.parametrize("when", ["before", "after"])
def test_what_is_kept_is_computed_once(
    connection: duckdb.DuckDBPyConnection, views: Views, when: str
) -> None:
    views.define("CREATE VIEW one AS SELECT random() AS n, 0 AS two")
    if when == "before":
        views.keep("two")
        views.need("FROM two")
    else:
        views.need("FROM two")
        views.keep("two")
    views.keep("two")
    first = connection.execute("FROM two").fetchall()
    assert connection.execute("FROM two").fetchall() == first


def test_views_are_told_apart_as_duckdb_does(connection: duckdb.DuckDBPyConnection) -> None:
    for path in (*schema.view_files(), *derived.view_files()):
        views = Views(connection)
        views.define(path.read_text(encoding="utf-8"))
        found = [without_comments(statement) for (statement,) in views._waiting.values()]
        own = connection.extract_statements(path.read_text(encoding="utf-8"))
        assert found == [without_comments(each.query) for each in own], path


def test_only_views_and_macros_are_defined(views: Views) -> None:
    with pytest.raises(ValueError, match="neither view nor macro"):
        views.define("DROP TABLE run")
