"""Drawings of a setup, from captures: those of the reference, changed ones, and too few."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studybook import topology
from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.doctor.captures import captures
from studybook.errors import NeedsData
from studybook.study.scope import Scope
from studybook.study.study import Study
from studybook.topology import Setup
from tests.support.captured import add_changed, add_reference, project
from tests.support.drawings import (
    ROLES,
    Rows,
    check_places,
    cluster,
    connected,
    drawn_by,
    parts,
    system,
    taken,
)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = project(tmp_path_factory.mktemp("topology"))
    for run in ("sd-4-1492", "nsd-4-1492", "nsd-4-1492-unbalanced"):
        add_reference(root, f"ecm-scaleout/configuration-{run}")
    add_reference(root, "flexible-scale/6-systems-configuration")
    add_changed(root, "bare", {"mmlsmount.txt": None, "mmlsconfig.txt": None})
    last = "   7   NSDsrv3           192.0.2.203  NSDsrv3          quorum\n"
    one_more = f"{last}   8   Extra             192.0.2.9    Extra            \n"
    add_changed(root, "eighth-node", {"mmlscluster.txt": (last, one_more)})
    add_changed(root, "no-cluster", {"mmlscluster.txt": None})
    add_changed(root, "no-disks", {"mmlsnsd.txt": None})
    with captures(take_inventory(DataSet("mine", root))) as found:
        yield found


@pytest.fixture(scope="module")
def studies(database: Path) -> dict[str, Study]:
    names = ("ecm-scaleout", "flexible-scale", "lab")
    return {name: Study(Scope(name, {}), database) for name in names}


def captured(studies: dict[str, Study], study: str, run: str) -> Rows:
    hosts, disks = (
        studies[study].query(f"FROM {view} WHERE run_id = $run ORDER BY ALL", run=f"{study}/{run}")
        for view in ("system_host", "cluster_disk")
    )
    return hosts, disks


def read(setup: Setup) -> str:
    """What stands below the drawing of a cluster."""
    cell = "words.Reading("
    return str(drawn_by("ecm-scaleout/fig07-shared-disk-cluster", setup, cell)[cell])


@pytest.mark.parametrize(
    ("study", "run", "access", "quorum"),
    [
        (
            "ecm-scaleout", "configuration-sd-4-1492",
            "4 ECM nodes reach all 6 disks of FSData directly",
            "Quorum nodes are 3 of 4 nodes:",
        ),
        (
            "ecm-scaleout", "configuration-nsd-4-1492",
            "3 NSD servers serve 6 disks of FSData to 4 clients, 2 disks each",
            "Quorum nodes are 3 of 7 nodes:",
        ),
        (
            "ecm-scaleout", "configuration-nsd-4-1492-unbalanced",
            "NSDsrv1 alone serves all 6 disks of FSData to 4 clients; 2 more servers stand by",
            "Quorum nodes are 3 of 7 nodes:",
        ),
        (
            "flexible-scale", "6-systems-configuration",
            "4 NSD servers serve 36 disks of gpfs1 to 10 clients, 9 disks each",
            "Quorum nodes are 5 of 14 nodes:",
        ),
    ],
)  # fmt: skip
def test_captures_become_drawings(
    studies: dict[str, Study], study: str, run: str, access: str, quorum: str
) -> None:
    rows = captured(studies, study, run)
    assert taken(*rows).access(shares=True) == access
    assert quorum in read(taken(*rows))
    for draw in (cluster, system):
        check_places(draw(taken(*rows)))
    drawn = {box.name for box in parts(cluster(taken(*rows)), "box")}
    members = set(rows[0].loc[rows[0]["in_cluster"], "host"])
    assert drawn == members | set(rows[1]["nsd"])


def test_the_system_says_what_its_hosts_are(studies: dict[str, Study]) -> None:
    frame = system(taken(*captured(studies, "ecm-scaleout", "configuration-nsd-4-1492")))
    details = frame[frame["part"] == "box"].set_index("name")["detail"]
    assert details["ECMnod1"] == "ECM node · 8 CPUs · 16 GiB · .1"
    assert details["Dmgr"] == "deployment manager · 2 CPUs · 2 GiB · .103"
    frames = [each.name for each in parts(frame, "frame")]
    assert frames == ["Hypervisor ZVMBOOK, 30 CPUs", "FSData, mounted on 7 of 7 nodes"]


def test_another_capture_is_another_picture(studies: dict[str, Study]) -> None:
    hosts, disks = captured(studies, "lab", "eighth-node")
    frame = cluster(taken(hosts, disks))
    assert frame.set_index("name").loc["Extra", "detail"] == "client · .9 · MTU ? · not mounted"
    assert (
        taken(hosts, disks)
        .access(shares=True)
        .startswith("3 NSD servers serve 6 disks of FSData to 5")
    )


def test_captures_that_are_missing_are_not_made_up(studies: dict[str, Study]) -> None:
    hosts, disks = captured(studies, "lab", "bare")
    frame = cluster(taken(hosts, disks))
    assert "Disks of FSData" in set(frame["name"])
    assert hosts["mounted"].isna().all()
    assert hosts["page_pool"].isna().all()
    hosts, disks = captured(studies, "lab", "no-cluster")
    assert "was not captured" in read(taken(hosts, disks))
    assert "client" not in " ".join(cluster(taken(hosts, disks))["detail"])
    hosts, disks = captured(studies, "lab", "no-disks")
    assert disks.empty
    assert connected(cluster(taken(hosts, disks)), "SAN") == set()


def test_the_first_run_that_has_captures_is_drawn(studies: dict[str, Study]) -> None:
    run = topology.captured(
        studies["lab"], "cluster_disk", needs="the output of mmlsnsd", roles=ROLES
    )
    assert (run.run_id, run.origin, run.matching) == ("lab/bare", "measured", 3)
    assert run.said == "run bare, the first of 3 that match"


def test_without_captures_the_figure_says_what_it_needs(database: Path) -> None:
    study = Study(Scope("lab", {"cluster": "none"}), database)
    with pytest.raises(NeedsData, match="the output of mmlsnsd"):
        topology.captured(study, "cluster_disk", needs="the output of mmlsnsd", roles=ROLES)


def test_tables_say_what_is_empty_and_what_is_missing(studies: dict[str, Study]) -> None:
    run = "configuration-sd-4-1492"
    setup = taken(*captured(studies, "ecm-scaleout", run), run_id=f"ecm-scaleout/{run}")
    study = studies["ecm-scaleout"]
    found = drawn_by(
        "ecm-scaleout/fig07-shared-disk-cluster", setup, "of the cluster, by", "SELECT", study=study
    )
    nodes = found["of the cluster, by"].set_index("node")
    assert nodes["designation"].tolist() == ["quorum-manager", "quorum", "quorum", "(empty)"]
    assert set(found["SELECT"]["servers in their order"]) == {"(directly attached)"}
    found = drawn_by("ecm-scaleout/fig02-shared-disk", setup, "Hosts, as")
    listed = found["Hosts, as"].set_index("host")
    assert listed["MTU (bytes)"].isna().tolist() == [
        name in ("ZVMBOOK", "driver") for name in listed.index
    ]
    assert listed.loc["IHS", ["processors", "memory"]].tolist() == ["4 CPUs", "2 GiB"]
