"""Of which tables a query must have rows to have any, by its tree as DuckDB's parser gives it.

Most models of a study are of tools that it has not: to know that they are empty takes nothing, and
to compute that they are takes most of the time of a small load.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import duckdb

from studybook.records.parsed import Parsed

#: The name of a table; or ``all`` or ``any``, and conditions. Of nothing, ``all`` holds.
Condition = str | list[Any]

ALWAYS: Condition = ["all"]

#: What has rows where all, or any, of its parts have.
_SETS = {"UNION": "any", "UNION_BY_NAME": "any", "INTERSECT": "all"}
_JOINS = {"INNER": "all", "SEMI": "all", "FULL": "any"}

#: What DuckDB takes for functions, and does not list as such; and what gives rows of each row.
_OF_ONE_ROW = ("array_to_string", "if", "nullif", "split_part", "unnest")


def plain_functions(
    connection: duckdb.DuckDBPyConnection, macros: Mapping[str, Parsed]
) -> frozenset[str]:
    """The functions that give something of each row: no others are known not to aggregate.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        Any: it knows DuckDB's own.
    macros : mapping of str to Parsed
        Those that models share.
    """
    rows = connection.execute(
        "SELECT lower(function_name) FROM duckdb_functions() GROUP BY ALL"
        " HAVING bool_and(function_type = 'scalar')"
    ).fetchall()
    plain = {*_OF_ONE_ROW, *(name for (name,) in rows)}
    while more := {name for name, each in macros.items() if each.calls <= plain} - plain:
        plain |= more
    return frozenset(plain)


def rows_if(text: str, plain: Collection[str]) -> Condition:
    """Say of which tables a query must have rows to have any itself.

    Parameters
    ----------
    text : str
        The tree of one SELECT, as of :func:`~studybook.records.parsed.serialised`.
    plain : collection of str
        As of :func:`plain_functions`.

    Returns
    -------
    Condition
        Where it does not hold, the query has no rows; where it holds, it may have some.
    """
    (statement,) = json.loads(text)["statements"]
    return _of_query(statement["node"], {}, plain)


def holds(condition: Condition, filled: Collection[str]) -> bool:
    """Whether a condition holds where these tables have rows."""
    if isinstance(condition, str):
        return condition in filled
    kind, *parts = condition
    return (all if kind == "all" else any)(holds(each, filled) for each in parts)


def _of_query(
    node: Mapping[str, Any], known: Mapping[str, Condition], plain: Collection[str]
) -> Condition:
    for each in node["cte_map"]["map"]:
        known = {**known, each["key"].lower(): _of_query(each["value"]["query_node"], known, plain)}
    if node["type"] == "SELECT_NODE" and not _has_one_row(node, plain):
        return _of_table(node["from_table"], known, plain)
    if node["type"] == "RECURSIVE_CTE_NODE":
        return _of_query(node["left"], known, plain)
    if node["type"] == "SET_OPERATION_NODE":
        parts = [_of_query(each, known, plain) for each in node["children"]]
        if node["setop_type"] == "EXCEPT":
            return parts[0]
        if node["setop_type"] in _SETS:
            return [_SETS[node["setop_type"]], *parts]
    return ALWAYS


def _of_table(
    node: Mapping[str, Any], known: Mapping[str, Condition], plain: Collection[str]
) -> Condition:
    if node["type"] == "BASE_TABLE" and not node.get("schema_name"):
        name = node["table_name"].lower()
        return known.get(name, name)
    if node["type"] == "SUBQUERY":
        return _of_query(node["subquery"]["node"], known, plain)
    if node["type"] == "JOIN" and node["ref_type"] != "POSITIONAL":
        left, right = (_of_table(node[side], known, plain) for side in ("left", "right"))
        if node["join_type"] in _JOINS:
            return [_JOINS[node["join_type"]], left, right]
        return {"LEFT": left, "ANTI": left, "RIGHT": right}.get(node["join_type"], ALWAYS)
    return ALWAYS


def _has_one_row(node: Mapping[str, Any], plain: Collection[str]) -> bool:
    """Whether a SELECT may have a row of nothing, as an aggregate has that is of no group."""
    said = node["select_list"]
    if node["aggregate_handling"] == "FORCE_AGGREGATES":  # by what it has beside aggregates
        return all(each["class"] not in ("COLUMN_REF", "STAR") for each in said)
    if node["group_sets"]:
        return not all(node["group_sets"])
    return bool(node["having"]) or any(name not in plain for name in _calls(said))


def _calls(tree: Any) -> Iterator[str]:
    """The functions that are called in a part of a tree, but over windows."""
    if isinstance(tree, dict):
        if tree.get("class") == "FUNCTION":
            yield tree["function_name"].lower()
        # What a query in it aggregates is its own.
        tree = [tree.get("child")] if tree.get("class") == "SUBQUERY" else [*tree.values()]
    if isinstance(tree, list):
        for each in tree:
            yield from _calls(each)
