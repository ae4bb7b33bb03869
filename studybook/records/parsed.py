"""Queries as DuckDB's parser reads them: the tables and functions that they name, a digest."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import duckdb


@dataclass(frozen=True)
class Parsed:
    """A query, parsed.

    Attributes
    ----------
    named : frozenset of str
        The tables and models that it asks by name.
    handed : frozenset of str
        Texts that it hands to table functions: names of tables, perhaps.
    calls : frozenset of str
        The functions that it calls.
    digest : str
        Hash of what it says: comments and layout say nothing.
    """

    named: frozenset[str]
    handed: frozenset[str]
    calls: frozenset[str]
    digest: str


def parse(sql: str, connection: duckdb.DuckDBPyConnection) -> Parsed:
    """Parse a query.

    Parameters
    ----------
    sql : str
        One SELECT.
    connection : duckdb.DuckDBPyConnection
        Any: it parses.

    Raises
    ------
    duckdb.Error
        If it is no SELECT.
    """
    (text,) = serialised([sql], connection)
    return parsed(text)


def serialised(queries: Sequence[str], connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The trees of queries, as DuckDB writes them in JSON; all at once takes half the time."""
    rows = connection.execute(
        "SELECT json_serialize_sql(unnest(?::VARCHAR[]))", [list(queries)]
    ).fetchall()
    return [text for (text,) in rows]


def parsed(text: str) -> Parsed:
    """Read a tree, as of :func:`serialised`, but for the places of its parts in the text.

    Raises
    ------
    duckdb.Error
        If the query is no SELECT.
    """
    tree = json.loads(_PLACES.sub("", text))
    if tree.get("error"):
        raise duckdb.ParserException(str(tree.get("error_message")))
    found: defaultdict[str, set[str]] = defaultdict(set)
    for kind, name in _names(tree):
        found[kind].add(name.lower())
    digest = hashlib.sha256(json.dumps(tree).encode()).hexdigest()
    named, handed, called = (frozenset(found[kind]) for kind in ("named", "handed", "called"))
    return Parsed(named, handed, called, digest)


#: Where a part of a query stands in its text. In a literal, the quotes would be escaped.
_PLACES = re.compile(r',"query_location(?:_length)?":\d+')


def _names(tree: Any) -> Iterator[tuple[str, str]]:
    """The tables that a query names, the texts that it hands to table functions, what it calls.

    A name that it gives itself is no table from there on.
    """
    waiting: list[tuple[Any, frozenset[str]]] = [(tree, frozenset())]
    while waiting:
        each, own = waiting.pop()
        if isinstance(each, list):
            waiting += [(one, own) for one in each]
        elif isinstance(each, dict):
            if each.get("type") == "RECURSIVE_CTE_NODE":
                own |= {each["cte_name"].lower()}
            for given in each.get("cte_map", _NONE)["map"]:
                waiting.append((given["value"], own))
                own |= {given["key"].lower()}
            if each.get("type") == "BASE_TABLE" and each["table_name"].lower() not in own:
                yield "named", each["table_name"]
            if each.get("type") == "TABLE_FUNCTION":
                texts = _texts(each["function"]["arguments"])
                yield from (("handed", text) for text in texts if text not in own)
            if isinstance(each.get("function_name"), str):
                yield "called", each["function_name"]
            waiting += [(part, own) for key, part in each.items() if key != "cte_map"]


#: Stands for the common table expressions of a node that has none.
_NONE: Mapping[str, Any] = {"map": ()}


def _texts(arguments: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The texts among arguments, and in lists among them."""
    for each in arguments:
        literal = each["expression"].get("literal", {})
        if literal.get("kind") == "STRING":
            yield literal["text"].lower()
        if each["expression"].get("function_name") == "list_value":
            yield from _texts(each["expression"]["arguments"])


def tables_in(sql: str, connection: duckdb.DuckDBPyConnection, known: Iterable[str]) -> set[str]:
    """The tables and models that a query names.

    Parameters
    ----------
    sql, connection
        As for :func:`parse`.
    known : iterable of str
        Names that count where they are handed to a function as a text.

    Raises
    ------
    duckdb.Error
        If it is no SELECT.
    """
    found = parse(sql, connection)
    return {*found.named, *(found.handed & set(known))}


@cache
def macros(statements: tuple[str, ...]) -> Mapping[str, Parsed]:
    """Parse functions in SQL.

    Parameters
    ----------
    statements : tuple of str
        That create them.

    Returns
    -------
    mapping of str to Parsed
        By name.
    """
    found = {}
    with duckdb.connect() as connection:
        # They are not created to be asked for: DuckDB would look for tables that are not there.
        for text in statements:
            for statement in connection.extract_statements(text):
                head, _, body = statement.query.partition(") AS")
                name = head.rpartition("MACRO ")[2].partition("(")[0].strip().lower()
                query = body.strip().rstrip(";")
                table = query.removeprefix("TABLE\n")
                found[name] = parse(table if table != query else f"SELECT {query}", connection)
    return found


def through_macros(query: Parsed, known: Mapping[str, Parsed]) -> tuple[frozenset[str], str]:
    """The tables that a query asks, and its digest, with those of the functions that it calls.

    Parameters
    ----------
    query : Parsed
        The query.
    known : mapping of str to Parsed
        The functions, as of :func:`macros`; others are DuckDB's own.
    """
    tables, digests, waiting = query.named | query.handed, {query.digest}, {*query.calls}
    while waiting:
        macro = known.get(waiting.pop())
        if macro and macro.digest not in digests:
            digests.add(macro.digest)
            tables |= macro.named
            waiting |= macro.calls
    return tables, hashlib.sha256(" ".join(sorted(digests)).encode()).hexdigest()
