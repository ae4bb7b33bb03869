"""The catalogue of a database: its tables and models, each column with its meaning and unit.

For those who write notebooks, as a page of the book; and in the database itself, as comments.
"""

from __future__ import annotations

import html
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import duckdb

from studybook.checked_yaml import read_yaml
from studybook.dataset import definition
from studybook.records.meaning import FOLDER, Column, Schema
from studybook.records.models import Model, models_of
from studybook.text import counted
from studybook.units import unit_of

#: The meaning of the tables of runs and files, which no format fills.
LEDGER = Path(__file__).with_name("ledger.yml")

#: How the headings of models begin that are of one study.
OF_STUDY = "Models of the study"


@dataclass(frozen=True)
class Entry:
    """A table or a model.

    Attributes
    ----------
    name : str
        As queries name it.
    anchor : str
        Its name on the page, of which there is no other.
    group : str
        The heading that it stands under.
    meaning : str
        What a row is.
    columns : mapping of str to str
        Types by names.
    described : mapping of str to Column
        What columns mean, as far as that is said.
    key : tuple of str
        The columns by which a row is told from all others.
    notes : tuple of str
        What else is to be said.
    """

    name: str
    anchor: str
    group: str
    meaning: str
    columns: Mapping[str, str]
    described: Mapping[str, Column]
    key: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def catalogue(connection: duckdb.DuckDBPyConnection, root: Path) -> str:
    """All models and tables of a database, in Markdown.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database.
    root : pathlib.Path
        The folder of the book.
    """
    lines = []
    for entries in (_models(connection, root), _ledger(connection)):
        for group, members in groupby(entries, lambda entry: entry.group):
            folded = [_folded(each) for each in members]
            summary = f"<summary>{counted(len(folded), 'entry')}</summary>"
            lines += [f"## {group}", "", f"<details>{summary}{''.join(folded)}</details>", ""]
    return "\n".join([*lines, *_records(connection)])


def comment(connection: duckdb.DuckDBPyConnection, models: Iterable[Model]) -> None:
    """Say in the database what models and records, and their columns, mean.

    It is said of the views over all studies that have rows: of the tables of each study it would be
    the same, and each comment takes its time.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database, open to write, with a view by the name of each model.
    models : iterable of Model
        The models of the library and of all studies.
    """
    rows = connection.execute(
        "SELECT name FROM part_table UNION SELECT name FROM group_model"
        # What looks across runs, and what builds on that, are tables of each study.
        " UNION SELECT table_name FROM duckdb_tables() WHERE schema_name <> 'main'"
        " AND database_name = current_database() UNION SELECT unnest(?::VARCHAR[])",
        [[*read_yaml(LEDGER, Schema).models]],
    ).fetchall()
    filled = {name for (name,) in rows}
    there = {name: c for name, c in _columns(connection, "main").items() if name in filled}
    # What the library says of a model goes before what a study says of its own of that name.
    ordered = sorted(models, key=lambda each: (each.name, not each.path.is_relative_to(FOLDER)))
    statements = ["BEGIN"]
    for name, same in groupby(ordered, lambda each: each.name):
        of_name = list(same)
        if name not in there:
            continue
        view = f"main.{name}"
        statements.append(f"COMMENT ON VIEW {view} IS {_quoted(of_name[0].meaning.meaning)}")
        described = ChainMap(*(dict(each.columns) for each in of_name))
        for column in there[name]:
            if column in described:
                said = _with_unit(column, described[column])
                statements.append(f'COMMENT ON COLUMN {view}."{column}" IS {_quoted(said)}')
    connection.execute(";".join([*statements, *_of_tables(connection, there), "COMMIT"]))


def _of_tables(
    connection: duckdb.DuckDBPyConnection, there: Mapping[str, Mapping[str, str]]
) -> Iterator[str]:
    """Say what the tables of runs and files mean, and those that readers fill.

    A column of a reader is said with its unit, as nothing else is known of it than its name.
    """
    schema = read_yaml(LEDGER, Schema)
    for name, meaning in schema.models.items():
        yield f'COMMENT ON TABLE main."{name}" IS {_quoted(meaning.meaning)}'
        described = schema.columns | meaning.columns
        for column in sorted(there[name].keys() & described.keys()):
            said = _with_unit(column, described[column])
            yield f'COMMENT ON COLUMN main."{name}"."{column}" IS {_quoted(said)}'
    for name, said in connection.execute("SELECT DISTINCT name, meaning FROM record").fetchall():
        if name not in there:
            continue
        yield f'COMMENT ON VIEW main."{name}" IS {_quoted(said)}'
        for column in there[name]:
            words, unit = unit_of(column)
            if words and unit:
                yield f'COMMENT ON COLUMN main."{name}"."{column}" IS {_quoted(_named(column))}'


