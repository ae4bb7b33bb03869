"""The captures of a Spectrum Scale cluster, read back: the cluster that went in comes out."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from studybook.errors import StudyBookError
from testbed.cluster import Cluster, ClusterKind, Node, Nsd, ServerList, of
from testbed.writers import scale_captures
from tests.support.courses import course
from tests.support.scratch import database, enter

WRITERS = {
    writer.__name__: writer
    for writer in (
        scale_captures.mmlscluster,
        scale_captures.mmlsnsd,
        scale_captures.mmlsconfig,
        scale_captures.mmlsmount,
    )
}
SERVERS = ("NSDsrv1", "NSDsrv2", "NSDsrv3")


def capture(folder: Path, lines: Iterable[str], name: str = "capture.txt") -> Path:
    path = folder / name
    path.write_text("".join(line + "\n" for line in lines))
    return path


@functools.cache
def _shared() -> duckdb.DuckDBPyConnection:
    return database().begin()


def fresh() -> duckdb.DuckDBPyConnection:
    """Return the database as it was made, without what an earlier test has read into it."""
    return _shared().rollback().begin()


def load(folder: Path, cluster: Cluster) -> duckdb.DuckDBPyConnection:
    """Write all captures, and read them into a database; all lines are understood."""
    found = fresh()
    for name, writer in WRITERS.items():
        reading = enter(found, capture(folder, writer(cluster), f"{name}.txt"))
        assert reading.lines_not_understood == 0
        assert reading.remarks == []
    return found


def rows_of(found: duckdb.DuckDBPyConnection, table: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = (
        found.sql(f"FROM {table} ORDER BY line").to_arrow_table().to_pylist()
    )
    return rows


@pytest.mark.parametrize("nodes", [1, 2, 4])
@pytest.mark.parametrize("server_list", ["balanced", "unbalanced"])
@pytest.mark.parametrize("cluster_kind", ["shared-disk", "nsd"])
def test_a_cluster_comes_back(
    tmp_path: Path, cluster_kind: ClusterKind, server_list: ServerList, nodes: int
) -> None:
    cluster = of(cluster_kind, nodes, server_list, 512, 256)
    found = load(tmp_path, cluster)
    (summary,) = rows_of(found, "scale_cluster")
    assert summary["cluster_name"] == summary["uid_domain"] == cluster.name
    assert summary["cluster_id"] == str(cluster.identifier)
    assert summary["repository_type"] == "CCR"
    assert [
        Node(row["daemon_node"], row["ip_address"], row["quorum"], row["manager"])
        for row in rows_of(found, "scale_node")
    ] == list(cluster.nodes)
    assert [
        Nsd(row["nsd"], tuple(row["servers"].split(",")) if row["servers"] else ())
        for row in rows_of(found, "scale_nsd")
    ] == list(cluster.nsds)
    assert {row["file_system"] for row in rows_of(found, "scale_nsd")} == {"FSData"}
    mounts = rows_of(found, "scale_mount")
    assert {(row["node"], row["ip_address"]) for row in mounts} == {
        (node.name, node.address) for node in cluster.nodes
    }
    assert {row["node_count"] for row in mounts} == {len(mounts)} == {len(cluster.nodes)}
    settings = [
        (row["attribute"], row["value"], row["scope"]) for row in rows_of(found, "scale_config")
    ]
    assert settings == [
        ("clusterName", cluster.name, "common"),
        ("clusterId", str(cluster.identifier), "common"),
        *(
            (setting.name, setting.value, ",".join(setting.nodes) or "common")
            for setting in cluster.settings
        ),
    ]
    assert [row["file_system"] for row in rows_of(found, "scale_device")] == ["FSData"]


def designations(cluster: Cluster) -> dict[str, str]:
    return {node.name: node.designation for node in cluster.nodes}


def test_designations_are_those_of_the_study() -> None:
    assert designations(of("shared-disk", 4)) == {
        "ECMnod1": "quorum-manager", "ECMnod2": "quorum", "ECMnod3": "quorum", "ECMnod4": "",
    }  # fmt: skip
    assert designations(of("nsd", 4)) == {
        "ECMnod1": "", "ECMnod2": "", "ECMnod3": "", "ECMnod4": "",
        "NSDsrv1": "quorum-manager", "NSDsrv2": "quorum", "NSDsrv3": "quorum",
    }  # fmt: skip
    # An even number of nodes needs a majority, too: two are no better than one.
    assert designations(of("shared-disk", 2)) == {"ECMnod1": "quorum-manager", "ECMnod2": ""}


@pytest.mark.parametrize(
    ("server_list", "first"),
    [("balanced", dict.fromkeys(SERVERS, 2)), ("unbalanced", {"NSDsrv1": 6})],
)
def test_first_servers(tmp_path: Path, server_list: ServerList, first: dict[str, int]) -> None:
    cluster = of("nsd", 4, server_list)
    assert Counter(nsd.servers[0] for nsd in cluster.nsds) == first
    assert all(sorted(nsd.servers) == list(SERVERS) for nsd in cluster.nsds)
    # The last server moves to the front from disk to disk, as in the study.
    assert cluster.nsds[1].servers == (
        ("NSDsrv3", "NSDsrv1", "NSDsrv2") if server_list == "balanced" else SERVERS
    )
    rows = (
        load(tmp_path, cluster)
        .sql("SELECT server, first_disks, disks FROM nsd_server ORDER BY server")
        .fetchall()
    )
    assert rows == [(server, first.get(server, 0), 6) for server in SERVERS]


def test_all_disks_of_a_shared_disk_cluster_are_attached(tmp_path: Path) -> None:
    found = load(tmp_path, of("shared-disk", 4))
    assert all(row["directly_attached"] for row in rows_of(found, "scale_nsd"))
    assert found.sql("FROM nsd_server").fetchall() == []


@pytest.mark.parametrize("mib", [256, 512, 1024, 2048])
def test_page_pools(tmp_path: Path, mib: int) -> None:
    cluster = of("nsd", 4, "balanced", mib, 1024)
    pools = (
        load(tmp_path, cluster)
        .sql("SELECT scope, value_bytes FROM setting WHERE name = 'pagepool' ORDER BY scope DESC")
        .fetchall()
    )
    expected = [("all nodes", mib * 2**20)]
    if mib != 1024:
        expected.insert(1, (",".join(SERVERS), 2**30))
    assert sorted(pools) == sorted(expected)


def test_one_setting_alone(tmp_path: Path) -> None:
    lines = list(scale_captures.mmlsconfig(of("nsd", 4), "pagepool"))
    found = fresh()
    assert enter(found, capture(tmp_path, lines)).lines_not_understood == 0
    assert [(row["value"], row["scope"]) for row in rows_of(found, "scale_config")] == [
        ("2G", "common"), ("1G", ",".join(SERVERS)),
    ]  # fmt: skip
    settings = {setting.name: setting.value for setting in of("shared-disk", 1).settings}
    assert settings["maxFilesToCache"] == "20000"
    assert settings["maxStatCache"] == "512"


def test_addresses_are_those_of_the_guests() -> None:
    addresses = {guest.name: guest.interfaces[1].address for guest in course(nodes=4).guests}
    cluster = of("nsd", 4, addresses=addresses)
    found = {node.name: node.address for node in cluster.nodes}
    assert {name: found[name] for name in addresses} == addresses
    for nodes in (4, 20):
        alone = of("nsd", nodes)
        assert len({node.address for node in alone.nodes}) == nodes + 3


def test_a_cluster_of_nothing() -> None:
    with pytest.raises(StudyBookError, match="cannot be made"):
        of("nsd", 4, nsd_servers=0)


# --- real captures ----------------------------------------------------------------------


def body(lines: Iterable[str]) -> list[str]:
    """Return the lines without blanks at their ends, which copies of captures often lose."""
    return [line.rstrip() for line in lines if line.strip()]


@pytest.mark.parametrize("name", ["server_based_db2", "empty_designation_kenneth"])
def test_nodes_are_laid_out_as_in_real_captures(samples_dir: Path, name: str) -> None:
    path = samples_dir / "gpfsconf" / f"mmlscluster_{name}.txt"
    found = fresh()
    enter(found, path)
    (summary,) = rows_of(found, "scale_cluster")
    cluster = replace(
        of("nsd", 1),
        name=summary["cluster_name"],
        identifier=int(summary["cluster_id"]),
        nodes=tuple(
            Named(row["daemon_node"], row["ip_address"], designation=row["designation"] or "")
            for row in rows_of(found, "scale_node")
        ),
    )
    written, real = (
        body(lines)
        for lines in (scale_captures.mmlscluster(cluster), path.read_text().splitlines())
    )
    assert written[:3] == real[:3]
    table = 1 + len(cluster.nodes) + 1
    assert written[-table:] == real[-table:]


class Named(Node):
    """A node with roles that a cluster of the study has not."""

    def __init__(self, name: str, address: str, designation: str) -> None:
        super().__init__(name, address)
        object.__setattr__(self, "_designation", designation)

    @property
    def designation(self) -> str:
        """As printed."""
        found: str = self._designation  # type: ignore[attr-defined]
        return found


def test_disks_are_laid_out_as_in_a_real_capture(samples_dir: Path) -> None:
    path = samples_dir / "gpfsconf" / "mmlsnsd_mixed_free_nfs.txt"
    found = fresh()
    enter(found, path)
    rows = [row for row in rows_of(found, "scale_nsd") if row["file_system"]]
    cluster = replace(
        of("nsd", 1),
        file_system=rows[0]["file_system"],
        nsds=tuple(Nsd(row["nsd"], tuple(row["servers"].split(","))) for row in rows),
    )
    real = [line for line in path.read_text().splitlines() if "(free disk)" not in line]
    # To the last blank.
    assert [line for line in scale_captures.mmlsnsd(cluster) if line] == real


def test_mounts_are_laid_out_as_in_a_real_capture(samples_dir: Path) -> None:
    path = samples_dir / "gpfsconf" / "mmlsmount_all_L_ibmcloud.txt"
    found = fresh()
    enter(found, path)
    rows = rows_of(found, "scale_mount")
    cluster = replace(
        of("nsd", 1),
        file_system=rows[0]["file_system"],
        nodes=tuple(Node(row["node"], row["ip_address"]) for row in rows),
    )
    # Without the cluster of each node, which the release of the study does not print.
    title, *real = body(path.read_text().splitlines())
    written = body(scale_captures.mmlsmount(cluster))
    assert written == [title, *(line.rsplit(" ", 1)[0] for line in real)]
