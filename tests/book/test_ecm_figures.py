"""Every figure of the ECM scale-out paper has a notebook, a page, a drawn chart and a claim."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
import yaml

from studybook.claims.published_values import Published, read_published
from studybook.engine.notebooks import figures
from tests.conftest import REPOSITORY
from tests.support.browser import Tab, chromium, served, tab

pytestmark = [pytest.mark.book, pytest.mark.browser]

MADE = REPOSITORY / "build/reference"
STUDY = "ecm-scaleout"

#: The paper's figures are numbered through.
NUMBERS = range(1, 24)
STEMS = {
    int(found[1]): each.id
    for each in figures(REPOSITORY)
    if each.study == STUDY and (found := re.match(r"fig(\d\d)-", each.id.split("/")[1]))
}


@pytest.fixture(scope="module")
def book() -> Iterator[str]:
    assert (MADE / "html/index.html").is_file(), "these tests look at the book: make book"
    with served(MADE / "html") as address:
        yield address


@pytest.fixture(scope="module")
def desk() -> Iterator[Tab]:
    with chromium() as browser, tab(browser) as desk:
        yield desk


@pytest.fixture(scope="module")
def published() -> Published:
    return read_published(REPOSITORY, STUDY)


@pytest.fixture(scope="module")
def contents() -> str:
    return str(yaml.safe_load((REPOSITORY / "book/_toc.yml").read_text()))


def test_no_figure_is_missing() -> None:
    assert sorted(STEMS) == list(NUMBERS)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_figure_has_notebook_page_chart_and_claim(
    book: str, desk: Tab, published: Published, contents: str, number: int
) -> None:
    figure = STEMS[number]
    record = json.loads((MADE / f"figures/{figure}.json").read_text())
    assert record["state"] == "ok"
    assert record["finding"]
    claims = [claim for claim in published.claims if f"{STUDY}/{claim.figure}" == figure]
    assert claims
    assert f"notebooks/{figure}'" in contents
    seen = desk.open(f"{book}/notebooks/{figure}.html")
    assert seen.drawn() == ["true"]
    assert seen.page.locator("figure.study-chart svg").first.is_visible()
    article = seen.page.locator("article")
    assert f"Figure {number} of the document" in " ".join(article.inner_text().split())
    for claim in claims:
        assert seen.page.locator(f"#claim-{claim.id}").count() == 1


def test_a_sentence_of_the_conclusions_leads_to_its_claim(book: str, desk: Tab) -> None:
    seen = desk.open(f"{book}/book/{STUDY}/conclusions.html")
    marks = seen.page.locator("a.study-claim")
    assert marks.count() > 30
    target = str(marks.first.get_attribute("href")).split("#")[1]
    marks.first.click()
    seen.page.wait_for_url(f"**/notebooks/{STUDY}/claims.html#{target}")
    assert seen.page.locator(f"#{target}").is_visible()
