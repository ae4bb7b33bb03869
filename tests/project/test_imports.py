"""Data flow one way through the house, and so do imports: none leads up, none in a circle."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.support.imports import circle, imports, upwards

#: The rooms, from the ground up.
ROOMS = (
    (
        "errors",
        "text",
        "units",
        "table",
        "bounded_yaml",
        "checked_yaml",
        "code",
        "memory",
        "plugins",
        "zones",
    ),
    ("process",),
    ("statistics", "formats"),
    ("dataset", "models"),
    ("records", "intake"),
    ("study",),
    ("claims",),
    ("frames", "topology", "doctor", "measure"),
    ("charts",),
    ("engine",),
    ("publish",),
    ("commands",),
)
#: What the name of the library hands out, when it is asked: a door, and no room.
DOOR = {"studybook.frames.named_sides", "studybook.study.study"}

#: The library's name alone is its version; the command is above all rooms, and the testbed beside
#: the library: it uses what it needs, and nothing knows of it.
FLOORS = (
    ("studybook", *(f"studybook.{room}" for room in ROOMS[0])),
    *(tuple(f"studybook.{room}" for room in floor) for floor in ROOMS[1:]),
    ("studybook.__main__", "testbed"),
)


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    found = imports(REPOSITORY, ("studybook", "testbed"))
    assert found["studybook"] == DOOR
    return found | {"studybook": set()}


def test_no_import_leads_up(graph: dict[str, set[str]]) -> None:
    assert upwards(graph, FLOORS) == []


def test_every_room_has_a_floor() -> None:
    library = REPOSITORY / "studybook"
    there = {path.relative_to(library).parts[0] for path in library.rglob("*.py")}
    rooms = {name.removesuffix(".py") for name in there} - {"__init__", "__main__"}
    assert rooms == {room for floor in ROOMS for room in floor}


def test_no_modules_import_each_other_in_a_circle(graph: dict[str, set[str]]) -> None:
    assert circle(graph) == []


def test_the_graph_is_that_of_the_code(graph: dict[str, set[str]]) -> None:
    assert "studybook.errors" in graph["studybook.charts.renderer"]
    # within a function, and below TYPE_CHECKING
    assert "studybook.charts.page" in graph["studybook.charts.notebook"]
    assert "studybook.dataset.inspection" in graph["studybook.commands.inspect"]


# ---- what is held is found -------------------------------------------------------------


def house(root: Path, modules: Mapping[str, str]) -> dict[str, set[str]]:
    for name, text in modules.items():
        path = root / "house" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return imports(root, ("house",))


@pytest.mark.parametrize(
    "line",
    [
        "from house.upper import door",
        "from house.upper.door import handle",
        "from house import upper",
        "import house.upper.door",
        "from ..upper import door",
        "def lazily():\n    from house.upper import door",
        "if TYPE_CHECKING:\n    import house.upper.door",
    ],
)
def test_an_import_upwards_is_found_wherever_it_stands(tmp_path: Path, line: str) -> None:
    empty = {"upper/__init__": "", "upper/door": "from house.lower import floor"}
    graph = house(tmp_path, {**empty, "lower/floor": line, "lower/__init__": ""})
    faults = upwards(graph, (("house.ground",), ("house.lower",), ("house.upper",)))
    assert [fault.split(" imports house.upper")[0] for fault in faults] == ["house.lower.floor"]


def test_rooms_of_one_floor_do_not_know_each_other(tmp_path: Path) -> None:
    graph = house(tmp_path, {"left": "from house import right, below", "right": "", "below": ""})
    floors = (("house.below",), ("house.left", "house.right"))
    assert upwards(graph, floors) == ["house.left imports house.right"]
    homeless = upwards(graph, floors[:1])
    assert [each.split()[0] for each in homeless] == ["house.left", "house.right"]
    assert all("no room" in each for each in homeless)


def test_a_circle_is_found(tmp_path: Path) -> None:
    modules = {"a": "from house import b", "b": "def f():\n    import house.c", "c": ""}
    assert circle(house(tmp_path, modules)) == []
    found = circle(house(tmp_path, {**modules, "c": "from house.a import f"}))
    assert found[0] == found[-1]
    assert set(found) == {"house.a", "house.b", "house.c"}
