"""The charts in a real book, in a real browser, with no network."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import nbformat
import pytest
from jupyter_client import KernelManager
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import Browser, expect

from studybook.charts.palette import INKS
from tests.support.browser import DESKTOP, PATIENCE, PHONE, Tab, chromium, served, tab, visit
from tests.support.shared import made_once

SETUP = """
    import altair as alt
    import pandas as pd
    from studybook.charts import look, marks
    from studybook.dataset.definition import Definition
    look.use()
    Definition(study="shop", colours={"SD": "teal", "NSD": "violet", "XFS": "ochre"}).use()
"""

COMPARISON = """
    frame = pd.DataFrame(
        [
            ("simulated", "SD, MTU 1492", "SD", 301.4, 292.1, 311.2),
            ("simulated", "SD, MTU 8192", "SD", 288.0, 280.3, 297.0),
            ("simulated", "NSD, MTU 1492", "NSD", 391.2, 377.0, 404.9),
            ("simulated", "NSD, MTU 8192", "NSD", 305.8, 296.4, 315.1),
            ("published", "SD, MTU 1492", "SD", 300.0, None, None),
            ("published", "NSD, MTU 1492", "NSD", 390.0, None, None),
            ("published", "NSD, MTU 8192", "NSD", 300.0, None, None),
        ],
        columns=["origin", "setup", "cluster", "value", "low", "high"],
    ).assign(run="run-1")
    base = alt.Chart(frame).encode(
        x=alt.X("value:Q").title("Mean response time (ms)"),
        y=alt.Y("setup:N", sort=None).title(None),
        color=look.colour(frame, "cluster", title="Cluster"),
    )
    chart = (
        marks.interval_dots(base)
        + marks.published_marks(base)
        + marks.direct_labels(base)
        + marks.direct_labels(base, published=True)
    )
    look.finding(
        chart,
        title="Jumbo frames bring NSD down to the response time that SD has without them",
        subtitle="Mean response time of the stable phase at 1000 virtual users; "
        "lines are 95 % intervals",
        description="Four setups. With an MTU of 1492, NSD takes 391 ms and SD 301 ms; with jumbo "
        "frames, NSD takes 306 ms & SD 288 ms. </script><b>Not</b> markup.",
    )
"""

BARS = """
    bars = pd.DataFrame(
        [
            ("measured", str(systems), kind, value, value * 0.97, value * 1.02)
            for systems, kind, value in [
                (1, "read", 8194.47), (1, "write", 3976.78),
                (6, "read", 41804.58), (6, "write", 24231.24),
            ]
        ]
        + [("published", "6", "read", 43000 / 1.048576, None, None)],
        columns=["origin", "systems", "direction", "value", "low", "high"],
    ).assign(run="run-1")
    base = alt.Chart(bars).encode(
        x=alt.X("systems:N").sort(["1", "6"]).title("Storage systems"),
        y=alt.Y("value:Q").title("Bandwidth (MiB/s)"),
        xOffset=alt.XOffset("direction:N").sort(["read", "write"]),
        color=look.colour(bars, "direction"),
    )
    chart = marks.interval_bars(base) + marks.published_marks(base) + marks.direct_labels(
        base, "y", side="end"
    )
    look.finding(
        chart,
        title="Six storage systems read five times as fast as one, not six times",
        subtitle="Mean of ten repetitions; whiskers span the repetitions",
        description="Bandwidth of one and of six storage systems, read and write.",
    )
