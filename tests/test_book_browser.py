"""The built book in a real Chromium, every outside host blocked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser

from pipelines.engine.notebooks import figures
from pipelines.loading import sources
from tests.browser import DESKTOP, PHONE, chromium, served, visit
from tests.conftest import REPOSITORY

MADE = REPOSITORY / "build/reference"

FIGURES = [each.id for each in figures(REPOSITORY)]
WRITTEN = [
    str(path.relative_to(REPOSITORY).with_suffix(""))
    for path in sorted((REPOSITORY / "book").rglob("*.md"))
]
PAGES = [
    *WRITTEN,
    *(f"notebooks/{name}" for name in FIGURES),
    *(f"pipelines/load/{source}" for source in sources()),
]


def record(figure: str) -> dict[str, object]:
    content: dict[str, object] = json.loads((MADE / f"figures/{figure}.json").read_text())
    return content


@pytest.fixture(scope="module")
def book() -> Iterator[str]:
    assert (MADE / "html/index.html").is_file(), "these tests look at the book: make book"
    with served(MADE / "html") as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module", params=["light", "dark"])
def reader(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """Yield what a reader with that preference opens one page after the other in."""
    context = browser.new_context(color_scheme=request.param, reduced_motion="reduce")
    yield context
    context.close()


@pytest.mark.parametrize("sizes", [(DESKTOP, PHONE), (PHONE, DESKTOP)], ids=["narrowed", "widened"])
@pytest.mark.parametrize("page", PAGES)
def test_every_page(
    book: str,
    reader: BrowserContext,
    page: str,
    sizes: tuple[tuple[int, int], ...],
) -> None:
    """In both themes, opened on a desktop or a phone and then brought to the other's size."""
    figure = page.removeprefix("notebooks/")
    declared = figure in FIGURES and figure.split("/")[1] not in ("settings", "claims")
    if figure in FIGURES:
        assert record(figure)["state"] == "ok"
    with visit_next(reader, f"{book}/{page}.html", sizes[0]) as seen:
        for size in sizes:
            if size is not sizes[0]:
                seen.resize(size)
            assert seen.drawn() == (["true"] if declared else [])
            assert seen.errors == []
            assert seen.outside == []
            assert seen.overflow() == 0
            # The theme has another one, for paper.
            assert seen.page.locator("article h1").count() == 1


def test_the_first_page_leads_into_the_book(book: str, browser: Browser) -> None:
    with visit(browser, f"{book}/index.html") as seen:
        seen.page.wait_for_url("**/book/intro.html")
        seen.page.get_by_role("link", name="Bandwidth by number of storage systems").first.click()
        seen.page.wait_for_url("**/notebooks/flexible-scale/bandwidth.html")
        assert seen.drawn() == ["true"]
        assert seen.errors == []


@pytest.mark.parametrize("figure", FIGURES)
def test_what_stands_under_a_figure(book: str, browser: Browser, figure: str) -> None:
    made = record(figure)
    with visit(browser, f"{book}/notebooks/{figure}.html") as seen:
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
def test_a_published_value_is_a_hollow_diamond(book: str, browser: Browser, figure: str) -> None:
    path = MADE / f"figures/{figure}.csv"
    rows = path.read_text().splitlines() if path.exists() else []
    published = sum(1 for row in rows if "published" in row.split(","))
    with visit(browser, f"{book}/notebooks/{figure}.html") as seen:
        seen.drawn()
        hollow = seen.page.locator(
            "figure.study-chart .mark-symbol path[fill='transparent'][stroke-width='1.75']"
        )
        assert hollow.count() == published


def test_every_link_inside_the_book_leads_somewhere(book: str, browser: Browser) -> None:
    with visit(browser, f"{book}/book/intro.html") as seen:
        targets: set[str] = set()
        for page in PAGES:
            seen.page.goto(f"{book}/{page}.html")
            targets.update(
                seen.page.eval_on_selector_all("a[href]", "links => links.map(link => link.href)")
            )
        inside = {urlsplit(target).path for target in targets if target.startswith(book)}
        assert len(inside) > len(PAGES)
        for path in sorted(inside):
            place = MADE / "html" / unquote(path).lstrip("/")
            assert place.is_file() or (place / "index.html").is_file(), path


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
