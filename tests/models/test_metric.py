"""The names of metrics as relations: they hold what ``metric`` holds, and depend on no more."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from studybook.dataset.inventory import Inventory, take_inventory
from studybook.dataset.paths import DataSet
from studybook.doctor.captures import captures
from studybook.errors import StudyBookError
from studybook.records.limited import OF_ALL, UNIONS
from studybook.records.models import models_of
from studybook.study.scope import Scope
from studybook.study.study import Study
from studybook.units import METRICS
from tests.support.captured import add_reference, project

#: Unions, and names of common table expressions, for which another name stands in from_model.
STANDS_FOR = {"disk": "phase_disk"}


def inventory(root: Path) -> Inventory:
    return take_inventory(DataSet("mine", root))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    root = project(tmp_path_factory.mktemp("metric"))
    add_reference(root, "ecm-scaleout/configuration-*")
    with captures(inventory(root)) as database:
        yield Study(Scope("ecm-scaleout", {}), database, root)


def branches(node: Any) -> Iterator[Mapping[str, Any]]:
    """The SELECTs whose rows a query unites, wherever it does so."""
    if isinstance(node, dict):
        if node.get("type") == "SET_OPERATION_NODE":
            parts = [node.get("left"), node.get("right"), *node.get("children", [])]
            yield from (each for each in parts if each and each["type"] == "SELECT_NODE")
        for value in node.values():
            yield from branches(value)
    elif isinstance(node, list):
        for each in node:
            yield from branches(each)


def names_in(node: Any) -> Iterator[str]:
    """The tables below a part of a query."""
    if isinstance(node, dict):
        if node.get("type") == "BASE_TABLE":
            yield node["table_name"]
        for value in node.values():
            yield from names_in(value)
    elif isinstance(node, list):
        for each in node:
            yield from names_in(each)


@pytest.mark.parametrize("name", ["metric", "run_metric"])
def test_each_branch_names_what_it_is_taken_from(name: str) -> None:
    """What is asked by the name of a metric counts as asked of from_model: it must be right."""
    path: Path = models_of()[name].path
    ((text,),) = duckdb.execute("SELECT json_serialize_sql(?)", [path.read_text()]).fetchall()
    found = list(branches(json.loads(text)))
    assert len(found) >= 10
    for branch in found:
        last = branch["select_list"][-1]
        tables = {*names_in(branch["from_table"])} - {"raw_file"}
        if last["type"] == "VALUE_CONSTANT":
            said = {last["literal"]["text"]}
            assert said == {STANDS_FOR.get(each, each) for each in tables}
        else:
            assert last["column_names"] == ["from_model"]
            assert tables in ({"run_metric"}, {"host_metric"})


def test_beside_what_they_are_taken_from_metrics_depend_on_little() -> None:
    """What the unions join outside of their branches counts for every metric."""
    models = models_of()
    taken = set()
    for name in UNIONS:
        ((text,),) = duckdb.execute(
            "SELECT json_serialize_sql(?)", [models[name].path.read_text()]
        ).fetchall()
        for branch in branches(json.loads(text)):
            taken |= {STANDS_FOR.get(each, each) for each in names_in(branch["from_table"])}
    reads = set().union(*(models[name].reads for name in UNIONS))
    assert reads - taken - {*UNIONS, "raw_file"} == {OF_ALL}


def test_a_metric_is_taken_from_one_model(tmp_path: Path) -> None:
    root = project(tmp_path)
    add_reference(root, "ecm-scaleout/configuration-nsd-4-1492")
    own = root / "pipelines/ecm-scaleout/own_metric.sql"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(
        "SELECT run_id, 'nsd_servers' AS metric, MAP {}::MAP(VARCHAR, VARCHAR) AS own, 3.0 AS value"
        " FROM run"
    )
    told = "nsd_servers is taken from nsd_server and own_metric"
    with pytest.raises(StudyBookError, match=told), captures(inventory(root)):
        pass


def test_a_model_has_no_name_of_a_metric(tmp_path: Path) -> None:
    root = project(tmp_path)
    add_reference(root, "ecm-scaleout/configuration-nsd-4-1492")
    own = root / "pipelines/ecm-scaleout/response_ms.sql"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("SELECT run_id FROM run")
    told = r"response_ms\.sql: .* is a metric"
    with pytest.raises(StudyBookError, match=told), captures(inventory(root)):
        pass


def test_no_table_or_model_has_the_name_of_a_metric(study: Study) -> None:
    names = study.query("SELECT name FROM (SHOW ALL TABLES) ORDER BY name")["name"]
    assert len(names) > 3
    assert {*names}.isdisjoint(METRICS)


@pytest.mark.parametrize("name", ["first_server_disks", "load_levels", "response_ms"])
def test_a_metric_is_its_rows(study: Study, name: str) -> None:
    of_metric = study.query(f"FROM {name} ORDER BY ALL")
    assert of_metric.equals(study.query(f"FROM metric WHERE metric = '{name}' ORDER BY ALL"))
    assert of_metric.empty == (name != "first_server_disks")


def test_who_asks_for_a_metric_depends_on_what_it_is_taken_from(tmp_path: Path) -> None:
    root = project(tmp_path)
    add_reference(root, "ecm-scaleout/configuration-nsd-4-1492")
    with captures(inventory(root)) as database:
        asks = Study(Scope("ecm-scaleout", {}), database, root)
        asks.query("FROM nsd_servers")
        assert asks.sources == ("scale",)
        # Of response times there are none: whatever could give them counts.
        asks.query("FROM response_ms")
        assert {"jtl", "mmpmon", "scale"} < {*asks.sources}
