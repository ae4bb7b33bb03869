"""The pages on tables and formats of one's own: what they show is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from studybook import plugins
from studybook.records import store
from studybook.records.load import load
from tests.conftest import REPOSITORY

PAGES = REPOSITORY / "studybook/template/book/book"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            "own-tables",
            [("command_ms", None, "open a till", 250), ("command_ms", None, "print a bill", 50),
             ("queue_length", "till1", None, 4), ("serving_ms", "till1", None, 1000),
             ("serving_ms", "till2", None, 2500)],
        ),
        ("own-formats", [("serving_ms", None, "paper", 500), ("serving_ms", None, "sweets", 1500)]),
    ],
)  # fmt: skip
def test_the_example_of_a_page_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str, expected: list[tuple[object, ...]]
) -> None:
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    shown = re.findall(r"^`([^`]+)`:\n\n```\w+\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert len(shown) == text.count("```") // 2
    for name, content in [*shown, ("_config.yml", "title: Shop\n")]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.setenv("STUDYBOOK_HOME", str(tmp_path))
    try:
        load(data_set="main", strict=True)
    finally:
        plugins.use_book(None)
    with store.connect(tmp_path / "build/main/study.duckdb") as connection:
        assert (
            connection.execute(
                "SELECT metric, factors['host'], factors['label'], mean FROM metric ORDER BY ALL"
            ).fetchall()
            == expected
        )
        assert connection.execute("SELECT sum(lines_not_understood) FROM raw_file").fetchall() == [
            (0,)
        ]
