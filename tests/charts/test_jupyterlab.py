"""A notebook of the book in a real JupyterLab, in a real browser, with no network."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page

from studybook.charts.notebook import COMPARED
from studybook.charts.palette import INKS
from studybook.charts.renderer import MIME_TYPE
from tests.conftest import REPOSITORY
from tests.support.browser import chromium, visit
from tests.support.project import Project, small_project

pytestmark = [pytest.mark.book, pytest.mark.browser]

NOTEBOOK = "notebooks/flexible-scale/bandwidth.ipynb"
#: The interactive drawing, which takes the place of the static one.
CHART = ".jp-OutputArea-output figure.study-chart[data-rendered=true] svg"
#: What its stopwatch says of each of its plugins, on a busy machine.
SLOW = re.compile(
    r"^Plugin \S+ (is taking too long|\(with \d+ dependants\) took [\d.]+ms) to activate\.$"
)
#: Whether every cell of the notebook has run: JupyterLab takes their numbers away when it starts.
ALL_RAN = """
    jupyterapp.shell.currentWidget.content.widgets
        .every(({model}) => model.type !== "code" || model.executionCount !== null)
"""


@contextmanager
def jupyterlab(project: Project, own: Path) -> Iterator[str]:
    """Serve a book as ``make lab`` does, with settings of nobody; yield its address."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in COMPARED and not name.startswith(("STUDYBOOK_", "JUPYTER"))
    }
    for program, folders in {
        "JUPYTER": ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR"),
        "JUPYTERLAB": ("SETTINGS_DIR", "WORKSPACES_DIR"),
    }.items():
        environment |= {f"{program}_{name}": str(own / name) for name in folders}
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *("--ServerApp.ip=127.0.0.1", "--ServerApp.port=0", "--IdentityProvider.token="),
        "--LabApp.expose_app_in_browser=True",
        f"--notebook-dir={project.root}",
    ]
    with (own / "log").open("w") as log:
        lab = subprocess.Popen(command, cwd=own, env=environment, stdout=log, stderr=log)
    try:
        while not (said := _told(own / "RUNTIME_DIR")):
            assert lab.poll() is None, (own / "log").read_text()
            time.sleep(0.1)
        yield said["url"]
    finally:
        lab.terminate()
        # On a busy machine a thread of the server may wait for ever when all else has ended.
        with suppress(subprocess.TimeoutExpired):
            lab.wait(60)
        lab.kill()
        lab.wait()


def _told(runtime: Path) -> dict[str, str]:
    """Read what a server says of itself; nothing as long as it has not said all."""
    for path in runtime.glob("jpserver-*.json"):
        with suppress(json.JSONDecodeError):
            said: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
            return said
    return {}


def run_all_cells(page: Page) -> None:
    """Wait for the kernel, as a person does, and run the notebook from the menu."""
    page.wait_for_selector("text=/\\| Idle$/")
    page.get_by_role("menubar").get_by_text("Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()


def ink_of_an_axis(page: Page) -> str:
    """Return the colour of the title of an axis, as the browser computes it."""
    colour: str = page.eval_on_selector(
        f"{CHART} .role-axis-title text", "text => getComputedStyle(text).fill"
    )
    return colour


def rgb(ink: str) -> str:
    return f"rgb({', '.join(str(int(ink[place : place + 2], 16)) for place in (1, 3, 5))})"


def test_a_notebook_that_is_run_in_jupyterlab_shows_its_chart(tmp_path: Path) -> None:
    project, own = small_project(tmp_path / "book", "bandwidth"), tmp_path / "own"
    own.mkdir()
    project.run("load")
    with (
        jupyterlab(project, own) as address,
        chromium() as browser,
        visit(browser, f"{address}lab/tree/{NOTEBOOK}", size=(1280, 1400)) as seen,
    ):
        page = seen.page
        run_all_cells(page)
        page.wait_for_selector(CHART)
        assert page.locator("text=Traceback").count() == 0
        light, dark = INKS["muted"]
        assert ink_of_an_axis(page) == rgb(light)
        page.evaluate(
            "jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})"
        )
        page.wait_for_selector("body[data-jp-theme-light=false]", state="attached")
        assert ink_of_an_axis(page) == rgb(dark)

        page.wait_for_function(ALL_RAN)
        # What is stored shows the chart to the next one who opens it, and says the same.
        page.evaluate("jupyterapp.commands.execute('docmanager:save')")
        page.reload()
        page.wait_for_selector(CHART)
        assert [each for each in seen.errors if not SLOW.search(each)] == []
        assert seen.outside == []

    stored = nbformat.read(project.root / NOTEBOOK, as_version=4)
    committed = nbformat.read(REPOSITORY / NOTEBOOK, as_version=4)
    for mine, theirs in zip(stored.cells, committed.cells, strict=True):
        assert (mine.id, mine.source) == (theirs.id, theirs.source)
        for output, before in zip(mine.get("outputs", []), theirs.get("outputs", []), strict=True):
            shown = dict(output.data)
            if MIME_TYPE in shown:
                assert len(shown.pop("text/html")) < 500_000
            assert shown == before.data
