"""The charts in a real book, in a real browser, with no network."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import nbformat
import pytest
from browser import DESKTOP, PHONE, Visit, chromium, served, visit
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import Browser

from pipelines.charts.palette import INKS

SETUP = """
    import altair as alt
    import pandas as pd
    from pipelines.charts import look, marks
    look.use()
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
    )
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
    )
    base = alt.Chart(bars).encode(
        x=alt.X("systems:N").title("Storage systems"),
        y=alt.Y("value:Q").title("Bandwidth (MiB/s)"),
        xOffset=alt.XOffset("direction:N"),
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
    )
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
    )
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

WIDE = """
    pd.DataFrame({f"a column with number {n}": [n * 1.5] * 3 for n in range(20)})
"""

PAGES = {
    "first": [SETUP, COMPARISON, BARS],
    "second": [SETUP, LINES],
    "third": [SETUP, FACETS, WIDE],
}

CHARTS = {"first": 2, "second": 1, "third": 1}

BADGES = """
    # A page of words

    <p><span class="origin-measured">measured</span> <span class="origin-simulated">simulated</span>
    <span class="origin-published">published</span> <span class="verdict-holds">holds</span>
    <span class="verdict-fails">does not hold</span>
    <span class="verdict-unjudged">cannot be judged</span></p>

    <div class="study-meta"><p>Made from 4 raw files, sha256
    0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.</p></div>
"""

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
          - pipelines.charts.sphinx
        # without a mode, the theme reports an error at the first visit
        html_context: {default_mode: auto}
        html_theme_options: {navbar_persistent: []}
"""

TOC = "format: jb-book\nroot: intro\nchapters:\n" + "".join(f"- file: {page}\n" for page in PAGES)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a book of three notebooks, as the product does: executed first, then rendered."""
    folder = tmp_path_factory.mktemp("book")
    (folder / "_config.yml").write_text(dedent(CONFIG))
    (folder / "_toc.yml").write_text(TOC)
    (folder / "intro.md").write_text(dedent(BADGES))
    for name, cells in PAGES.items():
        notebook = new_notebook(
            cells=[
                new_markdown_cell(f"# The {name} page"),
                *(new_code_cell(dedent(cell).strip()) for cell in cells),
            ],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
        nbformat.validate(notebook)
        nbformat.write(notebook, folder / f"{name}.ipynb")
    built = subprocess.run(
        [Path(sys.executable).with_name("jupyter-book"), "build", ".", "-W", "--keep-going"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "_build" / "html"


@pytest.fixture(scope="module")
def address(book: Path) -> Iterator[str]:
    with served(book) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser
