"""An empty database is kept for the next time, and never differs from one made afresh."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from studybook.records import schema


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's cache, empty."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return schema.kept_empty().parent


def _contents(database: Path) -> list[tuple[str, ...]]:
    with duckdb.connect(str(database), read_only=True) as connection:
        return connection.execute(
            "SELECT 'table', table_name, sql FROM duckdb_tables()"
            " UNION ALL SELECT 'view', view_name, sql FROM duckdb_views() WHERE NOT internal"
            " UNION ALL SELECT 'macro', function_name, macro_definition FROM duckdb_functions()"
            " WHERE function_type LIKE '%macro' AND NOT internal ORDER BY ALL"
        ).fetchall()


def test_second_database_is_a_copy_of_what_was_kept(cache: Path, tmp_path: Path) -> None:
    schema.write_empty(tmp_path / "first.duckdb")
    kept = list(cache.iterdir())
    assert kept == [schema.kept_empty()]
    before = kept[0].stat()
    schema.write_empty(tmp_path / "second.duckdb")
    assert kept[0].stat().st_mtime_ns == before.st_mtime_ns
    assert (tmp_path / "second.duckdb").read_bytes() == (tmp_path / "first.duckdb").read_bytes()
    fresh = tmp_path / "fresh.duckdb"
    with duckdb.connect(str(fresh)) as connection:
        schema.create(connection)
    contents = _contents(fresh)
    assert {"table", "view", "macro"} == {kind for kind, *_ in contents}
    assert _contents(tmp_path / "first.duckdb") == contents
    assert _contents(tmp_path / "second.duckdb") == contents


def test_what_another_version_kept_goes(cache: Path, tmp_path: Path) -> None:
    cache.mkdir(parents=True)
    former = cache / "empty-of-another-version.duckdb"
    former.touch()
    schema.write_empty(tmp_path / "a.duckdb")
    assert list(cache.iterdir()) == [schema.kept_empty()]


def test_another_view_is_another_version(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = schema.kept_empty()
    files = schema.view_files()
    monkeypatch.setattr(schema, "view_files", lambda: files[1:])
    assert schema.kept_empty() != before


@pytest.mark.parametrize("former", ["report_no BIGINT", "report_no INTEGER, of_old INTEGER"])
def test_a_table_with_other_columns_or_types_is_made_anew(
    former: str, cache: Path, tmp_path: Path
) -> None:
    schema.write_empty(tmp_path / "a.duckdb")
    wanted = _contents(tmp_path / "a.duckdb")
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute(f"CREATE OR REPLACE TABLE sar_report ({former})")
        schema.create(connection)
    assert _contents(tmp_path / "a.duckdb") == wanted


def test_tables_that_are_as_they_shall_be_keep_their_rows(cache: Path, tmp_path: Path) -> None:
    schema.write_empty(tmp_path / "a.duckdb")
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        for table in schema.record_tables():
            connection.execute(f"INSERT INTO {table} (file_id) VALUES (1)")
        schema.create(connection)
        for table in schema.record_tables():
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (1,), table


def test_without_a_place_for_the_cache(cache: Path, tmp_path: Path) -> None:
    cache.parent.mkdir(parents=True)
    cache.touch()  # a file where the folder would be
    schema.write_empty(tmp_path / "a.duckdb")
    assert _contents(tmp_path / "a.duckdb")


@pytest.mark.parametrize("damage", ["cut", "junk", "empty"])
def test_a_damaged_file_is_made_anew(damage: str, cache: Path, tmp_path: Path) -> None:
    schema.write_empty(tmp_path / "first.duckdb")
    whole = schema.kept_empty().read_bytes()
    damaged = {"cut": whole[: len(whole) // 2], "junk": b"no database" * 1000, "empty": b""}
    schema.kept_empty().write_bytes(damaged[damage])
    schema.write_empty(tmp_path / "second.duckdb")
    assert _contents(tmp_path / "second.duckdb") == _contents(tmp_path / "first.duckdb")
    schema.write_empty(tmp_path / "third.duckdb")
    assert _contents(tmp_path / "third.duckdb") == _contents(tmp_path / "first.duckdb")
