"""A book as one archive: the same bytes each time, and what was altered in it is found."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import nbformat
import pytest
import yaml

from tests.support import kiosk
from tests.support.project import Project, book_of_three

CRATE = "ro-crate-metadata.json"
IOR = "data/raw/reference/flexible-scale/6-systems-read/ior.txt"
BANDWIDTH = "build/reference/figures/flexible-scale/bandwidth"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return book_of_three(tmp_path_factory)


@pytest.fixture(scope="module")
def packed(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "book.zip"
    project.call("archive", str(path))
    return path


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def replaced(members: dict[str, bytes], name: str, before: bytes, after: bytes) -> None:
    assert before in members[name]
    members[name] = members[name].replace(before, after, 1)


def altered_with_its_hash(members: dict[str, bytes], name: str, before: bytes, after: bytes) -> str:
    """Alter a file, and its hash and size in the crate; return the hash that it had."""
    was = hashlib.sha256(members[name]).hexdigest()
    crate = json.loads(members[CRATE])
    replaced(members, name, before, after)
    (entity,) = (each for each in crate["@graph"] if each["@id"] == name)
    assert entity["sha256"] == was
    entity["sha256"] = hashlib.sha256(members[name]).hexdigest()
    entity["contentSize"] = str(len(members[name]))
    members[CRATE] = json.dumps(crate).encode()
    return was


def test_the_same_book_gives_the_same_bytes_and_is_well(
    project: Project, packed: Path, tmp_path: Path
) -> None:
    project.call("archive", str(tmp_path / "again.zip"))
    assert (tmp_path / "again.zip").read_bytes() == packed.read_bytes()
    assert "remove it" in project.call("archive", str(packed), code=1).stderr
    assert "4 figures well, 0 not" in project.call("verify", str(packed)).stdout


def test_the_crate_says_what_a_figure_follows_from(packed: Path) -> None:
    members = contents(packed)
    graph = {each["@id"]: each for each in json.loads(members[CRATE])["@graph"]}
    assert len(graph) == len(json.loads(members[CRATE])["@graph"])
    assert {each["@id"] for each in graph["./"]["hasPart"]} == members.keys() - {CRATE}
    assert graph["./"]["name"] == "Performance Study Book"
    assert graph["#author"]["name"] == "the developers of the Study Book"
    figure = graph["#figure/flexible-scale/bandwidth"]
    said = {
        key: {each["@id"] for each in figure[key]} for key in ("object", "result", "instrument")
    }
    assert IOR in said["object"]
    assert {f"{BANDWIDTH}.csv", f"{BANDWIDTH}.csv-metadata.json"} <= said["result"]
    assert any(each.startswith("#program/duckdb/") for each in said["instrument"])
    assert graph["#figure/flexible-scale/bandwidth/level"]["value"] == 0.95
    # Whatever is named is described.
    assert set().union(*said.values()) <= graph.keys()


def test_without_raw_files_it_has_their_hashes(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "light.zip"
    project.call("archive", str(path), "--without-raw")
    members = contents(path)
    assert IOR not in members
    digest = hashlib.sha256((project.root / IOR).read_bytes()).hexdigest()
    line = f"{digest}  {IOR.removeprefix('data/')}\n"
    assert line in members["data/reference.sha256"].decode()
    assert "4 figures well" in project.call("verify", str(path)).stdout
    out = project.call("verify", str(path), "bandwidth", "--rerun", code=4).stdout
    assert "cannot be run flexible-scale/bandwidth\n" in out
    assert "raw files are not in the archive" in out


#: A figure by the table of a format of the book's own.
SALES = """\
from studybook.study import open_study
open_study("kiosk", data_set=data_set).require("SELECT * FROM ledger_sale", needs="a ledger")
"""


def test_a_figure_of_a_format_of_its_book_runs_anew(tmp_path: Path) -> None:
    root = kiosk.book(tmp_path / "kiosk")
    kiosk.plugged(root)
    kiosk.add_run(root, {"ledger.txt": "Kiosk ledger\npaper: 1.5\n"}, "  - path: ledger.txt\n")
    toc = {"format": "jb-book", "root": "book/intro"}
    toc |= {"chapters": [{"file": "notebooks/kiosk/sales"}]}
    said = nbformat.v4.new_code_cell('data_set = "mine"', metadata={"tags": ["parameters"]})
    cells = [nbformat.v4.new_markdown_cell("# Sales"), said, nbformat.v4.new_code_cell(SALES)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
    for name, text in {
        "book/_toc.yml": yaml.safe_dump(toc),
        "book/intro.md": "# Kiosk\n",
        "notebooks/kiosk/sales.ipynb": nbformat.writes(notebook),
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    own = Project(root)
    own.run("book", "-d", "mine")
    own.run("archive", "kiosk.zip", "-d", "mine")
    done = Project(tmp_path).run("verify", "kiosk/kiosk.zip", "sales", "--rerun")
    assert "same          kiosk/sales\n1 figure well, 0 not" in done.stdout


def test_what_is_damaged_is_named(project: Project, packed: Path, tmp_path: Path) -> None:
    members = contents(packed)
    replaced(members, IOR, b"41804.58", b"41804.59")
    del members["_config.yml"]
    members |= {"more.txt": b"1", "../out.txt": b"1"}
    path = write(tmp_path / "damaged.zip", members)
    link = zipfile.ZipInfo("link.txt")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    done = project.call("verify", str(path), "--rerun", code=1)
    assert done.stdout.splitlines() == [
        "damaged       '../out.txt': a path that leads out of the archive",
        "damaged       _config.yml: is missing",
        f"damaged       {IOR}: is not what was packed",
        "damaged       link.txt: is a link",
        "damaged       more.txt: is not in the crate",
    ]
    path.write_bytes(packed.read_bytes()[:-100])
    assert "was cut" in project.call("verify", str(path), code=1).stderr


def test_a_figure_that_does_not_follow_from_its_data_is_found(
    project: Project, packed: Path, tmp_path: Path
) -> None:
    """Also where every hash was altered with it: then by running the figure."""
    members = contents(packed)
    was = altered_with_its_hash(members, f"{BANDWIDTH}.csv", b"43.8352793", b"53.8352793")
    out = project.call("verify", str(write(tmp_path / "a.zip", members)), code=4).stdout
    assert (
        f"differs       flexible-scale/bandwidth\n{' ' * 14}since its record, file changed: " in out
    )
    assert "3 figures well, 1 not" in out
    now = hashlib.sha256(members[f"{BANDWIDTH}.csv"]).hexdigest()
    altered_with_its_hash(members, f"{BANDWIDTH}.json", was.encode(), now.encode())
    path = write(tmp_path / "b.zip", members)
    assert "4 figures well" in project.call("verify", str(path)).stdout
    out = project.run("verify", str(path), "bandwidth", "--rerun", code=4).stdout
    assert "differs       flexible-scale/bandwidth\n" in out
    moved = [line.strip()[0] for line in out.splitlines() if "3.8352793" in line]
    assert moved == ["-", "+"]
