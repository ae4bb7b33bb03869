"""Every figure of the FileNet P8 paper that shows data has a notebook, a page, a chart, a claim."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import yaml

from studybook.claims.published_values import Published, read_published
from studybook.engine.notebooks import figures
from tests.conftest import REPOSITORY
from tests.support.browser import Tab, chromium, served, tab

pytestmark = [pytest.mark.book, pytest.mark.browser]

MADE = REPOSITORY / "build/reference"
STUDY = "filenet-p8"

#: The paper's figures, by the notebook that has them. Figures 3 to 5 are pictures of settings.
FIGURES = {
    "fig01-cpu-throughput": "Figures 1 and 10",
    "fig02-system": "Figure 2",
    "fig06-load-levels": "Figure 6",
    "fig07-ce-response": "Figure 7",
    "fig08-pe-response": "Figure 8",
    "fig09-vertical": "Figure 9",
    "fig11-ce-throughput": "Figure 11",
    "fig12-pe-throughput": "Figure 12",
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


def test_no_figure_is_missing() -> None:
    found = {each.id for each in figures(REPOSITORY) if each.id.startswith(f"{STUDY}/fig")}
    assert found == {f"{STUDY}/{name}" for name in FIGURES}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_a_finding_and_claims(published: Published, name: str) -> None:
    record = json.loads((MADE / f"figures/{STUDY}/{name}.json").read_text())
    assert record["state"] == "ok"
    assert record["finding"]
    assert any(claim.figure == name for claim in published.claims)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_a_page_with_its_chart_and_claims(
    book: str, desk: Tab, published: Published, name: str
) -> None:
    contents = str(yaml.safe_load((REPOSITORY / "book/_toc.yml").read_text()))
    assert f"notebooks/{STUDY}/{name}'" in contents
    seen = desk.open(f"{book}/notebooks/{STUDY}/{name}.html")
    assert seen.drawn() == ["true"]
    assert seen.page.locator("figure.study-chart svg").first.is_visible()
    article = " ".join(seen.page.locator("article").inner_text().split())
    assert f"{FIGURES[name]} of the document" in article
    for claim in published.claims:
        if claim.figure == name:
            assert seen.page.locator(f"#claim-{claim.id}").count() == 1