def _models(connection: duckdb.DuckDBPyConnection, root: Path) -> Iterator[Entry]:
    """Those of the library once, in the order of their folders; then those of each study."""
    rows = connection.execute("SELECT DISTINCT study FROM model ORDER BY 1").fetchall()
    found: dict[Path, Entry] = {}
    for (study,) in rows:
        own = definition.folder(root, study)
        there = _columns(connection, study)
        for name, model in models_of(own).items():
            if name in there and model.path not in found:
                group, anchor = f"{OF_STUDY} {study}", f"{study}-{name}"
                if model.path.is_relative_to(FOLDER):
                    group = f"Models: {model.path.parent.relative_to(FOLDER).as_posix()}"
                    anchor = name
                found[model.path] = _of_model(model, anchor, group, there[name])
    yield from sorted(
        found.values(), key=lambda entry: (entry.group.startswith(OF_STUDY), entry.group)
    )


def _of_model(model: Model, anchor: str, group: str, columns: Mapping[str, str]) -> Entry:
    meaning = model.meaning
    notes = [f"builds on {', '.join(sorted(model.reads))}"] if model.reads else []
    if meaning.across_runs:
        notes.insert(0, "looks across runs: computed for the runs that a figure sees")
    said, key = meaning.meaning, meaning.key
    return Entry(model.name, anchor, group, said, columns, model.columns, key, tuple(notes))


def _ledger(connection: duckdb.DuckDBPyConnection) -> Iterator[Entry]:
    there = _columns(connection, "main")
    schema = read_yaml(LEDGER, Schema)
    for name, meaning in schema.models.items():
        described = schema.columns | meaning.columns
        group = "Tables of runs and files"
        yield Entry(name, name, group, meaning.meaning, there[name], described, meaning.key)


def _records(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """The tables that readers fill, in one table for each kind of raw export."""
    from studybook.table import Table  # with pandas, which only a page needs

    there = _columns(connection, "main")
    rows = connection.execute(
        "SELECT DISTINCT source, name, meaning FROM record ORDER BY ALL"
    ).fetchall()
    yield from ("## Records", "")
    for source, members in groupby(rows, lambda row: str(row[0])):
        cells = [
            [name, f"{meaning[:1].upper()}{meaning[1:]}.", ", ".join(map(_named, there[name]))]
            for _, name, meaning in members
        ]
        table = Table(["Table", "A row is", "Columns"], cells)._repr_html_()
        summary = f"<summary><code>{source}</code> {counted(len(cells), 'table')}</summary>"
        yield f"<details>{summary}{table}</details>"


def _named(column: str) -> str:
    words, unit = unit_of(column)
    return f"{column} ({unit})" if unit and words else column


def _columns(connection: duckdb.DuckDBPyConnection, schema: str) -> dict[str, dict[str, str]]:
    """The columns of each table of a schema, with their types, in their order."""
    rows = connection.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns()"
        " WHERE database_name = current_database() AND schema_name = ?"
        " ORDER BY table_name, column_index",
        [schema],
    ).fetchall()
    found: dict[str, dict[str, str]] = {}
    for table, column, kind in rows:
        found.setdefault(table, {})[column] = kind
    return found


def _unit(name: str, column: Column | None) -> str:
    return (column.unit if column else "") or unit_of(name)[1]


def _with_unit(name: str, column: Column) -> str:
    unit = _unit(name, column)
    return f"{column.meaning} [{unit}]" if unit else column.meaning


def _rule(column: Column) -> str:
    """The bounds of its values, in words; empty where anything may stand."""
    said = ["never empty"] if column.not_null else []
    said += [f"{column.least:g} or more"] if column.least is not None else []
    said += [f"{column.most:g} or less"] if column.most is not None else []
    return ", ".join(said)


def _folded(entry: Entry) -> str:
    """An entry as a folded table, on one line: so Markdown leaves it as it is."""
    rows = []
    for name, kind in entry.columns.items():
        column = entry.described.get(name)
        meaning = column.meaning if column else ""
        rule = _rule(column) if column else ""
        # On a phone a cell is a line of its own: a column of units would be mostly empty lines.
        unit = _unit(name, column)
        said = f"{kind.lower()}, {unit}" if unit else kind.lower()
        rows.append([f"{name}\n{said}", f"{meaning}\n{rule}"])
    from studybook.table import Table  # with pandas, which only a page needs

    table = Table(["Column", "Meaning"], rows)._repr_html_()
    key = f"a row is told from others by {', '.join(entry.key)}" if entry.key else ""
    notes = "; ".join(each for each in (key, *entry.notes) if each)
    below = f"<p><small>{html.escape(notes[:1].upper() + notes[1:])}.</small></p>" if notes else ""
    summary = f"<code>{html.escape(entry.name)}</code> {html.escape(entry.meaning)}"
    return (
        f'<details id="table-{entry.anchor}"><summary>{summary}</summary>{table}{below}</details>'
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
