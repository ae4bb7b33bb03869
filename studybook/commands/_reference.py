"""The reference of a book, as the code has it: keys, metrics, formats, commands and errors."""

from __future__ import annotations

import ast
import html
import inspect
import re
import textwrap
import typing
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel

from studybook.checked_yaml import read_yaml
from studybook.claims.goals import Goals
from studybook.code import LIBRARY, code_digest
from studybook.commands._shared import EXIT_CODES
from studybook.dataset.definition import FILE_NAME, Definition
from studybook.dataset.manifest import Run
from studybook.formats import summaries
from studybook.memory import recall
from studybook.text import counted
from studybook.units import METRICS

#: Kinds of JSON in words of people.
_KINDS = {
    "string": "text", "number": "number", "integer": "whole number", "boolean": "true or false",
    "null": "nothing", "object": "keys",
}  # fmt: skip
#: Errors whose text is for people; a ``ValueError`` is, where a file of YAML is checked.
_RAISED = ("StudyBookError", "Refused", "NeedsData", "UsageError", "AmbiguousDate")
_DO = "\n  → "


def sections(
    cli: click.Command, root: Path, database: Path | None = None
) -> dict[str, Callable[[], str]]:
    """What the reference pages of a book hold, by the marker that stands for it there.

    Parameters
    ----------
    cli : click.Command
        The command with all its verbs.
    root : pathlib.Path
        The folder of the book, for the metrics of its studies.
    database : pathlib.Path, optional
        What says of each metric what it is taken from, in these data.
    """
    of_marker: dict[str, Callable[[], str]] = {
        "keys of run.yml": lambda: _keys(Run),
        "keys of study.yml": lambda: _keys(Definition),
        "keys of goals.yml": lambda: _keys(Goals),
        "metrics": lambda: _metrics(root, _taken_from(database) if database else {}),
        "formats": _formats,
        "commands": lambda: _commands(cli),
        "exit codes": lambda: _table(
            ["Exit code", "Meaning"], [[str(code), said] for code, said in EXIT_CODES.items()]
        ),
        "errors": _errors,
    }
    return {f"<!-- {name} -->": make for name, make in of_marker.items()}


def _table(columns: list[str], rows: list[list[str]], caption: str = "") -> str:
    from studybook.table import Table  # with pandas, which only a page needs

    return Table(columns, rows, caption, dict.fromkeys(columns, _with_code))._repr_html_()


def _with_code(text: str) -> str:
    """A text as HTML, with what stands in double backquotes set as code."""
    return re.sub(r"``(.+?)``", r"<code>\1</code>", html.escape(text))


def _folded(summary: str, content: str) -> str:
    """A folded part, on one line: so Markdown leaves it as it is."""
    return f"<details><summary>{summary}</summary>{content}</details>"


# Keys of the YAML files that people write.


def _keys(model: type[BaseModel]) -> str:
    models = {each.__name__: each for each in _models(model)}
    rows = list(_rows(model, model.model_json_schema(), models, ""))
    return _folded(counted(len(rows), "key"), _table(["Key", "Value", "Meaning"], rows))


