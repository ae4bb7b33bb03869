"""The reference of a book: all that there is, from the code."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from pydantic import BaseModel

from studybook.__main__ import VERBS, cli
from studybook.claims.goals import Goal
from studybook.commands._reference import errors_in, meanings, sections
from studybook.commands._shared import EXIT_CODES
from studybook.dataset.definition import Definition, Role
from studybook.dataset.manifest import File, Host, Run
from studybook.formats import all_formats
from studybook.formats.mapped.mapping import MappedMetric, Mapping
from studybook.units import METRICS
from tests.conftest import REPOSITORY

Made = dict[str, str]


class _Text(HTMLParser):
    """The texts of cells; elements must be closed in the order in which they were opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


def cells(text: str) -> list[str]:
    read = _Text()
    read.feed(text)
    assert not read.open
    return read.cells


@pytest.fixture(scope="module")
def made() -> Made:
    return {marker: make() for marker, make in sections(cli, REPOSITORY).items()}


@pytest.mark.parametrize("name", ["book", "studybook/template/book/book"])
def test_the_page_asks_for_all_of_it(made: Made, name: str) -> None:
    text = (REPOSITORY / name / "reference.md").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.startswith("<!--")] == list(made)


@pytest.mark.parametrize("model", [Run, Host, File, Mapping, MappedMetric, Definition, Role, Goal])
def test_each_key_has_a_meaning(model: type[BaseModel]) -> None:
    assert meanings(model).keys() == model.model_fields.keys()
    assert all(meanings(model).values())


def test_keys_say_what_may_stand_there(made: Made) -> None:
    found = cells(made["<!-- keys of run.yml -->"])
    rows = {found[at]: found[at + 1] for at in range(3, len(found), 3)}
    assert rows["origin"] == "measured | simulated | published; must be there"
    assert rows["hosts: cpus"] == "whole number"
    assert rows["files: table: decimal"] == ". | ,; by default ."
    assert "files: table: metrics: statistic" in rows
    of_study = cells(made["<!-- keys of study.yml -->"])
    assert "roles: is" in of_study
    assert "roles: kind" not in of_study


def test_it_has_all_metrics_formats_commands_and_exit_codes(made: Made) -> None:
    metrics = cells(made["<!-- metrics -->"])
    assert METRICS.keys() <= set(metrics)
    assert "busiest_node_ifl" in metrics  # of a study alone
    # Each says how it is computed, below what it is.
    said = re.findall(
        r'data-label="Meaning and formula">([^<]*)<small>[^<]', made["<!-- metrics -->"]
    )
    assert len(said) == sum(
        each.endswith("</code>")
        for each in re.findall(r'data-label="Metric">(.*?)</td>', made["<!-- metrics -->"])
    )
    assert {each.name for each in all_formats()} <= set(cells(made["<!-- formats -->"]))
    commands = made["<!-- commands -->"]
    for name in VERBS:
        assert f"<summary><code>{name}</code>" in commands
    assert {str(code) for code in EXIT_CODES} <= set(cells(made["<!-- exit codes -->"]))
    assert not any("\n\n" in text for text in made.values())  # Markdown would end the HTML there


def test_messages_are_those_of_the_code() -> None:
    source = """
raise StudyBookError(f"{path}, line {self.line}: is no name\\n  → write it with " + "letters")
raise Refused("is empty", do="record it again")
raise StudyBookError(str(error))
raise ValueError("of no concern")
"""
    assert list(errors_in(source)) == [
        ("‹path›, line ‹line›: is no name", "write it with letters"),
        ("is empty", "record it again"),
    ]


def test_messages_of_all_rooms_are_there(made: Made) -> None:
    found = cells(made["<!-- errors -->"])
    assert any("is not empty" in each for each in found)  # studybook new
    assert any("must be greater than from_s" in each for each in found)  # a key of run.yml
