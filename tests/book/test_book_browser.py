"""The built book in a real Chromium, every outside host blocked."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser

from studybook.charts.renderer import MIME_TYPE
from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.engine.notebooks import ALL, figures_of
from studybook.engine.outputs import CHART_SUFFIXES
from tests.conftest import REPOSITORY
from tests.support.axe import objections
from tests.support.browser import (
    DESKTOP,
    PHONE,
    Tab,
    Visit,
    chromium,
    note_errors,
    served,
    tab,
    visit,
)
from tests.support.labels import complaints

pytestmark = [pytest.mark.book, pytest.mark.browser]

MADE = REPOSITORY / "build/reference"

INVENTORY = take_inventory(DataSet("reference", REPOSITORY))
REPORTS = sorted([*INVENTORY.sources(), ALL])
#: Those that set several runs of one study against each other have no page: there is one run.
FIGURES = [each.id for each in figures_of(INVENTORY) if each.path.parent.name != "several-runs"]
WRITTEN = [
    str(path.relative_to(REPOSITORY).with_suffix(""))
    for path in sorted((REPOSITORY / "book").rglob("*.md"))
]
PAGES = [
    *WRITTEN,
    *(f"notebooks/{name}" for name in FIGURES),
    *(f"pipelines/load/{name}" for name in REPORTS),
]
#: Pages of each kind, and those that the theme makes.
KINDS = ("book/intro", f"notebooks/{FIGURES[0]}", "book/catalogue", f"pipelines/load/{ALL}")
OF_THEME = ("search", "genindex")


def record(figure: str) -> dict[str, object]:
    content: dict[str, object] = json.loads((MADE / f"figures/{figure}.json").read_text())
    return content


def charts_of(figure: str) -> int:
    """The number of charts in the executed notebook of a figure."""
    notebook = json.loads((MADE / f"notebooks/{figure}.ipynb").read_text(encoding="utf-8"))
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    return sum(MIME_TYPE in output.get("data", {}) for output in outputs)


#: The height in pixels, on a desktop, at which a page has to fold.
LONGEST = 10_000
#: The tables, and boxes of tables, that are wider than their column, behind folds, too.
TOO_WIDE = """
(() => {
  const folds = [...document.querySelectorAll("article details:not([open])")];
  for (const fold of folds) fold.open = true;
  const boxes = ".study-table, .study-scroll, .pst-scrollable-table-container, table";
  const wide = [...document.querySelector("article").querySelectorAll(boxes)]
    .filter((each) => each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.textContent.slice(0, 80));
  for (const fold of folds) fold.open = false;
  return wide;
})()
"""


#: Kilobytes that a page may load at its first visit, with a chart and without; and what it loads,
#: from the browser's cache or not, and with heads as the browser counts them.
LIGHT = {True: 700, False: 400}
LOADED = """
["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, each) => sum + each.encodedBodySize + 300, 0) / 1000
"""
#: Of each drawing in sight, the share of its column that it takes.
SHARES = """
[...document.querySelectorAll(".study-chart-view:has(svg)")]
  .filter((view) => view.checkVisibility())
  .map((view) => view.querySelector("svg").getBoundingClientRect().width / view.clientWidth)
"""


@pytest.fixture(scope="module")
def book() -> Iterator[str]:
    assert (MADE / "html/index.html").is_file(), "these tests look at the book: make book"
    with served(MADE / "html") as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


#: The size in which each opens a page, and the one to which the page is brought then.
READERS = {"light": (PHONE, DESKTOP), "dark": (DESKTOP, PHONE)}


@pytest.fixture(scope="module")
def tabs(browser: Browser) -> Iterator[dict[str, Tab]]:
    """Yield what each reader opens one page after the other in."""
    with tab(browser) as light, tab(browser, dark=True) as dark:
        yield {"light": light, "dark": dark}


@dataclass(frozen=True)
class Opened:
    """A page that is open, shared by the tests that look at it."""

    name: str
    reader: str
    seen: Visit

    @property
    def figure(self) -> str:
        """The id of the figure, where the page is that of one."""
        return self.name.removeprefix("notebooks/")


@pytest.fixture(
    scope="module",
    # To open a page is dearest: one of each kind is opened in the dark, all others turn dark later.
    params=[*product(["light"], PAGES), *product(["dark"], KINDS)],
    ids=lambda param: "-".join(param),
)
def opened(book: str, tabs: dict[str, Tab], request: pytest.FixtureRequest) -> Opened:
    """Open a page once for all its tests: pytest runs the tests of one parameter in a row."""
    reader, name = request.param
    seen = tabs[reader].open(f"{book}/{name}.html", READERS[reader][0])
    return Opened(name, reader, seen)


@pytest.fixture
def at_desk(opened: Opened) -> Opened:
    """The page as seen on a desktop, as its first test leaves it where that ran here."""
    opened.seen.resize(DESKTOP)
    return opened


#: For tests of the page of each figure: one of the two readers is enough.
each_figure = pytest.mark.parametrize(
    "opened", [("light", f"notebooks/{name}") for name in FIGURES], ids=FIGURES, indirect=True
)


def test_every_page(book: str, opened: Opened) -> None:
    """In both themes and sizes: opened in the one size, and then brought to the other.

    In each size the theme is changed once; the page ends in that in which it was opened.
    """
    page = (REPOSITORY / opened.name).with_suffix(".md")
    embedded = re.findall(r"^\[\[chart (.+)\]\]$", page.read_text() if page.exists() else "", re.M)
    charts = sum(map(charts_of, embedded))
    if opened.figure in FIGURES:
        charts = charts_of(opened.figure)
        assert record(opened.figure)["state"] == "ok"
        assert bool(charts) == bool(record(opened.figure)["finding"])
    seen = opened.seen
    seen.drawn()
    assert seen.page.evaluate(LOADED) <= LIGHT[charts > 0]
    other = next(theme for theme in READERS if theme != opened.reader)
    first, second = READERS[opened.reader]
    for size, theme in ((first, opened.reader), (first, other), (second, other),
                        (second, opened.reader)):  # fmt: skip
        seen.turn(theme)
        seen.resize(size)
        assert seen.drawn() == ["true"] * charts
        assert seen.errors == []
        assert seen.outside == []
        assert seen.overflow() == 0
        # Letters of both readers stand at one place.
        if charts and opened.reader == "light":
            assert complaints(seen) == [], size
        # The theme has another one, for paper.
        assert seen.page.locator("article h1").count() == 1
        if size == DESKTOP:
            assert seen.page.evaluate("document.documentElement.scrollHeight") <= LONGEST
            assert seen.page.evaluate(TOO_WIDE) == []
            assert all(0.98 < share < 1.02 for share in seen.page.evaluate(SHARES))
    if opened.reader == "light":  # the same links for both
        leads_somewhere(seen, book)


@pytest.mark.parametrize("opened", [("light", name) for name in OF_THEME], indirect=True)
def test_a_page_of_the_theme_is_light(opened: Opened) -> None:
    assert opened.seen.page.evaluate(LOADED) <= LIGHT[False]


def test_labels_of_drawings_without_scripts_stand_free(browser: Browser) -> None:
    """All at once: what pages have until a script draws it anew, and what readers download."""
    view = r'<div style="[^"]*" class="study-chart-view">.*?</svg></div>'
    pages = [path.read_text(encoding="utf-8") for path in sorted(MADE.glob("html/*/**/*.html"))]
    drawn = [each for page in pages for each in re.findall(view, page, re.S)]
    files = [path.read_text(encoding="utf-8") for path in sorted(MADE.glob("figures/*/*.svg"))]
    assert len(drawn) >= len(files) > 50
    drawn += [f'<div class="study-chart-view">{svg}</div>' for svg in files]
    style = (MADE / "html/_static/study-chart.css").read_text(encoding="utf-8")
    body = "".join(f'<figure class="study-chart">{each}</figure>' for each in dict.fromkeys(drawn))
    for width, height in (DESKTOP, PHONE):
        page = browser.new_page(
            viewport={"width": width, "height": height}, java_script_enabled=False
        )
        page.set_content(f"<!doctype html><style>{style}</style>{body}")
        assert complaints(Visit(page)) == [], width
        page.close()


def leads_somewhere(seen: Visit, book: str) -> None:
    """Follow every link inside the book."""
    links = seen.page.eval_on_selector_all("a[href]", "links => links.map(link => link.href)")
    inside = {urlsplit(link).path for link in links if link.startswith(book)}
    assert len(inside) >= len(PAGES)  # the contents at the side
    for path in sorted(inside):
        place = MADE / "html" / unquote(path).lstrip("/")
        assert place.is_file() or (place / "index.html").is_file(), path


def test_each_source_that_there_is_has_a_report_and_no_other() -> None:
    assert len(REPORTS) > 5
    there = (MADE / "html/pipelines/load").glob("*.html")
    assert sorted(path.stem for path in there) == REPORTS


def test_the_first_page_leads_into_the_book(book: str, browser: Browser) -> None:
    with visit(browser, f"{book}/index.html") as seen:
        seen.page.wait_for_url("**/book/intro.html")
        seen.page.get_by_role(
            "link", name="How much bandwidth do more storage systems give?"
        ).first.click()
        seen.page.wait_for_url("**/notebooks/flexible-scale/bandwidth.html")
        assert seen.drawn() == ["true"]
        assert seen.errors == []


@each_figure
def test_what_stands_under_a_figure(at_desk: Opened) -> None:
    figure, seen = at_desk.figure, at_desk.seen
    made = record(figure)
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
    wanted = [stem + suffix for suffix in CHART_SUFFIXES] if made["finding"] else []
    assert names == wanted
    for link, name in zip(links, names, strict=True):
        answer = seen.page.request.get(urljoin(seen.page.url, link))
        assert answer.ok
        assert answer.body() == (MADE / f"figures/{figure}").with_name(name).read_bytes()


@each_figure
def test_a_published_value_is_a_hollow_diamond(at_desk: Opened) -> None:
    seen = at_desk.seen
    path = MADE / f"figures/{at_desk.figure}.csv"
    rows = list(csv.DictReader(path.read_text().splitlines())) if path.exists() else []
    # A range or a bound has no value, and neither have words; a guide only leads to a bound.
    printed = [
        row
        for row in rows
        if row["origin"] == "published" and row.get("value") and row.get("part") != "guide"
    ]
    seen.drawn()
    # What a chart of many panels folds is drawn when it opens.
    seen.page.eval_on_selector_all(
        "figure.study-chart details:has(.study-chart-view)",
        "all => all.forEach(f => f.open = true)",
    )
    seen.at_its_width()
    hollow = seen.page.locator(
        "figure.study-chart .mark-symbol path[fill='transparent'][stroke-width='1.75']"
    )
    # A diamond has four corners, the head of an arrow three.
    corners = hollow.evaluate_all(
        "all => all.map(each => each.getAttribute('d').split('L').length)"
    )
    assert corners.count(4) == len(printed)


@pytest.mark.parametrize(
    "opened",
    [*product(["light"], [*PAGES, *OF_THEME]), *product(["dark"], [*KINDS, *OF_THEME])],
    ids="-".join,
    indirect=True,
)
def test_no_page_keeps_a_reader_out(opened: Opened) -> None:
    """All pages in light on a desktop, some in dark on a phone; the contents on some.

    It comes last of the tests of a page, from which it takes rows.
    """
    seen = opened.seen
    seen.resize(READERS[opened.reader][1])
    seen.drawn()
    contents = opened.name in (*KINDS, *OF_THEME)
    assert objections(seen, contents=contents) == [], opened.name
    assert seen.outside == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", KINDS[:2])
def test_the_keyboard_is_soon_in_the_article(
    book: str, browser: Browser, name: str, size: tuple[int, int]
) -> None:
    """The first stop skips the contents at the side; ten are enough to be in the article."""
    with visit(browser, f"{book}/{name}.html", size=size) as seen:
        seen.page.keyboard.press("Tab")
        skip = seen.page.evaluate("document.activeElement.textContent")
        assert skip == "Skip to main content"
        seen.page.keyboard.press("Enter")
        for _ in range(9):
            seen.page.keyboard.press("Tab")
            if seen.page.evaluate("Boolean(document.activeElement.closest('article'))"):
                return
    pytest.fail("ten tab stops, and none of them in the article")


def test_the_search_has_sentences_and_works_from_a_folder(browser: Browser) -> None:
    """No server, and nothing in the console: each page is shown by a sentence of its own."""
    errors: list[str] = []
    with browser.new_context() as context:
        page = context.new_page()
        note_errors(page, lambda: errors)
        page.goto(f"{(MADE / 'html/search.html').as_uri()}?q=Fieller theorem")
        found = page.locator("ul.search li", has_text="How we measure")
        assert found.locator("p").inner_text().startswith("A ratio of two means has its interval")
        assert set(found.locator("mark").all_inner_texts()) == {"Fieller", "theorem"}
        page.goto(f"{(MADE / 'html/search.html').as_uri()}?q=IFL")
        assert page.locator("ul.search li").first.inner_text().startswith("Glossary")
    assert errors == []


#: What a reader asks, the page that answers, reached by clicks, and words of the answer.
QUESTIONS = {
    "Is NSD slower than SD, and why?": (["sd-and-nsd"], "as they come a page takes"),
    "What shall I set for the MTU?": (["jumbo-frames"], "8192 instead of 1492"),
    "Which numbers are real?": ([], "Where the numbers come from"),
    "Does this hold beyond four nodes?": (["testbed/nodes"], "throughput keeps pace up"),
    "How do I get my own data in?": ([], "studybook add FOLDER"),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_answered_within_two_clicks(
    book: str, tabs: dict[str, Tab], question: str
) -> None:
    ways, words = QUESTIONS[question]
    seen = tabs["light"].open(f"{book}/book/intro.html", DESKTOP)
    for way in ways:
        seen.page.locator(f"article a[href*='{way}.html']").first.click()
        seen.page.wait_for_url(f"**/{way}.html*")  # and until it is there as a whole
    assert len(ways) <= 2
    assert words in seen.page.locator("article").inner_text()


#: The labels of the axes of time of a drawing, one text for each of its panels.
MINUTES = """
(view) => [...view.querySelectorAll(".role-axis-label")]
  .filter((axis) => axis.getBoundingClientRect().width > 300)
  .map((axis) => [...axis.querySelectorAll("text")].map((each) => each.textContent).join(" "))
"""


def test_a_time_series_moves_and_its_panels_with_it(book: str, tabs: dict[str, Tab]) -> None:
    seen = tabs["light"].open(f"{book}/notebooks/filenet-p8/stable-phase.html", DESKTOP)
    seen.drawn()
    view = seen.page.locator(".study-chart-view").first
    before = view.evaluate(MINUTES)
    assert len(before) == 2
    assert len(set(before)) == 1
    place = view.locator(".concat_1_group .background").first.bounding_box()
    assert place
    middle = place["y"] + place["height"] / 2
    seen.page.mouse.move(place["x"] + 0.7 * place["width"], middle)
    seen.page.mouse.down()
    seen.page.mouse.move(place["x"] + 0.3 * place["width"], middle, steps=4)
    seen.page.mouse.up()
    moved = view.evaluate(MINUTES)
    assert len(set(moved)) == 1
    assert moved != before
    seen.page.keyboard.down("Control")
    seen.page.mouse.wheel(0, -400)
    seen.page.keyboard.up("Control")
    seen.page.wait_for_function(
        f"moved => ({MINUTES})(document.querySelector('.study-chart-view'))[0] !== moved",
        arg=moved[0],
    )
    assert len(set(view.evaluate(MINUTES))) == 1
    seen.page.mouse.move(0, 0)


#: Where a table and its head are after its rows have moved on by some.
STAYS = """
(box) => {
  const before = box.scrollTop;
  box.scrollTop += 400;
  const top = (each) => each.getBoundingClientRect().top;
  return { moved: box.scrollTop - before, box: top(box), head: top(box.querySelector("thead th")) };
}
"""


def test_a_table_of_claims_is_filtered_and_put_in_order(book: str, tabs: dict[str, Tab]) -> None:
    """What the page has, counted in the page itself."""
    seen = tabs["light"].open(f"{book}/notebooks/ecm-scaleout/claims.html", DESKTOP)
    rows = seen.page.locator("tr[id^='claim-']")
    every = rows.count()
    shown = seen.page.locator("tr[id^='claim-']:not([hidden])")
    verdict = seen.page.get_by_label("Verdict")
    verdict.select_option("does not hold")
    fails = seen.page.locator("tr[id^='claim-']:has(.verdict-fails)").count()
    assert shown.count() == fails < every
    seen.page.get_by_label("In the model's fit").select_option("predicted")
    assert 0 < shown.count() < fails
    verdict.select_option("*")
    seen.page.get_by_label("In the model's fit").select_option("*")
    seen.page.get_by_label("Chapter").select_option("7")
    assert 0 < shown.count() < every
    seen.page.get_by_label("Chapter").select_option("*")
    head = seen.page.get_by_role("columnheader", name="Claim", exact=True).last
    head.get_by_role("button").click()
    ids = "all => all.map(each => each.id)"
    upwards = rows.evaluate_all(ids)
    assert head.get_attribute("aria-sort") == "ascending"
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert rows.evaluate_all(ids) == upwards[::-1] != sorted(upwards)
    # Its head stays in sight while the rows go by.
    verdict.select_option("*")
    places = seen.page.locator(".study-table:has(tr[id^='claim-'])").evaluate(STAYS)
    assert places["moved"] > 100
    assert abs(places["head"] - places["box"]) <= 1
    # A link to a claim that is filtered out shows it.
    verdict.select_option("does not hold")
    seen.page.evaluate("location.hash = 'claim-scale-release'")
    seen.page.locator("#claim-scale-release").wait_for()
    assert seen.errors == []


def test_no_two_pages_have_one_title_and_words_lead_to_the_glossary() -> None:
    titles: dict[str, list[str]] = {}
    explained = 0
    for name in PAGES:
        text = (MADE / f"html/{name}.html").read_text(encoding="utf-8")
        found = re.search(r"<title>\s*(.*?)\s*</title>", text, re.S)
        assert found, name
        titles.setdefault(found[1], []).append(name)
        links = re.findall(r'class="study-term[^"]*" href="[^"#]*#(term-[^"]+)" title="[^"]+', text)
        links = links or re.findall(r'study-term[^>]*#(term-[^"]+)"', text)
        assert len(links) == len(set(links)), name
        explained += bool(links)
    assert {title: names for title, names in titles.items() if len(names) > 1} == {}
    assert explained > len(PAGES) / 2
    assert "term-NSD" in (MADE / "html/genindex.html").read_text(encoding="utf-8")


def test_no_page_fetches_from_outside_or_names_a_machine() -> None:
    for path in (MADE / "html").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for start in ('src="http', "src='http", '<link rel="stylesheet" href="http'):
            assert start not in text, path
        assert str(REPOSITORY) not in text, path
        assert str(Path.home()) + "/" not in text, path
