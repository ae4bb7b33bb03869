"""Views that are created when a query first names them, and what they build on with them.

DuckDB binds a view when it is created, through all that it builds on. There are a hundred semantic
views, and a notebook asks a handful of them: creating the others would take longer than asking.
"""

from __future__ import annotations

import re

import duckdb

_WORD = re.compile(r"\w+")
#: Comments and texts, in which no view is named; a name in quotes may hold what begins one.
_NO_NAMES = re.compile(r"""("[^"]*")|--.*|/\*[\s\S]*?\*/|'[^']*'""")
#: A statement: up to a semicolon that is in none of these. DuckDB's own parser takes a tenth of a
#: second for all views, of which a notebook asks a few.
_STATEMENT = re.compile(rf"(?:{_NO_NAMES.pattern}|[^;])+")
_CREATES = re.compile(r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:VIEW|MACRO)\s+(\w+)", re.IGNORECASE)


class Views:
    """Definitions of views and macros, each waiting until it is named.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        Where they are created.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._waiting: dict[str, list[str]] = {}
        self._places: dict[str, int] = {}
        self._kept: set[str] = set()

    def define(self, sql: str) -> None:
        """Define views and macros, each after those that it builds on.

        One that is defined again keeps its place.
        """
        for match in _STATEMENT.finditer(sql):
            bare = _NO_NAMES.sub(r"\1", match[0]).strip()
            if not bare:
                continue  # comments behind the last statement
            found = _CREATES.match(bare)
            if not found:
                raise ValueError(f"creates neither view nor macro: {match[0]}")
            name = found[1].lower()
            self._waiting[name] = [match[0]]
            self._places.setdefault(name, len(self._places))

    def keep(self, name: str) -> None:
        """Compute a view once, for the queries that follow: when it is needed, or else now."""
        if name in self._kept:
            return
        self._kept.add(name)
        keeping = [
            f"CREATE TABLE kept_{name} AS FROM {name}",
            f"CREATE OR REPLACE VIEW {name} AS FROM kept_{name}",
        ]
        if name in self._waiting:
            self._waiting[name] += keeping
        else:
            for statement in keeping:
                self._connection.execute(statement)

    def need(self, sql: str) -> None:
        """Create what a query names, unless it is there."""
        self._need(sql, before=len(self._places))

    def _need(self, sql: str, before: int) -> None:
        for name in map(str.lower, _WORD.findall(_NO_NAMES.sub(r"\1", sql))):
            # A view builds on what was defined before it; a later one is named as a column is.
            if name in self._waiting and self._places[name] < before:
                statements = self._waiting.pop(name)
                try:
                    for statement in statements:
                        self._need(statement, self._places[name])
                        self._connection.execute(statement)
                except duckdb.Error:
                    self._waiting[name] = statements  # who asks again is told again
                    raise