"""

LINES = """
    users = [250, 500, 750, 1000]
    series = {"SD": [120, 150, 205, 300], "NSD": [128, 158, 214, 311], "XFS": [90, 160, 290, 500]}
    lines = pd.DataFrame(
        [
            ("simulated", name, n, value, value * 0.94, value * 1.06)
            for name, values in series.items()
            for n, value in zip(users, values)
        ]
        + [("published", "XFS", 1000, 500, None, None), ("published", "SD", 1000, 300, None, None)],
        columns=["origin", "cluster", "users", "value", "low", "high"],
    ).assign(run="run-1")
    base = alt.Chart(lines).encode(
        x=alt.X("users:Q").title("Virtual users").scale(domain=[200, 1050]),
        y=alt.Y("value:Q").title("Mean response time (ms)"),
        color=look.colour(lines, "cluster"),
    )
    goal = alt.Chart().mark_rule(strokeDash=[4, 4]).encode(y=alt.datum(400))
    chart = goal + marks.interval_lines(base) + marks.published_marks(base, in_colour=True)
    look.finding(
        chart,
        title="Four nodes keep their response time where one node has lost it",
        subtitle="Mean response time by number of virtual users; bands are 95 % intervals",
        description="Lines of response time by users for three setups.",
    )
"""

FACETS = """
    nodes = pd.DataFrame(
        [
            ("simulated", f"{users} users", f"ECMnod{node}", round(users / 50 + node / 4, 1))
            for users in (250, 500, 750, 1000)
            for node in (1, 2, 3, 4)
        ],
        columns=["origin", "users", "node", "value"],
    ).assign(run="run-1")
    base = alt.Chart(nodes, width=130, height=220).encode(
        x=alt.X("node:N").title(None).axis(labelExpr="slice(datum.label, -1)"),
        y=alt.Y("value:Q").title("CPU (IFLs)"),
        color=look.steps(nodes, "node", title="Node"),
    )
    chart = marks.interval_bars(base).facet(
        column=alt.Column("users:N", sort=["250 users", "500 users", "750 users"]).title(None)
    )
    look.finding(
        chart,
        title="The load spreads evenly over the four nodes at every level",
        subtitle="CPU of each node",
        description="Four panels of four bars each.",
    )
"""

ALIKE = """
    hosts = pd.DataFrame(
        [
            ("measured", f"Processors of a host at work, {host}", value)
            for host, value in [("app1", 20), ("app2", 30), ("db", 10)]
        ]
        + [("measured", "Requests", 5)],
        columns=["origin", "row", "value"],
    ).assign(run="run-1", before=range(4))
    base = alt.Chart(hosts).encode(
        x=alt.X("value:Q").title("Difference (%)"),
        y=alt.Y("row:N").title(None).axis(labelLimit=360),
        tooltip=["row", "before", "value"],
    )
    look.finding(
        (base.mark_point() + base.mark_rule()).properties(height=160),
        title="All hosts have more to do",
        description="Differences of hosts.",
    )
"""

LONG = """
    from studybook.charts import axes
    places = ("europe/list", "asia/list", "asia/voucher-details")
    paths = [f"GET /api/v2/customers/orders/by-region/{place}" for place in places]
    asked = pd.DataFrame({"path": paths, "value": [3, 4, 5], "before": [2, 2, 1]})
    asked = asked.assign(origin="measured", run="run-1")
    look.finding(
        alt.Chart(asked).mark_bar().encode(
            x=alt.X("value:Q").title("Requests"),
            y=alt.Y("path:N").title(None).axis(axes.cut_names(paths, 200)),
            color=alt.Color("path:N").title(None).legend(axes.legend(paths)),
            tooltip=["path", "before", "value"],
        ).properties(width=500, height=160),
        title="Details are asked for most",
        description="Bars of three paths.",
    )
"""

SETUPS = """
    from studybook.charts import axes
    setups = [
        f"{users} connections, driver sysbench, mode {mode}: sysbench, SQL, log {log}, 4 threads"
        for users in (2, 24) for mode in ("only", "write") for log in (1, 2)
    ]
    tried = pd.DataFrame({"setup": [*setups, "app"], "value": range(9)})
    tried = tried.assign(origin="measured", run="run-1", threads=[*range(8), 9])
    look.finding(
        alt.layer(
            *[
                alt.Chart(tried).mark_bar().encode(
                    x=alt.X("value:Q").title("Requests"),
                    y=axes.names(tried, "setup", split=": "),
                    color="threads:Q",
                )
            ]
            * 2
        ).properties(width=500, height=alt.Step(36)),
        title="Writing is slow",
        description="Bars of nine setups.",
    )
