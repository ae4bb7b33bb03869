"""Readers ask the data of the built book: DuckDB answers in the browser, all hosts blocked."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import duckdb
import pytest
from bs4 import BeautifulSoup

from studybook.publish.explore import package
from studybook.publish.explore.questions import COUNT, questions
from tests.conftest import REPOSITORY
from tests.support.axe import objections
from tests.support.browser import PHONE, Visit, chromium, served, visit

pytestmark = pytest.mark.book

HTML = REPOSITORY / "build/reference/html"
PAGE = HTML / "book/explore.html"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield the data that the page loads."""
    assert package.is_there(), "it was not fetched\n  → studybook explore, then make book"
    path = tmp_path_factory.mktemp("explore") / "data.duckdb"
    path.write_bytes(gzip.decompress((HTML / "explore/data.duckdb.gz").read_bytes()))
    with duckdb.connect(str(path), read_only=True) as connection:
        yield connection


def test_every_question_has_an_answer_that_says_where_it_is_from(
    tmp_path: Path, data: duckdb.DuckDBPyConnection
) -> None:
    page = BeautifulSoup(PAGE.read_text(encoding="utf-8"), "html.parser")
    own = json.loads(page.select_one(".study-explore script").text)["questions"]
    shown = [each.text for each in page.select(".study-explore ol button")]
    assert shown == [each["question"] for each in own]
    general, left_out = questions(tmp_path, data)  # as of a book without its own
    assert len(own) == len(general) == COUNT
    assert left_out == []
    for each in [*(each["sql"] for each in own), *(each.sql for each in general)]:
        answer = data.sql(each)
        assert answer.fetchall(), each
        assert "origin" in answer.columns, each


def ask(seen: Visit, sql: str) -> tuple[str, str]:
    """Ask a question by the keyboard; what the page says then, and what it says is wrong."""
    seen.page.fill("#study-sql", sql)
    seen.page.keyboard.press("Control+Enter")
    return answered(seen)


def answered(seen: Visit) -> tuple[str, str]:
    seen.page.locator(".study-explore[aria-busy=false]").wait_for()
    fault = seen.page.locator(".study-fault")
    return (
        seen.page.inner_text(".study-state"),
        fault.inner_text() if fault.is_visible() else "",
    )


@pytest.mark.browser
@pytest.mark.usefixtures("data")
def test_a_reader_asks_in_the_browser() -> None:
    with (
        served(HTML) as book,
        chromium() as browser,
        visit(browser, f"{book}/book/explore.html", size=PHONE, dark=True) as seen,
    ):
        loaded: list[str] = []
        seen.page.on("request", lambda each: loaded.append(Path(urlsplit(each.url).path).name))
        buttons = seen.page.locator(".study-explore ol button")
        for number in range(buttons.count()):
            assert (package.MODULE in loaded) == bool(number)  # not before it is asked
            buttons.nth(number).click()
            said, wrong = answered(seen)
            assert (wrong, said[:1].isdigit()) == ("", True)
            assert seen.drawn() == ["true"], number
            assert seen.page.locator(".study-origins span").count()
        assert seen.overflow() == 0
        assert loaded.count(package.MODULE) == loaded.count("data.duckdb.gz") == 1

        # A column that is not there, and those that are; and back to work.
        assert "run_metric has the columns: origin" in ask(seen, "SELECT wrong FROM run_metric")[1]
        # Nothing is changed, written or fetched; also no extension.
        for sql in ("DROP TABLE run", "FROM 'https://example.org/a.parquet'", "SELECT to_json(1)",
                    "COPY run TO 'run.csv'", "FROM 'data.duckdb.csv'"):  # fmt: skip
            assert "Error: " in ask(seen, sql)[1], sql
        two = "FROM run) LIMIT 1; CREATE OR REPLACE TEMP VIEW run AS SELECT 1; FROM (FROM run"
        assert "statements" in ask(seen, two)[1]
        # Whatever a table is called by, its origin is told; no line joins what is of two origins.
        for name in ("run_metric", "main.run_metric", "data.main . run_metric"):
            assert ask(seen, f"SELECT run_id, value FROM {name} LIMIT 9")[1] == ""
            assert "simulated" in seen.page.inner_text(".study-origins"), name
        days = "(DATE '2026-03-29', 'measured', 1.0), (DATE '2026-03-30', 'simulated', 2.0)"
        ask(seen, f"SELECT * FROM (VALUES {days}) t(day, origin, ms)")
        seen.page.get_by_label("Colour").select_option("none")
        spec = seen.page.locator(".study-answer figure script").text_content() or ""
        assert json.loads(spec)["mark"]["type"] == "point"
        assert "2026-03-29T00:00:00Z" in spec
        assert ask(seen, "FROM range(300)")[0].startswith("300 rows, in")
        assert seen.page.locator(".study-scroll tbody tr").count() == 200
        said, wrong = ask(seen, 'SELECT study, count(*) AS "how, many" FROM run GROUP BY ALL; ')
        assert (wrong, said[:6]) == ("", "5 rows")
        assert seen.drawn() == ["true"]
        assert "rows are" in seen.page.inner_text(".study-origins")
        with seen.page.expect_download() as download:
            seen.page.get_by_text("Download as CSV").click()
        with Path(download.value.path()).open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        assert len(rows) == 5
        assert set(rows[0]) == {"study", "how, many", "origin"}
        assert rows[0]["origin"] == "measured, simulated"
        # The address hands the question on.
        seen.page.reload()
        assert "how, many" in seen.page.input_value("#study-sql")
        buttons.first.click()
        answered(seen)
        seen.drawn()
        assert seen.errors == []
        assert objections(seen, contents=False) == []
        assert seen.outside == []
        # Opened as a file, it says why there is no answer.
        page = browser.new_page()
        page.goto(PAGE.as_uri())
        assert "studybook serve" in page.inner_text(".study-state")
        assert page.locator(".study-explore ol button").first.is_disabled()
