"""Metrics of single hosts: whose processors and whose traffic, and what they make together."""

from __future__ import annotations

import shutil

import pandas as pd
import pytest
import yaml

from studybook.claims.judge import CannotJudge, evidence
from studybook.claims.published_values import Factors
from studybook.records.load import load
from studybook.study.study import Study, open_study
from tests.support.captured import REFERENCE, add_reference, project

#: Its sar lists the processors together only; run.yml says how many there are.
SHARED = "sd-4-1492-u1000-2"
WITHOUT_TOOLKIT = "sd-without-toolkit"
NSD = "nsd-4-1492-unbalanced-u1000-1"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    root = project(tmp_path_factory.mktemp("hosts"))
    add_reference(root, f"ecm-scaleout/{SHARED}", f"ecm-scaleout/{NSD}")
    copy = root / "data/raw/mine/ecm-scaleout" / WITHOUT_TOOLKIT
    shutil.copytree(REFERENCE / "ecm-scaleout" / SHARED, copy)
    run = yaml.safe_load((copy / "run.yml").read_text(encoding="utf-8"))
    gone = [each for each in run["files"] if "perfkit" in each["path"]]
    assert gone
    run["files"] = [each for each in run["files"] if each not in gone]
    (copy / "run.yml").write_text(yaml.safe_dump(run | {"run": WITHOUT_TOOLKIT}), encoding="utf-8")
    for each in gone:
        (copy / each["path"]).unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(root))
        load(data_set="mine")
        return open_study("ecm-scaleout", data_set="mine")


@pytest.fixture(scope="module")
def hosts(study: Study) -> pd.DataFrame:
    return study.query(
        "SELECT r.run, h.metric, own['host'] AS host, own['direction'] AS direction, value"
        " FROM host_metric h JOIN run r USING (run_id) ORDER BY ALL"
    )


def of_run(study: Study, run: str, metric: str) -> float:
    found = study.query(
        "SELECT value FROM run_metric JOIN run USING (run_id)"
        " WHERE run = $run AND metric = $metric ORDER BY ALL",
        run=run,
        metric=metric,
    )
    assert len(found) == 1
    return float(found["value"].iloc[0])


@pytest.mark.parametrize("run", [SHARED, WITHOUT_TOOLKIT, NSD])
def test_nodes_make_the_processors_of_all_nodes(
    study: Study, hosts: pd.DataFrame, run: str
) -> None:
    nodes = hosts[(hosts["run"] == run) & (hosts["metric"] == "node_ifl")]
    assert sorted(nodes["host"]) == ["ECMnod1", "ECMnod2", "ECMnod3", "ECMnod4"]
    used = nodes["value"]
    assert used.sum() == pytest.approx(of_run(study, run, "nodes_ifl"))
    assert used.max() == pytest.approx(of_run(study, run, "busiest_node_ifl"))
    assert used.max() - used.min() == pytest.approx(of_run(study, run, "node_ifl_spread"))


def test_the_hypervisor_counts_before_the_nodes_do(study: Study, hosts: pd.DataFrame) -> None:
    counted = study.query(
        "SELECT DISTINCT run, counted_by FROM phase_node_cpu JOIN run USING (run_id) ORDER BY ALL"
    )
    assert dict(counted.values.tolist()) == {
        NSD: "the Performance Toolkit",
        SHARED: "the Performance Toolkit",
        WITHOUT_TOOLKIT: "sar",
    }
    # Both count the same work of the same run.
    nodes = hosts[hosts["metric"] == "node_ifl"].pivot(index="host", columns="run", values="value")
    assert nodes[WITHOUT_TOOLKIT].tolist() == pytest.approx(nodes[SHARED].tolist(), rel=0.05)


def test_processors_that_sar_lists_together_are_counted_by_run_yml(study: Study) -> None:
    found = study.query(
        "SELECT cpus, busy_percent, used_ifl FROM phase_cpu JOIN run USING (run_id)"
        " WHERE run = $run AND host = 'ECMnod1' ORDER BY ALL",
        run=SHARED,
    )
    listed = study.query(
        "SELECT DISTINCT cpu FROM cpu_use JOIN run USING (run_id) WHERE run = $run ORDER BY ALL",
        run=SHARED,
    )
    assert listed["cpu"].tolist() == ["all"]
    assert found["cpus"].tolist() == [8]
    assert found["used_ifl"].tolist() == pytest.approx((8 / 100 * found["busy_percent"]).tolist())


def test_servers_make_the_disk_reads_and_pass_them_on(study: Study, hosts: pd.DataFrame) -> None:
    servers = hosts[hosts["metric"] == "server_mib_s"]
    assert set(servers["run"]) == {NSD}
    by_host = servers.pivot(index="host", columns="direction", values="value")
    assert list(by_host.index) == ["NSDsrv1", "NSDsrv2", "NSDsrv3"]
    assert by_host["read"].sum() == pytest.approx(of_run(study, NSD, "disk_read_mib_s"))
    assert by_host["write"].sum() == pytest.approx(of_run(study, NSD, "disk_write_mib_s"))
    # The first server does it all, and sends what it reads, with headers.
    assert by_host["read"].iloc[0] > 100
    assert by_host["read"].iloc[1:].max() < 1
    assert 1 < by_host["transmitted"].iloc[0] / by_host["read"].iloc[0] < 1.1
    assert 1 < by_host["received"].iloc[0] / by_host["write"].iloc[0] < 1.1


def test_hosts_are_no_repetitions_of_one_another(study: Study) -> None:
    nsd: Factors = {"cluster": "nsd"}
    alone = evidence(study, "node_ifl", nsd | {"host": "ECMnod1"})
    assert alone.sample.n == 1
    with pytest.raises(CannotJudge, match=r"ECMnod1.*ECMnod2"):
        evidence(study, "node_ifl", nsd)
    with pytest.raises(CannotJudge, match="NSDsrv1 read"):
        evidence(study, "server_mib_s", nsd | {"host": "NSDsrv1"})
