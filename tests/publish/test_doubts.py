"""What is wrong or doubtful with data stands on the front page of their book."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.publish.doubts import what_is_doubtful
from studybook.records.load import update
from tests.support.lab import add_run, jtl, requests, sar

GOOD = {"results.jtl": jtl(requests()), "sar.txt": sar()}
#: A run of two executions, one whose second sar file is cut, and one that knows of that.
BAD = {
    "twice": {"results.jtl": jtl([*requests(0, 400), *requests(2400, 2800)])},
    "cut-1": {"sar-db.txt": sar()[:-7].replace("web1", "db1")},
    "cut-2": {"sar-db.txt": sar()[:-9].replace("web1", "db1")},
}


def loaded(root: Path, **more: dict[str, str]) -> Path:
    (root / "pipelines").mkdir(parents=True)
    (root / "_config.yml").touch()
    for run, files in {"good": {}, **more}.items():
        hosts = [{"name": name, "role": "web"} for name in ("web1", "db1")]
        add_run(root, run, GOOD | files, hosts=hosts[: 1 + ("sar-db.txt" in files)])
    place = DataSet("mine", root)
    inventory = take_inventory(place)
    update(place.database, inventory, inventory.sources())
    return place.database


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    database = loaded(tmp_path_factory.mktemp("doubtful"), **BAD)
    return what_is_doubtful(database, {"lab/twice": "../notebooks/lab/run-twice.html"})


def test_that_there_is_nothing_is_said_with_how_much_was_looked_at(tmp_path: Path) -> None:
    said = what_is_doubtful(loaded(tmp_path), {})
    assert re.fullmatch(r"<p>\d\d checks of the data of 1 run found nothing wrong and .*</p>", said)


def test_what_is_left_aside_is_counted(tmp_path: Path) -> None:
    loaded(tmp_path, **BAD)
    place = DataSet("mine", tmp_path)
    words = tmp_path / "pipelines/lab/study.yml"
    words.parent.mkdir()
    words.write_text(
        "accepted:\n  - {check: cut, because: it is known}\n"
        "  - {check: not-covered, because: it is known}\n",
        encoding="utf-8",
    )
    manifest = place.raw / "lab/twice/run.yml"
    said = manifest.read_text(encoding="utf-8")
    manifest.write_text(f"{said}excluded: two executions\n", encoding="utf-8")
    inventory = take_inventory(place)
    update(place.database, inventory, inventory.sources())
    told = what_is_doubtful(place.database, {})
    assert "<strong>doubtful:</strong> A file ends within a line" not in told
    assert re.search(r"Left aside: \d findings known and accepted, 1 run that somebody has", told)


def test_how_many_runs_are_concerned_comes_first(told: str) -> None:
    assert re.match(r"<p>\d\d checks of the data of 4 runs found something wrong .* in 3;", told)


def test_what_is_wrong_stands_before_what_is_doubtful(told: str) -> None:
    weights = re.findall(r"<strong[^>]*>(wrong|doubtful):</strong> ([^<]+)<", told)
    assert weights[0] == ("wrong", "A log holds several executions")
    assert ("doubtful", "A file ends within a line") in weights
    assert [weight for weight, _ in weights] == sorted((w for w, _ in weights), reverse=True)


def test_runs_lead_to_their_pages_where_they_have_one(told: str) -> None:
    assert '<a href="../notebooks/lab/run-twice.html">twice</a>' in told
    (row,) = re.findall(r"<tr><td[^>]*><strong>doubtful:</strong> A file ends.*?</tr>", told)
    assert ">cut-1, cut-2<" in row
    assert "copy it again from where it was recorded" in row