"""

WIDE = """
    pd.DataFrame({f"a column with number {n}": [n * 1.5] * 3 for n in range(20)})
"""

PAGES = {
    "first": [SETUP, COMPARISON, BARS],
    "second": [SETUP, LINES],
    "third": [SETUP, FACETS, ALIKE, WIDE, LONG, SETUPS],
}

CHARTS = {"first": 2, "second": 1, "third": 4}

BADGES = """
    # A page of words

    <p><span class="origin-measured">measured</span> <span class="origin-simulated">simulated</span>
    <span class="origin-published">published</span> <span class="verdict-holds">holds</span>
    <span class="verdict-fails">does not hold</span>
    <span class="verdict-unjudged">cannot be judged</span></p>

    <div class="study-meta"><p>Made from 4 raw files, sha256
    0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.</p></div>

    |{columns}|
    |{rules}|
    |{values}|
""".format(
    columns="|".join(f"column {n}" for n in range(12)),
    rules="|".join(["---"] * 12),
    values="|".join(f"a_value_{n}" for n in range(12)),
)

CONFIG = """
    title: A small book
    author: A test
    copyright: "2024"
    only_build_toc_files: true
    execute:
      execute_notebooks: "off"
    html:
      use_issues_button: false
      use_repository_button: false
    sphinx:
      recursive_update: true
      config:
        # the default list without sphinx_thebe, which declares a constant twice (an error
        # in the console of every page) and points to another host
        extensions:
          - sphinx_togglebutton
          - sphinx_copybutton
          - myst_nb
          - jupyter_book
          - sphinx_comments
          - sphinx_external_toc
          - sphinx_design
          - sphinx_book_theme
          - studybook.charts.sphinx
        # without a mode, the theme reports an error at the first visit
        html_context: {default_mode: auto}
        html_theme_options: {navbar_persistent: []}
"""

TOC = "format: jb-book\nroot: intro\nchapters:\n" + "".join(f"- file: {page}\n" for page in PAGES)


def build(folder: Path, *options: str | Path) -> None:
    command = [Path(sys.executable).with_name("jupyter-book"), "build", folder, *options]
    built = subprocess.run(
        [*command, "-W", "--keep-going"], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a book of three notebooks, as the product does: executed first, then rendered."""
    return made_once(tmp_path_factory, "charts", make_book) / "_build" / "html"


