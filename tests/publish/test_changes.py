"""What changed between two builds: numbers that moved, and nothing that did not."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from studybook.publish.changes.builds import Build, open_build
from studybook.publish.changes.compare import Change, changes
from studybook.publish.changes.told import page, summary
from tests.support.project import Project, book_of_three
from tests.support.tram import add_run

FIGURE = "flexible-scale/bandwidth"
IOR = "flexible-scale/6-systems-read/ior.txt"

RECORD = {
    "state": "ok", "message": "", "finding": "", "code": "", "versions": {}, "package": "1",
    "origins": ["measured"], "judgements": {}, "parameters": {},
}  # fmt: skip

Rows = list[dict[str, str]]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return book_of_three(tmp_path_factory)


@pytest.fixture
def before(project: Project, tmp_path: Path) -> Path:
    """Return an earlier build, which a test alters."""
    shutil.copytree(project.build / "figures", tmp_path / "before/figures")
    return tmp_path / "before"


def alter(before: Path, rows: Callable[[Rows], Any], **record: Any) -> None:
    """Alter the rows and the record of the figure."""
    path = before / f"figures/{FIGURE}.csv"
    with path.open(newline="", encoding="utf-8") as stream:
        there = list(csv.DictReader(stream))
    rows(there)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, there[0])
        writer.writeheader()
        writer.writerows(there)
    path = path.with_suffix(".json")
    path.write_text(json.dumps(json.loads(path.read_text()) | record), encoding="utf-8")


def found(before: Path, now: Path) -> list[Change]:
    return changes(open_build(before, ""), open_build(now, ""))


def of_six(rows: Rows) -> dict[str, str]:
    (row,) = (r for r in rows if r["run"] == "6-systems-read" and r["origin"] == "measured")
    return row


def test_what_is_the_same_is_not_told(project: Project, before: Path) -> None:
    """The order of rows is none of the data, nor are the last digits of a sum."""

    def shuffle(rows: Rows) -> None:
        rows.reverse()
        row = of_six(rows)
        row["mean_gb_s"] = str(float(row["mean_gb_s"]) * (1 + 1e-12))

    alter(before, shuffle)
    assert found(before, project.build) == []
    told = project.call("changes", str(before)).stdout
    assert told == "0 figures of 4 say something else, 0 numbers moved\n"


def test_a_number_that_moved_is_told_with_its_reason(project: Project, before: Path) -> None:
    def lower(rows: Rows) -> None:
        row = of_six(rows)
        for name in ("value", "low", "high"):
            row[name] = str(float(row[name]) - 1)

    record = json.loads((before / f"figures/{FIGURE}.json").read_text())
    alter(before, lower, inputs=record["inputs"] | {IOR: "0"}, finding="It grows 4-fold")
    (change,) = found(before, project.build)
    assert (change.figure, change.kind) == (FIGURE, "changed")
    assert [(each.column, each.end) for each in change.moved] == [
        ("value", False), ("low", True), ("high", True),
    ]  # fmt: skip
    value = change.moved[0]
    assert value.outside
    assert value.now - value.before == pytest.approx(1)
    assert value.share == pytest.approx(1 / value.before)
    assert "6-systems-read" in value.of
    assert change.why == (f"raw file changed: {IOR}",)
    done = project.call("changes", str(before), code=4)
    assert "said     It grows 4-fold" in done.stdout
    assert "1 of 36 moved, 1 out of the interval that it had; farthest value" in done.stdout
    assert "1 figure of 4 says something else, 1 number moved" in done.stdout
    (said,) = json.loads(project.call("changes", str(before), "--json", code=4).stdout)
    assert said["moved"][0]["before"] == value.before


def test_ends_of_intervals_are_told_by_their_number_alone() -> None:
    """A row of a bound has nothing else, which is a number of its own."""

    def build(*rows: tuple[str, str, str]) -> Build:
        columns = ("host", "percent", "low", "high")
        told = [dict(zip(columns, ("a", *row), strict=True)) for row in rows]
        return Build("b", {"f": RECORD}, lambda _: told)

    was = build(("5", "3", "7"), ("6", "", ""))
    (change,) = changes(was, build(("5", "1", "70"), ("6", "4", "8")))
    assert change.told() == "0 of 2 moved; 2 ends of intervals did"
    assert change.lines == ("1 row with an interval now",)
    (change,) = changes(was, build(("5", "3", ""), ("7", "", "")))
    assert change.told() == "1 of 2 moved; farthest percent: 6.00 → 7.00 (+17 %)"
    assert change.lines == ("1 row with no interval any more",)
    bound = [{"value": "", "low": low, "high": ""} for low in ("2", "3")]
    one, other = (Build("b", {"f": RECORD}, lambda _, row=row: [row]) for row in bound)
    assert changes(one, other)[0].told() == "1 of 1 moved; farthest low: 2.00 → 3.00 (+50 %)"


def test_another_unit_of_the_same_number_is_told(project: Project, before: Path) -> None:
    alter(before, lambda rows: of_six(rows).update(unit="MB/s"))
    (change,) = found(before, project.build)
    assert change.lines == ("unit of 1 row: MB/s → GB/s",)


def test_rows_and_columns_that_come_and_go_are_told(project: Project, before: Path) -> None:
    alter(before, lambda rows: rows.pop())
    (change,) = found(before, project.build)
    assert change.moved == ()
    assert "rows of data →" in change.lines[0]
    assert change.why == (
        "nothing that its record names: it may say something else each time that it runs",
    )
    alter(before, lambda rows: [row.pop("test") for row in rows])
    assert "its data have a column test now" in found(before, project.build)[0].lines


def test_figures_and_verdicts_that_come_and_go_are_told() -> None:
    def build(**figures: dict[str, Any]) -> Build:
        return Build("b", {name: RECORD | given for name, given in figures.items()}, lambda _: [])

    def judged(verdict: str, data: str) -> dict[str, Any]:
        return {"judgements": {"fast": {"verdict": verdict, "data": data}}}

    one = build(a={}, c=judged("holds", "3 %"), d={"code": "1", "versions": {"x": "1"}})
    other = build(b={}, c=judged("open", "2 %"),
                  d={"state": "failed", "message": "no\nmore", "versions": {"x": "2"}})  # fmt: skip
    told = {each.figure: each for each in changes(one, other)}
    assert [(each.figure, each.kind) for each in told.values()] == [
        ("c", "changed"), ("a", "gone"), ("b", "new"), ("d", "changed"),
    ]  # fmt: skip
    assert [*map(str, told["c"].verdicts)] == ["claim fast: holds (3 %) → open (2 %)"]
    assert told["d"].said == ("", "failed: no")
    assert told["d"].why == ("notebook changed: its cells", "library changed: x 1 → 2")
    assert summary([*told.values()], one, other).endswith("0 numbers moved, 1 new, 1 gone")


def test_a_goal_that_fell_is_told_first(tmp_path: Path) -> None:
    """Also of an earlier build whose records hold no verdicts on goals, as far as it can be."""
    study = "tram-tickets"
    for day, mean in enumerate((100, 101)):
        add_run(tmp_path, "main", f"n-{day}", {}, mean, day=day, seed=day, seconds=20)
    goals = tmp_path / f"pipelines/{study}/goals.yml"
    goals.parent.mkdir(parents=True)
    project = Project(tmp_path)
    for bound, build in ((300, "before"), (120, "now")):
        goals.write_text(
            "goals:\n"
            "  - {goal: none in vain, metric: error_percent, at_most: 50 %}\n"
            "  - {goal: tickets come soon, metric: response_mean_ms, label: all,"
            f" below: {bound} ms}}\n"
        )
        project.run("figures", f"{study}/goals")
        shutil.copytree(tmp_path / "build/main/figures", tmp_path / build / "figures")
    told = project.call("changes", "before", "now", code=4).stdout.splitlines()
    assert re.fullmatch(
        r" +verdict  goal tickets come soon: holds \((1\d\d ms, \d+ to \d+)\) → open \(\1\)",
        told[1],
    )
    assert [each.split() for each in told[2:4]] == [
        ["said", "2", "goals:", "2", "hold"], ["says", "2", "goals:", "1", "open,", "1", "holds"],
    ]  # fmt: skip
    assert told[-1] == "1 verdict changed, 1 figure of 1 says something else, 0 numbers moved"
    (said,) = json.loads(project.call("changes", "before", "now", "--json", code=4).stdout)
    assert [(each["name"], each["now"]) for each in said["verdicts"]] == [
        ("tickets come soon", "open")
    ]
    path = tmp_path / f"before/figures/{study}/goals.json"
    record = json.loads(path.read_text())
    path.write_text(
        json.dumps({key: record[key] for key in record if key not in ("goals", "answer")})
    )
    (change,) = found(tmp_path / "before", tmp_path / "now")
    assert change.lines == ("verdicts on 2 goals: only one of the builds wrote them down",)
    assert change.said[0] == change.said[1]


def test_a_book_that_is_stale_is_not_compared(
    project: Project, before: Path, tmp_path: Path
) -> None:
    """That a figure failed, and would again, is what a book says."""
    book = Project(Path(shutil.copytree(project.root, tmp_path / "book")))
    path = book.build / f"figures/{FIGURE}.json"
    failed = {"state": "failed", "message": "no room"}
    path.write_text(json.dumps(json.loads(path.read_text()) | failed))
    assert "says     failed: no room" in book.call("changes", str(before), code=4).stdout
    with (book.raw / IOR).open("a") as file:
        file.write("\n")
    for now in ([], ["."], ["build/reference"]):
        done = book.call("changes", str(before), *now, "--json", code=1)
        assert done.stdout == ""
        assert f"stale  {FIGURE}: data changed: {IOR}\n" in done.stderr
        assert done.stderr.endswith("nothing was compared\n  → studybook book, first\n")


def test_it_becomes_a_page_that_holds_no_markup_of_others(
    project: Project, before: Path, tmp_path: Path
) -> None:
    alter(before, lambda rows: None, finding="<script>alert(1)</script> [[origin x]]")
    builds = open_build(before, ""), open_build(project.build, "")
    text = page(changes(*builds), *builds, PurePosixPath("book/about/changes.md"))
    assert f'<a href="../../notebooks/{FIGURE}.html">' in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &#91;&#91;origin x&#93;&#93;" in text
    assert "<script" not in text
    assert "\n\n" not in text.partition("<div")[2].strip()
    refused = project.call("changes", str(before), "--page", str(tmp_path / "x.md"), code=1)
    assert "name one such as book/changes.md" in refused.stderr


def test_an_archive_is_a_build(project: Project, before: Path, tmp_path: Path) -> None:
    archive = tmp_path / "book.zip"
    project.call("archive", str(archive), "--without-raw")
    assert found(archive, project.build) == []
    content = archive.read_bytes()
    archive.write_bytes(content[: len(content) // 2])
    assert "no zip archive, or was cut" in project.call("changes", str(archive), code=1).stderr
    assert "holds no figures" in project.call("changes", str(tmp_path), code=1).stderr
