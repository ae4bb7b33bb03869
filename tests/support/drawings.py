"""Setups of any size for drawings, and what must hold of the places of their parts."""

from __future__ import annotations

import ast
import itertools
from functools import cache
from typing import Any

import duckdb
import nbformat
import pandas as pd

from studybook import topology
from studybook.dataset.definition import Definition, Role, read_definition
from studybook.frames import words
from studybook.records.models import FOLDER
from studybook.text import counted
from studybook.topology.layout import BREAK, LINE, WIDTH, text_width
from studybook.topology.setup import with_roles
from tests.conftest import REPOSITORY

Rows = tuple[pd.DataFrame, pd.DataFrame]
#: What drawings of the tests are told of roles: the words of a study of this book.
ROLES: dict[str, Role] = (read_definition(REPOSITORY, "ecm-scaleout") or Definition()).roles
DISK = ["file_system", "nsd", "servers", "line"]
#: What the models take of hosts and disks.
COLUMNS: dict[str, dict[str, str]] = {
    "system_host": {
        "host": "VARCHAR", "role": "VARCHAR", "cpus": "DOUBLE", "memory_mib": "DOUBLE",
        "in_cluster": "BOOLEAN", "node": "VARCHAR", "node_number": "BIGINT",
        "designation": "VARCHAR", "mounted": "VARCHAR", "ip_address": "VARCHAR",
        "mtu_bytes": "VARCHAR", "page_pool": "VARCHAR",
    },
    "cluster_disk": {
        "file_system": "VARCHAR", "nsd": "VARCHAR", "servers": "VARCHAR", "line": "BIGINT",
    },
}  # fmt: skip


def setup(
    nodes: int, servers: int = 0, disks: int = 6, *, balanced: bool = True, prefix: str = "node"
) -> Rows:
    """Make the rows of a cluster, as the views give them, with a web server and a hypervisor."""
    names = [f"{prefix}{number}" for number in range(1, nodes + 1)]
    serving = [f"srv{number}" for number in range(1, servers + 1)]
    hosts: list[dict[str, Any]] = [
        {
            "host": name, "role": "nsd-server" if name in serving else "ecm-node", "node": name,
            "in_cluster": True, "node_number": number, "designation": "quorum" * (number < 4),
            "mounted": "fs1", "ip_address": f"10.0.0.{number}", "mtu_bytes": "1492", "cpus": 2,
            "memory_mib": 4096, "page_pool": "1 GiB",
        }
        for number, name in enumerate([*names, *serving], start=1)
    ]  # fmt: skip
    around = {"web": "web-server", "zvm": "hypervisor", "load": "driver"}
    hosts += [{"host": host, "role": role, "in_cluster": False} for host, role in around.items()]
    rows = [
        ["fs1", f"nsd{number:02}", turned(serving, number if balanced else 0), number]
        for number in range(disks)
    ]
    return pd.DataFrame(hosts), pd.DataFrame(rows, columns=DISK)


def turned(servers: list[str], by: int) -> str | None:
    place = by % len(servers) if servers else 0
    return ",".join(servers[place:] + servers[:place]) or None


@cache
def database() -> duckdb.DuckDBPyConnection:
    """A database that has the macros of the models, and nothing else."""
    connection = duckdb.connect()
    connection.execute((FOLDER / "macros/cluster.sql").read_text(encoding="utf-8"))
    return connection


def taken(hosts: pd.DataFrame, disks: pd.DataFrame | None = None, **more: Any) -> topology.Setup:
    """Make of rows of ``system_host`` and ``cluster_disk`` what a drawing takes, by the models."""
    connection = database().cursor()
    given = {"system_host": hosts, "cluster_disk": pd.DataFrame() if disks is None else disks}
    for name, columns in COLUMNS.items():
        rows = given[name].reindex(columns=list(columns)).astype(object)
        rows = rows.where(rows.notna(), None).assign(run_id="study/run")
        typed = ", ".join(f"{column} {kind}" for column, kind in columns.items())
        connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} ({typed}, run_id VARCHAR)")
        if len(rows):
            marks = ", ".join("?" * len(rows.columns))
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows.to_numpy().tolist())
    for name in ("drawn_host", "disk_path"):
        model = (FOLDER / f"run/cluster/{name}.sql").read_text(encoding="utf-8")
        connection.execute(f"CREATE OR REPLACE TEMP VIEW {name} AS {model}")
    drawn = connection.execute("FROM drawn_host ORDER BY node_number NULLS LAST, host").df()
    paths = connection.execute("FROM disk_path ORDER BY line, turn, name").df()
    about = {"run_id": "study/run", **more}
    return topology.Setup(with_roles(drawn, ROLES), paths, **about)