def _models(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    yield model
    for field in model.model_fields.values():
        for each in _parts(field.annotation):
            yield from _models(each)


def _parts(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for each in typing.get_args(annotation):
        yield from _parts(each)


def _rows(
    model: type[BaseModel], schema: Mapping[str, Any], models: Mapping[str, type[BaseModel]],
    above: str,
) -> Iterator[list[str]]:  # fmt: skip
    """A row for each key, those of what it holds below it."""
    said = {model.model_fields[name].alias or name: text for name, text in meanings(model).items()}
    of_model = schema.get("$defs", {}).get(model.__name__, schema)
    for key, value in of_model["properties"].items():
        words = [_words(value)] if _words(value) else []
        words += ["must be there"] if key in of_model.get("required", ()) else []
        if (default := value.get("default")) not in (None, "", [], {}):
            words.append(f"by default {default}")
        rule = "; ".join(words)
        below = list(_references(value))
        yield [f"``{above}{key}``", rule, said[key]]
        for name in below:
            if name in models:
                yield from _rows(models[name], schema, models, f"{above}{key}: ")


def meanings(model: type[BaseModel]) -> dict[str, str]:
    """What the fields of a model mean: the text below each in the code."""
    (found,) = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    assert isinstance(found, ast.ClassDef)  # noqa: S101 - it is the source of one
    said: dict[str, str] = {}
    for field, text in zip(found.body, found.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            value = text.value if isinstance(text, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                said[field.target.id] = " ".join(value.value.split())
    return said


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"].rpartition("/")[2]
        for each in value.values():
            yield from _references(each)
    elif isinstance(value, list):
        for each in value:
            yield from _references(each)


def _words(value: Mapping[str, Any]) -> str:
    """What may stand behind a key, in words."""
    if "anyOf" in value:
        words = {_words(each): None for each in value["anyOf"] if each.get("type") != "null"}
        if _KINDS["number"] in words:
            words.pop(_KINDS["integer"], None)
        return " or ".join(filter(None, words))
    if "enum" in value or "const" in value:
        given = value.get("enum", [value.get("const")])
        return " | ".join("tab" if each == "\t" else str(each) for each in given)
    if "$ref" in value:
        return "keys"
    kind = value.get("type")
    if kind == "array":
        if "prefixItems" in value:
            return counted(len(value["prefixItems"]), "value")
        of = _words(value.get("items", {}))
        return f"list of {of}" if of else "list"
    if kind == "object" and isinstance(below := value.get("additionalProperties"), dict):
        return f"names, each with {_words(below)}"
    return _KINDS.get(str(kind), "number with its unit" if not kind else str(kind))


# Metrics and formats.


def _taken_from(database: Path) -> dict[str, str]:
    """The model that gives a metric in the data at hand, and what it computes, in words."""
    from studybook.records import store  # with DuckDB, which only a page needs

    with store.connect(database) as connection:
        rows = connection.execute(
            "SELECT DISTINCT m.metric, m.from_model, coalesce(v.comment, '') AS says"
            " FROM metric m LEFT JOIN duckdb_views() v"
            " ON v.view_name = m.from_model AND v.schema_name = 'main' ORDER BY ALL"
        ).fetchall()
    return {metric: f"``{model}``\n{says}" for metric, model, says in rows}


def _metrics(root: Path, taken_from: Mapping[str, str]) -> str:
    parts = [("Of any study", list(METRICS.values()))]
    for path in sorted(root.glob(f"pipelines/*/{FILE_NAME}")):
        own = read_yaml(path, Definition).metrics
        parts.append(
            (f"Of the study {path.parent.name}",
             [each.as_metric(name) for name, each in own.items()])
        )  # fmt: skip
    return "\n".join(
        _folded(
            f"{heading}: {counted(len(metrics), 'metric')}",
            _table(
                ["Metric", "Meaning and formula", "Unit", "Better", "Taken from"],
                [
                    [
                        f"``{m.name}``",
                        f"{m.label}\n{m.formula}",
                        m.unit or "pure number",
                        m.better,
                        taken_from.get(m.name, "none of these data"),
                    ]
                    for m in metrics
                ],
            ),
        )
        for heading, metrics in parts
        if metrics
    )


def _formats() -> str:
    rows = [
        [f"``{name}``", each.title, each.certainty, ", ".join(each.tables)]
        for name, each in summaries().items()
    ]
    return _folded(
        counted(len(rows), "format"),
        _table(["Format", "What it is", "Layout", "Tables that it fills"], rows),
    )


# Commands.


def _commands(cli: click.Command) -> str:
    assert isinstance(cli, click.Group)  # noqa: S101 - it has verbs
    above = click.Context(cli, info_name="studybook")
    lines = []
    for name in cli.list_commands(above):
        verb = cli.get_command(above, name)
        if verb is None:
            continue
        context = click.Context(verb, above, name, terminal_width=90, max_content_width=90)
        text = html.escape(verb.get_help(context)).replace("\n", "&#10;")
        summary = f"<code>{name}</code> {html.escape(verb.get_short_help_str(100))}"
        lines.append(_folded(summary, f"<pre>{text}</pre>"))
    return "\n".join(lines)


# Errors.


def _errors() -> str:
    lines = []
    found = sorted(
        (path.relative_to(LIBRARY).parts[0].removesuffix(".py"), *each)
        for path in LIBRARY.rglob("*.py")
        if "template" not in path.parts
        for each in _known_errors(path.read_text(encoding="utf-8"))
    )
    for room, of_room in groupby(found, lambda each: each[0]):
        rows = [[what, do] for _, what, do in dict.fromkeys(of_room)]
        summary = f"<code>{room}</code> {counted(len(rows), 'message')}"
        lines.append(_folded(summary, _table(["Message", "What to do"], rows)))
    return "\n".join(lines)


def _known_errors(source: str) -> list[list[str]]:
    found: list[list[str]] = recall(
        f"messages {code_digest(Path(__file__))}", source.encode(), lambda: [*errors_in(source)]
    )
    return found


def errors_in(source: str) -> Iterator[tuple[str, str]]:
    """The messages for people in a source file: what is wrong, and what to do.

    What a message names stands in angle brackets. One that only passes another on is left out.
    """
    of_yaml = "(Strict)" in source or "AfterValidator" in source
    raised = {*_RAISED, *(["ValueError"] if of_yaml else [])}
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        called = node.func.id if isinstance(node.func, ast.Name) else called
        if called not in raised:
            continue
        what, _, do = _template(node.args[0]).partition(_DO)
        others = [*node.args[1:2], *(key.value for key in node.keywords if key.arg == "do")]
        do = do or "".join(map(_template, others if called == "Refused" else []))
        if re.search(r"[a-z]{2}", re.sub("‹[^›]*›", "", what)):
            yield what.strip(), do.strip().replace(_DO, "; ")


def _template(node: ast.expr) -> str:
    """A text of the code, with what is put in as a name in angle brackets."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_template, node.values))
    if isinstance(node, ast.FormattedValue):
        return _template(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _template(node.left) + _template(node.right)
    if isinstance(node, ast.IfExp):
        return _template(node.body)
    names = [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
    last = node.attr if isinstance(node, ast.Attribute) else names[-1] if names else "…"
    return f"‹{last.strip('_').replace('_', ' ')}›"
