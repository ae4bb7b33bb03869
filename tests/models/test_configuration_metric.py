"""Metrics of a configuration: what captures and manifests say, in the form in which claims ask."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.doctor.captures import captures
from studybook.study.scope import Scope
from studybook.study.study import Study
from studybook.units import METRICS
from tests.support.captured import add_changed, add_reference, opened, project
from tests.support.shared import made_once

#: Twice the good configuration under load, with other users, so that there are load levels.
UNDER_LOAD = {"users-250": 250, "users-500": 500, "users-500-again": 500}


FRAME = "metrics.pickle"


@pytest.fixture(scope="module")
def metrics(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    root = made_once(tmp_path_factory, "configuration-metrics", ask_metrics)
    return pd.read_pickle(root / FRAME)  # noqa: S301 - written below


def ask_metrics(root: Path) -> None:
    project(root)
    add_reference(root, "ecm-scaleout/configuration-*", "flexible-scale/6-systems-configuration")
    for name, users in UNDER_LOAD.items():
        add_changed(root, name, {"run.yml": {"kind": "measurement", "factors": {"users": users}}})
    with captures(take_inventory(DataSet("mine", root))) as database:
        frames = [
            Study(Scope(study, {}), database).query(
                "SELECT r.study, r.run, metric, map_values(own) AS own, n, mean, sd, text, test"
                " FROM (FROM configuration_metric UNION ALL"
                " SELECT run_id, 'load_levels', MAP {}, 1, load_levels, 0, NULL,"
                " load_levels::VARCHAR FROM user_levels)"
                " JOIN run r USING (run_id) ORDER BY ALL"
            )
            for study in ("ecm-scaleout", "flexible-scale", "lab")
        ]
    pd.concat(frames).to_pickle(root / FRAME)


def value(metrics: pd.DataFrame, run: str, metric: str, *own: str) -> float | str:
    """The one value of a metric of a run."""
    found = metrics[(metrics["run"] == run) & (metrics["metric"] == metric)]
    found = found[[list(each) == list(own) for each in found["own"]]]
    assert len(found) == 1, (run, metric, own, len(found))
    row = found.iloc[0]
    assert (row["n"], row["sd"]) == (1, 0)
    is_text = row["mean"] == 0 and isinstance(row["text"], str)
    return str(row["text"]) if is_text else float(row["mean"])


SHARED, NSD = "configuration-sd-4-1492", "configuration-nsd-4-1492"


@pytest.mark.parametrize(
    ("run", "metric", "own", "expected"),
    [
        (SHARED, "cluster_nodes", (), 4),
        (NSD, "cluster_nodes", (), 7),
        ("configuration-sd-1-1492", "quorum_nodes", (), 1),
        (SHARED, "quorum_nodes", (), 3),
        (NSD, "quorum_nodes", (), 3),
        (SHARED, "designated_nodes", ("nonquorum",), 1),
        (NSD, "designated_nodes", ("nonquorum",), 4),
        (NSD, "designated_nodes", ("manager",), 1),
        (SHARED, "directly_attached_disks", (), 6),
        (NSD, "directly_attached_disks", (), 0),
        (NSD, "first_servers", (), 3),
        ("configuration-nsd-4-1492-unbalanced", "first_servers", (), 1),
        (SHARED, "vcpus_per_ifl", (), 1.6),
        (NSD, "vcpus_per_ifl", (), 1.8),
        (SHARED, "pagepool_client_mib", (), 2048),
        ("configuration-nsd-4-1492-client-256-server-2048", "pagepool_client_mib", (), 256),
        ("configuration-nsd-4-1492-client-2048-server-512", "pagepool_server_mib", (), 512),
        (NSD, "max_files_to_cache", (), 20_000),
        (NSD, "max_stat_cache", (), 512),
        (SHARED, "mounted_nodes", ("FSData",), 4),
        (NSD, "mounted_nodes", ("FSData",), 7),
        (NSD, "hosts", ("nsd-server",), 3),
        (NSD, "host_cpus", ("nsd-server",), 2),
        (NSD, "host_cpus", ("hypervisor",), 30),
        (NSD, "host_memory_gib", ("ecm-node",), 16),
        (NSD, "release_level", (), "4.2.0.1"),
        (NSD, "scale_release", (), "4.2"),
        # As a real cluster prints it: settings of classes, mmlsfs without its title.
        ("6-systems-configuration", "pagepool_client_mib", (), 8 * 1024),
        ("6-systems-configuration", "pagepool_server_mib", (), 48 * 1024),
        ("6-systems-configuration", "block_size_kib", (None,), 16 * 1024),
        ("6-systems-configuration", "cluster_nodes", (), 14),
        ("6-systems-configuration", "quorum_nodes", (), 5),
        *((run, "load_levels", (), 2) for run in UNDER_LOAD),
    ],
)  # fmt: skip
def test_value(
    metrics: pd.DataFrame, run: str, metric: str, own: tuple[str, ...], expected: float | str
) -> None:
    assert value(metrics, run, metric, *own) == expected


def test_designated_nodes_are_named(metrics: pd.DataFrame) -> None:
    found = metrics[(metrics["run"] == NSD) & (metrics["metric"] == "designated_nodes")]
    names = {own[0]: text for own, text in zip(found["own"], found["text"], strict=True)}
    assert names["quorum"] == "NSDsrv1, NSDsrv2, NSDsrv3"
    assert names["nonquorum"] == "ECMnod1, ECMnod2, ECMnod3, ECMnod4"


def test_a_configuration_has_no_load_levels_of_its_own(metrics: pd.DataFrame) -> None:
    levels = metrics[metrics["metric"] == "load_levels"]
    assert set(levels["run"]) == set(UNDER_LOAD)


def test_all_of_them_are_in_the_registry(metrics: pd.DataFrame) -> None:
    assert set(metrics["metric"]) <= set(METRICS)


def test_counts_that_differ_are_no_repetitions(metrics: pd.DataFrame) -> None:
    numbers = metrics[metrics["text"].isna()]
    assert (numbers.groupby(["metric", "test"])["mean"].nunique() == 1).all()
    assert (numbers.groupby(["metric", "mean"])["test"].nunique() == 1).all()


def test_processors_that_are_not_known_give_no_ratio(tmp_path: Path) -> None:
    root = project(tmp_path / "project")
    hosts = [{"name": "a", "role": "ecm-node"}, {"name": "z", "role": "hypervisor", "cpus": 4}]
    files = [{"path": "ifconfig-DB2.txt"}]
    add_changed(root, "run", {"run.yml": {"hosts": hosts, "files": files}})
    with opened(root, "lab") as study:
        found = study.query("SELECT metric FROM configuration_metric ORDER BY metric")
    assert "host_cpus" in set(found["metric"])
    assert "vcpus_per_ifl" not in set(found["metric"])
