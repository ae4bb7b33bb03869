"""Drawings of a setup: where the parts stand, what they say, and how the chart shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studybook import topology
from studybook.charts import look, marks
from studybook.charts import topology as drawing
from studybook.charts.renderer import MAX_ROWS, MIME_TYPE, render
from studybook.dataset.definition import read_definition
from studybook.study.origin import NO_RUN
from studybook.topology.layout import BREAK, fit, text_width
from tests.conftest import REPOSITORY
from tests.support.drawings import (
    Rows,
    check_places,
    cluster,
    connected,
    drawings,
    idea,
    parts,
    routing,
    setup,
    system,
    taken,
)


@pytest.fixture(autouse=True)
def _of_the_study() -> None:
    """The drawings are of a study of this book, and so are their colours."""
    definition = read_definition(REPOSITORY, "ecm-scaleout")
    assert definition
    definition.use()


# ---- places ------------------------------------------------------------------------------


@settings(max_examples=30)
@given(
    nodes=st.integers(1, 40), servers=st.sampled_from([0, 1, 2, 5, 9]), disks=st.integers(0, 40),
    balanced=st.booleans(),
    prefix=st.sampled_from(["n", "compute_node_", "a-name-that-is-longer-than-the-page-is-wide-"]),
)  # fmt: skip
def test_every_setup_has_room(
    nodes: int, servers: int, disks: int, balanced: bool, prefix: str
) -> None:
    for frame in drawings(setup(nodes, servers, disks, balanced=balanced, prefix=prefix)).values():
        check_places(frame)
        assert len(frame) <= MAX_ROWS


def test_the_schema_has_room() -> None:
    check_places(idea())


def test_an_overlap_would_be_seen() -> None:
    frame = idea()
    moved = frame.copy()
    moved.loc[moved["name"] == "NSD 2", ["x", "x2"]] -= 40
    with pytest.raises(AssertionError):
        check_places(moved)
    moved = frame.copy()
    moved.loc[moved["end"] == "NSD 2", ["y2"]] -= 3
    with pytest.raises(AssertionError):
        check_places(moved)


def test_forty_nodes_wrap_and_stay_legible() -> None:
    frame = cluster(taken(*setup(40)))
    nodes = frame[(frame["part"] == "box") & (frame["role"] == "ECM node")]
    assert len(nodes) == 40
    assert nodes["y"].nunique() <= 10
    assert (nodes["x2"] - nodes["x"]).min() > 50


def test_a_drawing_is_the_same_each_time() -> None:
    rows = setup(5, 3)
    before = [table.copy() for table in rows]
    for one, other in zip(drawings(rows).values(), drawings(rows).values(), strict=True):
        pd.testing.assert_frame_equal(one, other)
    for table, kept in zip(rows, before, strict=True):
        pd.testing.assert_frame_equal(table, kept)


def test_a_text_that_is_too_wide_keeps_its_ends() -> None:
    assert fit("node1", 100) == "node1"
    assert fit("a-very-long-name-of-a-node-7", 60).startswith("a")
    assert fit("a-very-long-name-of-a-node-7", 60).endswith("7")
    assert text_width(fit("a-very-long-name-of-a-node-7", 60)) <= 60


# ---- what it shows -----------------------------------------------------------------------


@pytest.mark.parametrize("draw", [cluster, system])
def test_shared_disks_are_reached_by_every_node(draw: Callable[..., pd.DataFrame]) -> None:
    reached = connected(draw(taken(*setup(3, 0, 2))), "SAN")
    assert reached == {"node1", "node2", "node3", "nsd00", "nsd01"}


def test_a_node_that_does_not_mount_has_no_path() -> None:
    hosts, disks = setup(3, 0, 2)
    hosts.loc[hosts["host"] == "node2", "mounted"] = ""
    frame = cluster(taken(hosts, disks))
    assert connected(frame, "SAN") == {"node1", "node3", "nsd00", "nsd01"}
    assert frame.set_index("name")["detail"]["node2"].endswith("not mounted")
    assert (
        taken(hosts, disks).access(shares=True) == "2 ECM nodes reach all 2 disks of fs1 directly"
    )


def test_clients_of_servers_have_no_path() -> None:
    rows = setup(3, 2, 4)
    assert connected(system(taken(*rows)), "SAN") == {
        "srv1", "srv2", "nsd00", "nsd01", "nsd02", "nsd03",
    }  # fmt: skip
    frame = cluster(taken(*rows))
    assert not connected(frame, "SAN")
    assert connected(frame, "LAN") == {"node1", "node2", "node3", "srv1", "srv2"}
    shared_out = frame[frame["role"].str.startswith("disk of")].groupby("role")["name"].agg(list)
    assert shared_out.to_dict() == {
        "disk of srv1": ["nsd00", "nsd02"],
        "disk of srv2": ["nsd01", "nsd03"],
    }


def test_a_cluster_may_have_disks_of_both_kinds() -> None:
    hosts, disks = setup(2, 2, 4)
    disks.loc[2:, ["file_system", "servers"]] = ["fs2", None]
    hosts.loc[hosts["in_cluster"], "mounted"] = ["fs1, fs2", "fs1", "fs1", "fs1, fs2"]
    frame = cluster(taken(hosts, disks))
    check_places(frame)
    assert connected(frame, "SAN") == {"node1", "nsd02", "nsd03"}
    details = frame[frame["part"] == "box"].set_index("name")["detail"]
    assert [details[name].endswith("also direct") for name in ("srv1", "srv2")] == [False, True]
    assert taken(hosts, disks).access(shares=True) == (
        "2 nodes reach all 2 disks of fs2 directly; "
        "2 NSD servers serve 2 disks of fs1 to 2 clients, 1 disk each"
    )


def test_disks_of_no_file_system_are_drawn_as_such() -> None:
    hosts, disks = setup(2, 0, 3)
    disks.loc[2, "file_system"] = None
    frame = cluster(taken(hosts, disks))
    names = {each.name for each in parts(frame, "frame")}
    assert names == {"fs1, mounted on 2 of 2 nodes", "no file system"}
    assert (
        taken(hosts, disks).access(shares=True) == "2 ECM nodes reach all 2 disks of fs1 directly"
    )
    hosts.loc[0, "mounted"] = ""
    assert (
        taken(hosts, disks).access(shares=True) == "1 ECM node reaches all 2 disks of fs1 directly"
    )


def test_a_server_that_is_never_first_stands_by() -> None:
    frame = cluster(taken(*setup(2, 3, 6, balanced=False)))
    standing_by = frame.loc[(frame["part"] == "box") & (frame["state"] == "standby"), "name"]
    assert list(standing_by) == ["srv2", "srv3"]
    dashed = [layer for layer in chart(frame)["layer"] if "strokeDash" in layer["mark"]]
    assert [layer["mark"]["type"] for layer in dashed] == ["rect"]
    labels = frame[frame["part"] == "label"].groupby("role")["name"].agg(" ".join)
    assert labels["srv1"] == "first server of 6 disks, then srv2, srv3"
    assert labels["srv3"] == "stands by: later in the list of 6 disks"


def test_what_addresses_and_mtus_have_in_common_is_said_once() -> None:
    hosts, disks = setup(3)
    frame = cluster(taken(hosts, disks))
    assert "LAN 10.0.0.x, MTU 1492: control only" in set(frame["name"])
    assert frame.set_index("name").loc["node2", "detail"] == "quorum · .2"
    hosts.loc[hosts["host"] == "node2", "mtu_bytes"] = "9000"
    hosts.loc[hosts["host"] == "node3", "mtu_bytes"] = None
    details = cluster(taken(hosts, disks)).set_index("name")["detail"]
    assert [details[f"node{n}"].split(BREAK)[-1] for n in (1, 2, 3)] == [".1", "MTU 9000", "MTU ?"]


def test_names_lose_their_domain_unless_they_would_be_alike() -> None:
    hosts, disks = setup(2, 1, 1)
    hosts["host"] = hosts["node"] = [f"{name}.example.com" for name in hosts["host"]]
    disks["servers"] = "srv1.example.com"
    boxes = {box.name for box in parts(cluster(taken(hosts, disks)), "box")}
    assert boxes == {"node1", "node2", "srv1", "nsd00"}
    hosts.loc[1, ["host", "node"]] = "node1.example.org"
    boxes = {box.name for box in parts(cluster(taken(hosts, disks)), "box")}
    assert {"node1.example.com", "node1.example.org"} <= boxes


def test_requests_go_to_every_member() -> None:
    frame = routing(taken(setup(3)[0], factors={"routing": "random"}))
    members = {f"ICN on node{number}" for number in (1, 2, 3)}
    assert connected(frame, "Routing") == {"web", *members}
    assert frame.set_index("name")["detail"]["web"].endswith("routes at random")
    assert [box.name for box in parts(frame, "box")].count("CPE") == 3


@pytest.mark.parametrize(
    ("rows", "access", "paths"),
    [
        (
            setup(4),
            "4 ECM nodes reach all 6 disks of fs1 directly",
            "4 ECM nodes reach all 6 disks of fs1 directly",
        ),
        (
            setup(1, 0, 1),
            "1 ECM node reaches the one disk of fs1 directly",
            "1 ECM node reaches the one disk of fs1 directly",
        ),
        (
            setup(4, 3),
            "3 NSD servers serve 6 disks of fs1 to 4 clients, 2 disks each",
            "4 ECM nodes reach all 6 disks of fs1 only through 3 NSD servers",
        ),
        (
            setup(1, 2, 3),
            "2 NSD servers serve 3 disks of fs1 to 1 client, 1 to 2 disks each",
            "1 ECM node reaches all 3 disks of fs1 only through 2 NSD servers",
        ),
        (
            setup(4, 2, 6, balanced=False),
            "srv1 alone serves all 6 disks of fs1 to 4 clients; 1 more server stands by",
            "4 ECM nodes reach all 6 disks of fs1 only through 2 NSD servers",
        ),
        (
            setup(2, 1),
            "srv1 serves all 6 disks of fs1 to 2 clients",
            "2 ECM nodes reach all 6 disks of fs1 only through 1 NSD server",
        ),
        (setup(2, 0, 0), *["2 nodes, and no disk of a file system"] * 2),
    ],
)
def test_the_finding_is_computed(rows: Rows, access: str, paths: str) -> None:
    assert taken(*rows).access(shares=True) == access
    assert taken(*rows).access() == paths


def test_hosts_are_counted_by_role_in_the_order_of_the_study() -> None:
    hosts, _ = setup(5)
    assert topology.counts(taken(hosts).hosts) == [
        "5 ECM nodes", "1 web server", "1 load driver", "1 hypervisor",
    ]  # fmt: skip


def test_processors_are_said_where_all_of_a_role_have_the_same() -> None:
    hosts = pd.DataFrame(
        [
            ("a", "database", 2.0), ("b", "ecm-node", 8.0), ("c", "ecm-node", 4.0),
            ("d", "driver", None), ("e", "directory", 1.0), ("f", "ecm-node", 4.0),
        ],
        columns=["host", "role", "cpus"],
    ).assign(in_cluster=False)  # fmt: skip
    assert topology.counts(taken(hosts).hosts, processors=True) == [
        "3 ECM nodes", "1 database with 2 CPUs", "1 directory with 1 CPU", "1 load driver",
    ]  # fmt: skip
    alike = hosts.drop(index=1)
    assert topology.counts(taken(alike).hosts, processors=True)[0] == "2 ECM nodes with 4 CPUs"


# ---- the chart ---------------------------------------------------------------------------


def chart(frame: pd.DataFrame) -> dict[str, Any]:
    look.use()
    base = drawing.canvas(frame)
    made = (drawing.lines(base), drawing.boxes(base), drawing.texts(base))
    laid = marks.layered(*made, **drawing.size(frame))
    closed = look.finding(laid, title="T", description=drawing.described(frame))
    spec: dict[str, Any] = render(closed.to_dict())[MIME_TYPE]
    return spec


def test_a_chart_names_its_origin_and_every_host() -> None:
    spec = chart(cluster(taken(*setup(4, 3), origin="simulated")))
    assert spec["title"]["subtitle"] == ["◐ simulated"]
    assert all(f"srv{number}" in spec["description"] for number in (1, 2, 3))
    assert all(channel.get("axis", 0) is None for channel in axes(spec))


def axes(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for layer in spec["layer"]:
        yield from (layer["encoding"][name] for name in ("x", "y"))


def test_letters_are_large_enough_for_a_phone() -> None:
    for frame in (*drawings(setup(4, 3)).values(), idea()):
        marks = [layer["mark"] for layer in chart(frame)["layer"]]
        assert min(mark["fontSize"] for mark in marks if mark["type"] == "text") >= 12


def test_a_schema_says_that_it_is_one() -> None:
    assert chart(idea())["title"]["subtitle"] == ["▢ schema"]
    assert set(idea()["run"]) == {NO_RUN}


def test_what_was_measured_is_drawn_fuller() -> None:
    full, pale = (
        next(
            layer["mark"]["fillOpacity"]
            for layer in chart(cluster(taken(*setup(1), origin=origin)))["layer"]
            if "fillOpacity" in layer["mark"]
        )
        for origin in ("measured", "simulated")
    )
    assert full > pale
