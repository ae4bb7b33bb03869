"""The built book in a real Chromium, every outside host blocked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import nbformat
import pytest
from playwright.sync_api import Browser, BrowserContext

from pipelines.charts.renderer import MIME_TYPE
from pipelines.engine.notebooks import figures
from pipelines.inventory import take_inventory
from pipelines.paths import DataSet
from tests.browser import DESKTOP, PHONE, Visit, chromium, served, visit, visit_next
from tests.conftest import REPOSITORY

MADE = REPOSITORY / "build/reference"

SOURCES = take_inventory(DataSet("reference", REPOSITORY)).sources()
FIGURES = [each.id for each in figures(REPOSITORY)]
WRITTEN = [
    str(path.relative_to(REPOSITORY).with_suffix(""))
    for path in sorted((REPOSITORY / "book").rglob("*.md"))
]
PAGES = [
    *WRITTEN,
    *(f"notebooks/{name}" for name in FIGURES),
    *(f"pipelines/load/{source}" for source in SOURCES),
]


def record(figure: str) -> dict[str, object]:
    content: dict[str, object] = json.loads((MADE / f"figures/{figure}.json").read_text())
    return content


def charts_of(figure: str) -> int:
    """The number of charts in the executed notebook of a figure."""
    notebook = nbformat.read(MADE / f"notebooks/{figure}.ipynb", as_version=4)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return sum(MIME_TYPE in output.get("data", {}) for output in outputs)


@pytest.fixture(scope="module")
def book() -> Iterator[str]:
    assert (MADE / "html/index.html").is_file(), "these tests look at the book: make book"
    with served(MADE / "html") as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


READERS = {"light": (DESKTOP, PHONE), "dark": (PHONE, DESKTOP)}


@pytest.fixture(scope="module", params=READERS)
def reader(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """Yield what a reader of that taste opens one page after the other in."""
    context = browser.new_context(color_scheme=request.param, reduced_motion="reduce")
    yield context
    context.close()


@pytest.mark.parametrize("page", PAGES)
def test_every_page(
    book: str, reader: BrowserContext, page: str, request: pytest.FixtureRequest
) -> None:
    """In both themes and sizes: opened in the one size, and then brought to the other."""
    figure = page.removeprefix("notebooks/")
    charts = 0
    if figure in FIGURES:
        charts = charts_of(figure)
        assert record(figure)["state"] == "ok"
        assert bool(charts) == bool(record(figure)["finding"])
    first, then = READERS[request.node.callspec.params["reader"]]
    with visit_next(reader, f"{book}/{page}.html", first) as seen:
        for size in (first, then):
            if size == then:
                seen.resize(then)
            assert seen.drawn() == ["true"] * charts
            assert seen.errors == []
            assert seen.outside == []
            assert seen.overflow() == 0
            # The theme has another one, for paper.
            assert seen.page.locator("article h1").count() == 1
        leads_somewhere(seen, book)


def leads_somewhere(seen: Visit, book: str) -> None:
    """Follow every link inside the book."""
    links = seen.page.eval_on_selector_all("a[href]", "links => links.map(link => link.href)")
    inside = {urlsplit(link).path for link in links if link.startswith(book)}
    assert len(inside) >= len(PAGES)  # the contents at the side
    for path in sorted(inside):
        place = MADE / "html" / unquote(path).lstrip("/")
        assert place.is_file() or (place / "index.html").is_file(), path


def test_each_source_that_there_is_has_a_report_and_no_other() -> None:
    assert len(SOURCES) > 5
    there = (MADE / "html/pipelines/load").glob("*.html")
    assert sorted(path.stem for path in there) == SOURCES


def test_the_first_page_leads_into_the_book(book: str, browser: Browser) -> None:
    with visit(browser, f"{book}/index.html") as seen:
        seen.page.wait_for_url("**/book/intro.html")
        seen.page.get_by_role("link", name="Bandwidth by number of storage systems").first.click()
        seen.page.wait_for_url("**/notebooks/flexible-scale/bandwidth.html")
        assert seen.drawn() == ["true"]
        assert seen.errors == []


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(reduced_motion="reduce")
    yield context
    context.close()


@pytest.mark.parametrize("figure", FIGURES)
def test_what_stands_under_a_figure(book: str, desk: BrowserContext, figure: str) -> None:
    made = record(figure)
    with visit_next(desk, f"{book}/notebooks/{figure}.html", DESKTOP) as seen:
        meta = seen.page.locator(".study-meta")
        text = meta.inner_text()
        origins = made["origins"]
        assert isinstance(origins, list)
        assert origins
        for origin in origins:
            assert meta.locator(f".origin-{origin}").count() == 1
        for title in made["documents"]:
            assert title in text
        assert f"studybook figures {figure} --force" in text
        inputs = made["inputs"]
        assert isinstance(inputs, dict)
        details = meta.locator("table").inner_text()
        meta.locator("details", has_text="Provenance").locator("summary").click()
        details = meta.locator("table").inner_text()
        for name, digest in inputs.items():
            assert name in details
            assert digest[:12] in details
        assert "data_set = 'reference'" in meta.inner_text()
        links = meta.locator("a.download").evaluate_all("links => links.map(link => link.href)")
        names = [unquote(urlsplit(link).path).rsplit("/", 1)[-1] for link in links]
        stem = figure.split("/")[1]
        wanted = [f"{stem}.csv", f"{stem}.svg", f"{stem}.vl.json"] if made["finding"] else []
        assert names == wanted
        for link, name in zip(links, names, strict=True):
            answer = seen.page.request.get(urljoin(seen.page.url, link))
            assert answer.ok
            assert answer.body() == (MADE / f"figures/{figure}").with_name(name).read_bytes()


@pytest.mark.parametrize("figure", FIGURES)
def test_a_published_value_is_a_hollow_diamond(
    book: str, desk: BrowserContext, figure: str
) -> None:
    path = MADE / f"figures/{figure}.csv"
    rows = path.read_text().splitlines() if path.exists() else []
    published = sum(1 for row in rows if "published" in row.split(","))
    with visit_next(desk, f"{book}/notebooks/{figure}.html", DESKTOP) as seen:
        seen.drawn()
        hollow = seen.page.locator(
            "figure.study-chart .mark-symbol path[fill='transparent'][stroke-width='1.75']"
        )
        assert hollow.count() == published


def test_search_works_without_a_network(book: str, browser: Browser) -> None:
    with visit(browser, f"{book}/search.html?q=Fieller") as seen:
        seen.page.locator("ul.search li a", has_text="How we measure").first.wait_for()
        assert seen.outside == []


def test_no_page_fetches_from_outside_or_names_a_machine() -> None:
    for path in (MADE / "html").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for start in ('src="http', "src='http", '<link rel="stylesheet" href="http'):
            assert start not in text, path
        assert str(REPOSITORY) not in text, path
        assert str(Path.home()) + "/" not in text, path
