"""Databases with rows of models: of the small files of all readers, and of the book."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
import yaml

from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.records import store
from studybook.records.load import update
from tests.conftest import REPOSITORY
from tests.support.shared import made_once

FIXTURES = REPOSITORY / "tests/data"


@pytest.fixture(scope="session")
def of_fixtures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of all small files that the tests of formats read, each a run of its own."""
    return DataSet("fixtures", made_once(tmp_path_factory, "fixtures", load_fixtures)).database


def load_fixtures(root: Path) -> None:
    """Make a book of these files at a path."""
    root.mkdir()
    data_set = DataSet("fixtures", root)
    (root / "pipelines").mkdir()
    for expected in sorted(FIXTURES.glob("*/*.expected.yml")):
        if "refused" in yaml.safe_load(expected.read_text(encoding="utf-8")):
            continue
        path = expected.with_name(expected.name.removesuffix(".expected.yml"))
        name = re.sub(r"[^a-z0-9]+", "-", f"{path.parent.name}-{path.name}".lower())
        run = data_set.raw / "files" / name
        run.mkdir(parents=True)
        shutil.copy2(path, run)
        manifest = {
            "study": "files", "run": run.name, "title": path.name, "origin": "measured",
            "kind": "measurement", "time_zone": "UTC", "factors": {"users": 1},
            "hosts": [{"name": "one", "role": "driver"}],
            "files": [{"path": path.name}],
        }  # fmt: skip
        (run / "run.yml").write_text(yaml.safe_dump(manifest), encoding="utf-8")
    inventory = take_inventory(data_set)
    update(data_set.database, inventory, inventory.sources())


@pytest.fixture(scope="session")
def of_book() -> Path:
    """The database of the book."""
    return DataSet("reference", REPOSITORY).database


@pytest.fixture(
    scope="session", params=["of_fixtures", pytest.param("of_book", marks=[pytest.mark.book])]
)
def database(request: pytest.FixtureRequest) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with rows of models."""
    with store.connect(request.getfixturevalue(request.param)) as connection:
        yield connection