def make_book(folder: Path) -> None:
    folder.mkdir()
    (folder / "_config.yml").write_text(dedent(CONFIG))
    (folder / "_toc.yml").write_text(TOC)
    (folder / "intro.md").write_text(dedent(BADGES))
    notebooks = {
        name: new_notebook(
            cells=[
                new_markdown_cell(f"# The {name} page"),
                *(new_code_cell(dedent(cell).strip()) for cell in cells),
            ],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        for name, cells in PAGES.items()
    }
    # one kernel for all: starting it and its imports take longer than the cells
    kernel = KernelManager(kernel_name="python3")
    try:
        for name, notebook in notebooks.items():
            NotebookClient(notebook, km=kernel, timeout=600).execute()
            nbformat.validate(notebook)
            nbformat.write(notebook, folder / f"{name}.ipynb")
    finally:
        kernel.shutdown_kernel(now=True)
    build(folder)
    # a browser asks for the icon of a site that names none, and complains where there is none
    (folder / "_build" / "html" / "favicon.ico").touch()


@pytest.fixture(scope="module")
def address(book: Path) -> Iterator[str]:
    with served(book) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def light(browser: Browser) -> Iterator[Tab]:
    with tab(browser) as light:
        yield light


@pytest.fixture(scope="module")
def dark(browser: Browser) -> Iterator[Tab]:
    with tab(browser, dark=True) as dark:
        yield dark


@pytest.fixture
def paper(dark: Tab) -> Iterator[Tab]:
    """Yield the dark tab for a test that prints: it shows a screen again afterwards."""
    yield dark
    dark.show_on_screen()


@pytest.mark.parametrize("taste", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("page", ["intro", *PAGES])
def test_every_page_is_drawn_without_a_network_and_without_a_complaint(
    light: Tab, dark: Tab, address: str, page: str, size: tuple[int, int], taste: str
) -> None:
    reader = {"light": light, "dark": dark}[taste]
    seen = reader.open(f"{address}/{page}.html", size)
    assert seen.drawn() == ["true"] * CHARTS.get(page, 0)
    assert seen.errors == []
    assert seen.outside == []
    assert seen.overflow() == 0


@pytest.mark.parametrize("page", CHARTS)
def test_every_chart_has_a_name_and_a_table(light: Tab, address: str, page: str) -> None:
    seen = light.open(f"{address}/{page}.html")
    seen.drawn()
    figures = seen.page.locator("figure.study-chart")
    assert figures.count() == CHARTS[page]
    for figure in figures.all():
        title = figure.locator(".study-chart-title").inner_text()
        assert seen.page.get_by_role("figure", name=title).count() == 1
        drawing = figure.locator("svg")
        assert drawing.count() == 1
        name = drawing.get_attribute("aria-label") or ""
        assert figure.get_by_role("img", name=name).count() == 1
        # the marks themselves are silent: nothing stands below the drawing in the tree
        # of what a screen reader sees
        tree = figure.aria_snapshot().splitlines()
        assert sum(line.startswith(("  - img", "  - 'img")) for line in tree) == 1
        assert not any(line.startswith("    ") for line in tree)
        assert not figure.get_by_role("table").is_visible()
        figure.locator("summary").click()
        assert figure.get_by_role("table").is_visible()
        assert figure.get_by_role("columnheader").count() >= 3


def test_a_mark_tells_its_own_row_and_a_legend_brings_out_a_series(
    light: Tab, address: str
) -> None:
    seen = light.open(f"{address}/first.html")
    seen.drawn()
    dots = seen.page.locator("figure.study-chart .mark-symbol.role-mark path")
    # NSD with jumbo frames: what the document has of it, 300 ms, lies over the dot
    dot = dots.locator("xpath=self::*[@fill-opacity='0.3']").nth(3)
    dot.scroll_into_view_if_needed()
    box = dot.bounding_box()
    assert box is not None
    seen.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    told = seen.page.locator("#vg-tooltip-element").inner_text()
    assert told.split("\n") == [
        "setup\tNSD, MTU 8192",
        "Cluster\tNSD",
        "Mean response time\t305.8 ms",
        "interval\t296.4 ms to 315.1 ms",
        "run\trun-1",
        "origin\tsimulated",
        "in the document\t300",
    ]
    seen = light.open(f"{address}/second.html")
    seen.drawn()
    pale = "all => all.filter(each => each.style.opacity === '0.12').length"
    lines = seen.page.locator("figure.study-chart .mark-line.role-mark path")
    entry = seen.page.locator(".role-legend .mark-symbol path").first
    assert lines.evaluate_all(pale) == 0
    entry.click()
    assert lines.evaluate_all(pale) == 2
    entry.click()
    seen.page.mouse.move(0, 0)
    assert lines.evaluate_all(pale) == 0


def test_two_charts_in_a_page_keep_apart(light: Tab, address: str) -> None:
    seen = light.open(f"{address}/first.html")
    seen.drawn()
    repeated = seen.page.evaluate(
        "(ids => ids.filter((id, i) => ids.indexOf(id) !== i))"
        "([...document.querySelectorAll('figure.study-chart [id]')].map(e => e.id))"
    )
    assert repeated == []
    first, second = (
        drawing.text_content() or "" for drawing in seen.page.locator("figure svg").all()
    )
    assert "MTU" in first
    assert "MTU" not in second
    assert "Storage systems" in second


def rgb(colour: str) -> str:
    return "rgb({}, {}, {})".format(*(int(colour[i : i + 2], 16) for i in (1, 3, 5)))


LABEL = "figure.study-chart svg .role-axis-label text"
FILL = "element => getComputedStyle(element).fill"


def test_a_chart_follows_the_theme_of_the_page(light: Tab, dark: Tab, address: str) -> None:
    in_light, in_dark = map(rgb, INKS["muted"])
    seen = light.open(f"{address}/second.html")
    seen.drawn()
    label = seen.page.locator(LABEL).first
    assert label.evaluate(FILL) == in_light
    seen.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert label.evaluate(FILL) == in_dark
    seen = dark.open(f"{address}/second.html")
    seen.drawn()
    assert seen.page.locator(LABEL).first.evaluate(FILL) == in_dark


@pytest.mark.parametrize("page", CHARTS)
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_of_a_chart_is_cut_off(
    light: Tab, address: str, page: str, size: tuple[int, int]
) -> None:
    seen = light.open(f"{address}/{page}.html", size)
    seen.drawn()
    outside = seen.page.evaluate(
        """() => [...document.querySelectorAll('figure.study-chart')].flatMap(figure => {
            const frame = figure.querySelector('svg').getBoundingClientRect();
            return [...figure.querySelectorAll('svg text')].filter(text => {
                const box = text.getBoundingClientRect();
                return box.width && (box.left < frame.left - 1 || box.right > frame.right + 1
                    || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
            }).map(text => text.textContent);
        })"""
    )
    assert outside == []


def test_names_that_a_phone_cuts_are_still_told_apart(light: Tab, address: str) -> None:
    seen = light.open(f"{address}/third.html", PHONE)
    seen.drawn()
    axis = seen.page.locator("figure.study-chart").nth(1).locator(".role-axis-label").last
    said = axis.locator("text").all_text_contents()
    assert len(said) == 4
    assert len(set(said)) == 4
    assert [each.endswith(("app1", "app2", "db", "Requests")) for each in said] == [True] * 4


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_long_names_are_told_apart_and_leave_room(
    light: Tab, address: str, size: tuple[int, int]
) -> None:
    seen = light.open(f"{address}/third.html", size)
    seen.drawn()
    figure = seen.page.locator("figure.study-chart").nth(2)
    for of in ("legend", "axis"):
        said = figure.locator(f".role-{of}-label text").all_text_contents()
        assert [any(each.endswith(end) for each in said) for end in ("/list", "details")] == [
            True
        ] * 2
        assert len(set(said)) == len(said)
    whole = figure.locator("svg").bounding_box()
    plot = figure.locator(".role-frame > g > path.background").first.bounding_box()
    assert whole
    assert plot
    assert plot["width"] > 0.5 * whole["width"]
    assert plot["height"] == pytest.approx(160)  # so the drawing is not made small


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_names_of_two_lines_are_told_apart(light: Tab, address: str, size: tuple[int, int]) -> None:
    seen = light.open(f"{address}/third.html", size)
    seen.drawn()
    axis = seen.page.locator("figure.study-chart").nth(3).locator(".role-axis-label").last
    said = axis.locator("text").all_text_contents()
    assert len(said) == len(set(said)) == 9
    for mode in ("de only", "e write"):  # the first line is cut in its middle, too
        assert any(mode in each for each in said)
    assert "app" in said


@pytest.mark.parametrize("page", CHARTS)
def test_a_chart_is_drawn_anew_when_the_column_changes(light: Tab, address: str, page: str) -> None:
    seen = light.open(f"{address}/{page}.html")
    seen.drawn()
    drawing = seen.page.locator("figure.study-chart svg").first
    wide = drawing.get_attribute("width")
    seen.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    seen.page.wait_for_function(
        "wide => document.querySelector('figure.study-chart svg').getAttribute('width') !== wide",
        arg=wide,
    )
    column = seen.page.locator(".study-chart-view").first.evaluate("view => view.clientWidth")
    # drawn at this width, and not scaled down to it: letters keep their size
    assert abs(float(drawing.get_attribute("width") or 0) - column) <= 8
    assert seen.overflow() == 0


def test_without_scripts_the_static_drawing_shows(browser: Browser, address: str) -> None:
    with visit(browser, f"{address}/first.html", scripts=False) as seen:
        drawings = seen.page.locator("figure.study-chart svg")
        assert drawings.count() == 2
        assert all(drawing.is_visible() for drawing in drawings.all())
        assert "391" in (drawings.first.text_content() or "")
        seen.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        box = drawings.first.bounding_box()
        assert box is not None
        assert box["width"] == float(drawings.first.get_attribute("width") or 0)
        assert seen.overflow() == 0


def test_where_vega_fails_the_static_drawing_stays(browser: Browser, address: str) -> None:
    with visit(browser, f"{address}/intro.html") as seen:
        seen.page.route("**/vega-bundle.js", lambda route: route.fulfill(body="nonsense("))
        seen.page.goto(f"{address}/first.html")
        assert seen.drawn() == ["failed", "failed"]
        assert seen.page.locator("figure.study-chart svg").count() == 2


def test_a_page_without_charts_does_not_load_vega(light: Tab, address: str) -> None:
    seen = light.open(f"{address}/intro.html")
    loaded = seen.page.evaluate("performance.getEntriesByType('resource').map(r => r.name)")
    assert any("study-chart.js" in name for name in loaded)
    assert not any("vega" in name for name in loaded)


def test_a_chart_is_there_before_any_script_and_what_draws_it_comes_early(book: Path) -> None:
    text = (book / "first.html").read_text(encoding="utf-8")
    assert '<link rel="preload" as="script" href="_static/vega-bundle.js"' in text
    assert text.index('class="study-chart-view"><svg') < text.index(
        '<script type="application/json">'
    )
    assert "vega-bundle" not in (book / "intro.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", CHARTS)
def test_a_dark_page_prints_light_and_within_the_paper(paper: Tab, address: str, page: str) -> None:
    in_light, in_dark = map(rgb, INKS["muted"])
    seen = paper.open(f"{address}/{page}.html", (794, 1123))
    seen.drawn()
    label = seen.page.locator(LABEL).first
    assert label.evaluate(FILL) == in_dark
    seen.page.emulate_media(media="print")
    seen.page.wait_for_function("document.documentElement.dataset.theme === 'light'")
    # until it is: paper may have another width, and then the label is drawn anew meanwhile
    expect(label).to_have_css("fill", in_light, timeout=PATIENCE)
    assert seen.overflow() == 0
    # found and measured in one step: a drawing that is replaced between two has no place
    boxes = seen.page.evaluate(
        "[...document.querySelectorAll('figure.study-chart svg')]"
        ".map(svg => svg.getBoundingClientRect()).map(box => [box.width, box.right])"
    )
    assert len(boxes) == CHARTS[page]
    for width, right in boxes:
        assert width > 0
        assert right <= 794
    assert seen.page.pdf().startswith(b"%PDF")
    seen.page.emulate_media(media="screen")
    seen.page.wait_for_function("document.documentElement.dataset.theme === 'dark'")


def test_a_build_for_another_format_takes_the_text(book: Path, tmp_path: Path) -> None:
    build(book.parents[1], "--builder=custom", "--custom-builder=text", "--path-output", tmp_path)
    (text,) = tmp_path.rglob("second.txt")
    assert "[chart] Lines of response time by users" in text.read_text()
