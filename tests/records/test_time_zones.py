"""The same files in three time zones: the same values, at instants that differ by the clocks."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import duckdb
import pytest
import yaml

from studybook.dataset.paths import DataSet
from studybook.records import store
from studybook.records.load import load
from tests.support.fixtures import ONE_OF_EACH

ZONES = ("UTC", "Asia/Kolkata", "America/New_York")


@pytest.fixture(scope="module")
def zones(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a database of a file of each format, each a run of its own in each of the zones."""
    root = tmp_path_factory.mktemp("zones")
    (root / "_config.yml").write_text("title: Clocks\n", encoding="utf-8")
    for number, fixture in enumerate(ONE_OF_EACH.values()):
        for turn, zone in enumerate(ZONES):
            name = f"{number}-{turn}"
            run = root / "data/raw/main/clocks" / name
            run.mkdir(parents=True)
            shutil.copy2(fixture, run)
            manifest = {
                "study": "clocks", "run": name, "title": name, "origin": "measured",
                "time_zone": zone, "factors": {"number": number},
                "files": [{"path": fixture.name}],
            }  # fmt: skip
            (run / "run.yml").write_text(yaml.safe_dump(manifest), encoding="utf-8")
    with pytest.MonkeyPatch.context() as context:
        context.setenv("STUDYBOOK_HOME", str(root))
        load(data_set="main")
        database = DataSet.named("main").database
    with store.connect(database) as connection:
        yield connection


def in_zones(connection: duckdb.DuckDBPyConnection, sql: str) -> dict[int, dict[str, list[Any]]]:
    """Rows of a query by the number of a fixture and the zone, which come first in them."""
    found: dict[int, dict[str, list[Any]]] = defaultdict(lambda: {zone: [] for zone in ZONES})
    for number, zone, *rest in connection.execute(sql).fetchall():
        found[int(number)][zone].append(rest)
    return found


def test_metrics_are_the_same_in_each_zone(zones: duckdb.DuckDBPyConnection) -> None:
    found = in_zones(
        zones,
        # Some are told apart by the file that they are from.
        "SELECT f.number, r.time_zone, replace(m::VARCHAR, m.run_id, 'run')"
        " FROM metric m JOIN run r USING (run_id) JOIN factor f USING (run_id) ORDER BY ALL",
    )
    assert len(found) > len(ONE_OF_EACH) / 2
    fixtures = [*ONE_OF_EACH.values()]
    for number, of_zones in found.items():
        for zone in ZONES[1:]:
            assert of_zones[zone] == of_zones["UTC"], (fixtures[number], zone)


def test_instants_differ_by_the_clocks_or_not_at_all(zones: duckdb.DuckDBPyConnection) -> None:
    names = zones.execute(
        "SELECT DISTINCT name FROM model WHERE name LIKE '%\\_coverage' ESCAPE '\\' ORDER BY 1"
    ).fetchall()
    moved = set()
    for (name,) in names:
        found = in_zones(
            zones,
            f"SELECT f.number, r.time_zone, c.host, c.first_utc, c.last_utc FROM {name} c"
            " JOIN raw_file USING (file_id) JOIN run r USING (run_id) JOIN factor f USING (run_id)"
            " ORDER BY ALL",
        )
        for number, of_zones in found.items():
            fixture = [*ONE_OF_EACH.values()][number]
            for zone in ZONES[1:]:
                for at, here in zip(of_zones["UTC"], of_zones[zone], strict=True):
                    assert here[0] == at[0], (fixture, zone)
                    assert here[1:] in (at[1:], [shown(t, zone) for t in at[1:]]), (fixture, zone)
                    moved |= {name} if here[1:] != at[1:] else set()
    assert len(moved) > 5, moved


def shown(clock: datetime | None, zone: str) -> datetime | None:
    """Return the instant at which clocks of a zone show this time, as the store has instants."""
    if clock is None:
        return None
    return clock.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC).replace(tzinfo=None)
