"""What holds for every raw format: right rows and whole accounts. For damage, see test_damage.

Formats, fixtures and lists of expected values are found by being there:

* ``tests/data/<source>/<file>`` with ``<file>.expected.yml`` beside it: our own fixtures
  (``tests/support/fixtures.py``);
* ``tests/expected/<source>.yml``: what the sample files must give.
"""

from __future__ import annotations

import math
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from studybook.errors import Refused
from studybook.formats import all_formats, recognise
from studybook.formats.raw import RawFile
from tests.support.fixtures import FIXTURES, READABLE, TESTS, expected_of, load_list, short
from tests.support.reading import Rows, lines_of, read_rows

LISTS = sorted((TESTS / "expected").glob("*.yml"))

SAMPLES = [
    pytest.param(name, expected, id=name)
    for path in LISTS
    for name, expected in load_list(path)["files"].items()
]


def printed(rows: Rows) -> Rows:
    """Rows as they were printed: one per rate, where a table keeps lists of rates."""
    found = dict(rows)
    if "sar_interrupt" in rows:
        found["sar_interrupt"] = [
            {key: value for key, value in row.items() if key not in ("names", "rates_per_s")}
            | ({"interrupt": name} if row["interrupt"] is None else {"cpu": name})
            | {"interrupts_per_s": rate}
            for row in rows["sar_interrupt"]
            for name, rate in zip(row["names"].split(" "), row["rates_per_s"], strict=True)
        ]
    return found


def same(found: Any, expected: Any) -> bool:
    """Whether a value is the expected one; dates are written as in the database."""
    if isinstance(found, datetime):
        return str(found) == str(expected)
    if isinstance(found, float) and isinstance(expected, int | float):
        return math.isclose(found, expected, rel_tol=1e-12)
    return bool(found == expected)


def check(path: Path, expected: dict[str, Any]) -> None:
    """Hold a file to what is expected of it."""
    if "refused" in expected:
        if "format" in expected:
            assert recognise(RawFile(path)).name == expected["format"]
        with pytest.raises(Refused) as refusal:
            read_rows(path)
        assert expected["refused"] in str(refusal.value)
        assert refusal.value.do, "a refusal says what to do"
        return
    found, reading, rows = read_rows(path)
    assert found.name == expected["format"]
    assert {table: len(each) for table, each in rows.items()} == dict(reading.rows)
    rows = printed(rows)
    assert {table: len(each) for table, each in rows.items()} == expected["rows"]
    assert reading.lines_not_understood == expected["not_understood"], reading.not_understood
    for words in expected.get("remarks", []):
        assert any(words in said for _, said in reading.remarks), reading.remarks
    if not found.binary:  # its lines are those of what its tool makes of it
        assert reading.lines == len(lines_of(path))
    for value in expected.get("values", []):
        chosen = [
            row
            for row in rows[value["table"]]
            if all(same(row[column], wanted) for column, wanted in value.get("where", {}).items())
        ]
        assert len(chosen) == 1, f"{len(chosen)} rows of {value['table']} {value.get('where')}"
        for column, wanted in value["expect"].items():
            value_found = chosen[0][column]
            assert same(value_found, wanted), f"{column}: {value_found!r}, not {wanted!r}"


# --- what the files must give -----------------------------------------------------------


@pytest.mark.parametrize("path", FIXTURES, ids=short)
def test_fixture(path: Path) -> None:
    check(path, expected_of(path))


@pytest.mark.parametrize(("name", "expected"), SAMPLES)
def test_sample(samples_dir: Path, name: str, expected: dict[str, Any]) -> None:
    check(samples_dir / name, expected)


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_every_sample_is_listed(samples_dir: Path, path: Path) -> None:
    listed = load_list(path)
    folders = listed.get("folders") or [listed["folder"]]
    on_disk = {
        each.relative_to(samples_dir).as_posix()
        for folder in folders
        for each in (samples_dir / folder).rglob("*")
        if each.is_file() and each.name not in ("SOURCES.md", "README.md")
    }
    # A folder's files may be spread over several lists.
    anywhere = {name for each in LISTS for name in load_list(each)["files"]}
    assert on_disk - anywhere == set(), "not in the list"
    assert {name for name in listed["files"] if not (samples_dir / name).is_file()} == set()


# --- the contract -----------------------------------------------------------------------


def test_names_are_unique() -> None:
    names = [each.name for each in all_formats()]
    assert len(names) == len(set(names))


def test_tables_follow_the_contract() -> None:
    for each in all_formats():
        assert each.tables, each.name
        for table in each.tables:
            assert table.name.startswith(f"{each.source}_"), each.name
            assert table.row, table.name
            assert "line" in table.columns, table.name
            assert table.schema, table.name


def test_a_table_is_the_same_in_all_formats() -> None:
    seen: dict[str, Any] = {}
    for each in all_formats():
        for table in each.tables:
            assert seen.setdefault(table.name, table) == table


def test_one_format_only_recognises_each_fixture() -> None:
    for path in READABLE:
        head = RawFile(path).head
        names = [each.name for each in all_formats() if each.recognise(head)]
        assert len(names) == 1, f"{short(path)} looks like {names}"


def test_every_format_has_a_fixture() -> None:
    # Some formats are there to refuse exports by name; their fixtures say so.
    known = {each.name for each in all_formats()}
    assert known - {expected_of(path).get("format") for path in FIXTURES} == set()


def test_one_format_only_recognises_each_sample(samples_dir: Path) -> None:
    for path in sorted(each for each in samples_dir.rglob("*") if each.is_file()):
        try:
            head = RawFile(path).head
        except Refused:
            continue
        names = [each.name for each in all_formats() if each.recognise(head)]
        assert len(names) <= 1, f"{path.name} looks like {names}"
