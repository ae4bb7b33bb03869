"""What a chart leaves in a notebook: for those who compare outputs, and for its reader."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import nbformat
import pytest
from jupyter_client import BlockingKernelClient, KernelManager
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Browser

from studybook.charts.notebook import COMPARED
from studybook.charts.renderer import MIME_TYPE
from studybook.engine.execute import Task, run_all
from studybook.engine.normalise import normalise
from tests.support.browser import chromium, served, visit

SETUP = """
    import altair as alt
    import pandas as pd
    from studybook.charts import look
    look.use()

    def chart(word):
        rows = pd.DataFrame({"value": [1.5, 2.5], "kind": ["a", "b"]})
        rows = rows.assign(origin="measured", run="one")
        points = alt.Chart(rows).mark_point().encode(x="value:Q", y="kind:N")
        return look.finding(points, title=f"The {word} one", description=f"Two dots, {word}.")
"""
FIRST, SECOND = 'chart("first")', 'chart("second")'
PACKED = '<script type="application/gzip" class="study-vega">'

#: What a person has who opens a terminal: no test is under way there.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in COMPARED}


def test_what_was_run_for_the_book_is_what_nbval_gets_and_no_drawing(tmp_path: Path) -> None:
    source, executed = tmp_path / "source.ipynb", tmp_path / "executed.ipynb"
    notebook = new_notebook(cells=[new_code_cell(dedent(code)) for code in (SETUP, FIRST, SECOND)])
    normalise(notebook)
    nbformat.write(notebook, source)
    done = run_all([Task("charts", source, executed, {}, tmp_path)], 1, lambda _: None)
    assert done[0].state == "ok", done[0].message
    for cell in nbformat.read(executed, 4).cells[1:]:
        assert set(cell.outputs[0].data) == {MIME_TYPE, "text/plain"}
    nbval = (sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", executed.name)
    checked = subprocess.run(
        nbval, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
    assert "3 passed" in checked.stdout


# ---- for a reader ----------------------------------------------------------------------


class Editor:
    """Runs cells in a kernel as JupyterLab does: with the id of the cell in what it sends."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self._client = client

    def run(self, code: str, cell: str) -> list[dict[str, Any]]:
        """Run a cell; return the data of each of its outputs."""
        content = {"code": dedent(code), "silent": False, "store_history": True}
        sent = self._client.session.msg("execute_request", content, metadata={"cellId": cell})
        self._client.shell_channel.send(sent)
        outputs = []
        while True:
            got = self._client.get_iopub_msg(timeout=600)
            if got["parent_header"].get("msg_id") != sent["header"]["msg_id"]:
                continue
            assert got["msg_type"] != "error", "\n".join(got["content"]["traceback"])
            if "data" in got["content"]:
                outputs.append(got["content"]["data"])
            if got["content"].get("execution_state") == "idle":
                return outputs


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(env=ENVIRONMENT)
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=600)
        editor = Editor(client)
        editor.run(SETUP, "setup")
        yield editor
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def outputs(editor: Editor) -> dict[str, list[dict[str, Any]]]:
    """Return the outputs of some executions, in the order in which they were made."""
    return {
        "first": editor.run(FIRST, "one"),
        "second": editor.run(SECOND, "two"),
        "first again": editor.run(FIRST, "one"),
        "twice in one": editor.run(f"display({FIRST})\n{SECOND}", "one"),
        "last": editor.run(SECOND, "three"),
    }


def test_a_reader_gets_the_same_specification_and_the_figure_of_the_book(
    outputs: dict[str, list[dict[str, Any]]],
) -> None:
    (first,) = outputs["first"]
    assert set(first) == {MIME_TYPE, "text/plain", "text/html"}
    assert first["text/plain"] == "[chart] Two dots, first. (measured)"
    page = first["text/html"]
    assert '<figure class="study-chart"' in page
    assert "<svg" in page
    assert 'aria-label="The first one. Two dots, first. (measured)"' in page
    assert "<td class=number>2.5</td>" in page


def test_vega_goes_once_into_a_notebook_and_again_with_the_cell_that_has_it(
    outputs: dict[str, list[dict[str, Any]]],
) -> None:
    carries = {
        name: [PACKED in output["text/html"] for output in each] for name, each in outputs.items()
    }
    assert carries == {
        "first": [True],
        "second": [False],
        "first again": [True],
        "twice in one": [True, False],
        "last": [False],
    }


def test_a_notebook_stays_below_half_a_megabyte(
    outputs: dict[str, list[dict[str, Any]]],
) -> None:
    sizes = [len(outputs[name][0]["text/html"]) for name in ("first", "second")]
    assert sizes[0] < 500_000
    assert sizes[1] < 50_000


def test_without_an_editor_the_first_chart_carries_vega(tmp_path: Path) -> None:
    """``jupyter execute`` names no cells."""
    path = tmp_path / "charts.ipynb"
    notebook = new_notebook(cells=[new_code_cell(dedent(code)) for code in (SETUP, FIRST, SECOND)])
    nbformat.write(notebook, path)
    execute = (sys.executable, "-m", "jupyter", "execute", "--inplace", str(path))
    subprocess.run(execute, env=ENVIRONMENT, capture_output=True, check=True)
    cells = nbformat.read(path, 4).cells[1:]
    assert [PACKED in cell.outputs[0].data["text/html"] for cell in cells] == [True, False]


# ---- in a browser, apart from any editor -----------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def drawn(browser: Browser, folder: Path, outputs: list[dict[str, Any]]) -> list[str | None]:
    """Say how the loader ended for each of these outputs, on a page of their own."""
    body = "".join(f"<div>{output['text/html']}</div>" for output in outputs)
    page = f"<!doctype html><meta charset=utf-8><link rel=icon href=data:,>{body}"
    (folder / "page.html").write_text(page, encoding="utf-8")
    with (
        served(folder) as address,
        visit(browser, f"{address}/page.html", of_book=False) as seen,
    ):
        found = seen.drawn()
        assert seen.errors == []
        assert seen.outside == []
        return found


@pytest.mark.browser
@pytest.mark.parametrize("order", [("first", "second"), ("second", "first")], ids=" ".join)
def test_one_output_draws_all_charts_wherever_it_stands(
    browser: Browser,
    outputs: dict[str, list[dict[str, Any]]],
    tmp_path: Path,
    order: tuple[str, str],
) -> None:
    assert drawn(browser, tmp_path, [outputs[name][0] for name in order]) == ["true", "true"]


@pytest.mark.browser
def test_where_vega_is_missing_the_static_drawing_stays(
    browser: Browser, outputs: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    page = outputs["second"][0]["text/html"]
    (tmp_path / "page.html").write_text(f"<link rel=icon href=data:,><p>{page}</p>")
    with (
        served(tmp_path) as address,
        visit(browser, f"{address}/page.html", of_book=False) as seen,
    ):
        seen.page.wait_for_selector("figure[data-started] svg[role=img] .mark-symbol")
        assert seen.errors == []
        assert seen.outside == []