def drawn_by(
    figure: str, setup: topology.Setup | None = None, *cells: str, **more: Any
) -> dict[str, Any]:
    """Run the cell of a notebook that makes a drawing of a setup; what it gives names to.

    Further cells, by what stands in them, are run after it, and their last values called so.
    """
    notebook = nbformat.read(REPOSITORY / f"notebooks/{figure}.ipynb", as_version=4)
    names = {"setup": setup, "topology": topology, "words": words, "pd": pd, "counted": counted}
    names |= {"show": lambda table, _: table, **more}
    for holds in ("topology.placed(", *cells):
        (cell,) = (c for c in notebook.cells if c.cell_type == "code" and holds in c.source)
        tree = ast.parse(cell.source)
        if isinstance(tree.body[-1], ast.Expr):
            name = ast.Name(holds, ast.Store())
            tree.body[-1] = ast.Assign([name], tree.body[-1].value)
        code = compile(ast.fix_missing_locations(tree), figure, "exec")
        exec(code, names)  # noqa: S102 - a notebook of this book
    return names


def system(setup: topology.Setup) -> pd.DataFrame:
    """Draw a system as the book does."""
    frame: pd.DataFrame = drawn_by("ecm-scaleout/fig02-shared-disk", setup)["frame"]
    return frame


def cluster(setup: topology.Setup) -> pd.DataFrame:
    """Draw a cluster as the book does."""
    frame: pd.DataFrame = drawn_by("ecm-scaleout/fig07-shared-disk-cluster", setup)["frame"]
    return frame


def routing(setup: topology.Setup) -> pd.DataFrame:
    """Draw the way of requests as the book does."""
    frame: pd.DataFrame = drawn_by("ecm-scaleout/fig04-request-routing", setup)["frame"]
    return frame


def idea() -> pd.DataFrame:
    """Draw something of which nothing was captured, as the book does."""
    frame: pd.DataFrame = drawn_by("ecm-scaleout/fig01-spectrum-scale")["frame"]
    return frame


def drawings(rows: Rows) -> dict[str, pd.DataFrame]:
    setup = taken(*rows)
    return {draw.__name__: draw(setup) for draw in (cluster, system, routing)}


def parts(frame: pd.DataFrame, part: str) -> list[Any]:
    return list(frame[frame["part"] == part].itertuples())


def overlap(one: Any, other: Any) -> bool:
    return bool(
        one.x < other.x2 and other.x < one.x2 and one.y < other.y2 and other.y < one.y2
    )  # fmt: skip


def on_border(x: float, y: float, box: Any) -> bool:
    across, down = box.x <= x <= box.x2, box.y <= y <= box.y2
    return bool((across and y in (box.y, box.y2)) or (down and x in (box.x, box.x2)))


def on_line(x: float, y: float, line: Any) -> bool:
    across = min(line.x, line.x2) <= x <= max(line.x, line.x2)
    return bool(across and min(line.y, line.y2) <= y <= max(line.y, line.y2))


def in_one_piece(lines: list[Any]) -> bool:
    """Say whether lines all hang together."""
    reached, waiting = lines[:1], lines[1:]
    for line in reached:
        ends = [(line.x, line.y), (line.x2, line.y2)]
        for other in [*waiting]:
            theirs = [(other.x, other.y), (other.x2, other.y2)]
            if any(on_line(*p, other) for p in ends) or any(on_line(*p, line) for p in theirs):
                reached.append(other)
                waiting.remove(other)
    return not waiting


def check_places(frame: pd.DataFrame) -> None:
    boxes, frames = parts(frame, "box"), parts(frame, "frame")
    assert not [pair for pair in itertools.combinations(boxes, 2) if overlap(*pair)]
    assert frame[["x", "x2"]].min().min() >= 0
    assert frame[["x", "x2"]].max().max() <= WIDTH
    assert frame["y"].min() >= 0
    lines: dict[str, list[Any]] = {line.name: [] for line in parts(frame, "network")}
    for line in parts(frame, "network"):
        lines[line.name].append(line)
        # no line runs through a box
        assert not [box for box in boxes if overlap(line, box)], line
    for name, network in lines.items():
        assert in_one_piece(network), name
    for link in parts(frame, "link"):
        ends_of = boxes + frames
        assert any(on_border(link.x2, link.y2, each) for each in ends_of), link
        starts = [on_line(link.x, link.y, line) for line in lines.get(link.start, [])]
        assert any(starts) or any(on_border(link.x, link.y, box) for box in boxes), link
    for box in boxes:
        assert text_width(box.name, bold=True) <= box.x2 - box.x, box
        assert all(text_width(line) <= box.x2 - box.x for line in box.detail.split(BREAK)), box
        assert LINE * (1 + len(box.detail.split(BREAK)) * bool(box.detail)) < box.y2 - box.y, box


def connected(frame: pd.DataFrame, network: str) -> set[str]:
    return set(frame.loc[(frame["part"] == "link") & (frame["start"] == network), "end"])
