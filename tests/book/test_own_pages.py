"""The pages of a new book on a study, figures and goals of one's own, and on collecting."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from studybook import plugins
from studybook.claims.goal_judge import judge_goals, open_for_goals
from studybook.claims.verdict import Verdict
from studybook.dataset.inspection import inspect_file
from studybook.dataset.paths import DataSet
from studybook.records import store
from studybook.records.load import load
from studybook.study import open_study
from tests.conftest import REPOSITORY
from tests.models.test_resources import written

PAGES = REPOSITORY / "studybook/template/book/book"
FILES = re.compile(r"^`([^`]+)`:\n\n```\w+\n(.*?)^```", re.DOTALL | re.MULTILINE)


def page(name: str) -> str:
    return (PAGES / f"{name}.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return the book of the pages, loaded."""
    root = tmp_path_factory.mktemp("shop")
    shown = [found for name in ("own-study", "own-goals") for found in FILES.findall(page(name))]
    for name, content in [*shown, ("_config.yml", "title: Shop\n")]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(root))
        try:
            load(data_set="main", strict=True)
            yield root
        finally:
            plugins.use_book(None)


def test_the_study_has_its_metric_and_its_model(shop: Path) -> None:
    with store.connect(shop / "build/main/study.duckdb") as connection:
        found = connection.execute(
            "SELECT r.run, m.mean, l.longest_s FROM metric m JOIN longest_wait l USING (run_id)"
            " JOIN run r USING (run_id) WHERE m.metric = 'waiting_s' ORDER BY 1"
        ).fetchall()
    assert found == [("three-tills", 20, 30), ("two-tills", 50, 60)]


def test_the_figure_says_what_the_data_show(shop: Path) -> None:
    cells = re.findall(r"^```python\n(.*?)^```", page("own-figures"), re.DOTALL | re.MULTILINE)
    assert len(cells) == 3
    names: dict[str, Any] = {}
    for cell in cells:
        exec(cell, names)  # noqa: S102 - the cells of a page of ours
    assert names["title"] == "With 3 tills people wait 20 s, with 2 50 s"


def test_the_queries_of_load_drivers_give_a_row_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scripts of pgbench are of the whole run, and stand beside all of the stable phase."""
    monkeypatch.setenv("STUDYBOOK_HOME", str(tmp_path))
    (tmp_path / "_config.yml").write_text("title: Crockery\n")
    written(tmp_path, {name: (["pgbench/scripts.txt"], {}) for name in ("before", "after")})
    study = open_study("crockery", data_set="crockery")
    assert len(study.query("FROM requests_per_s")) > 2
    (of_figure,) = re.findall(r"^```sql\n(.*?)^```", page("own-figures"), re.DOTALL | re.MULTILINE)
    of_frame = re.findall(r'study\.query\("(.*)"\)', (REPOSITORY / "docs/ask.md").read_text())
    for query in (of_figure, *of_frame):
        assert len(study.query(query)) == 2, query
    of_metric = "SELECT run_id FROM main_metric WHERE metric = 'requests_per_s'"
    assert len(study.query(of_metric)) == 2


def test_the_goals_are_judged_as_the_page_says(shop: Path) -> None:
    place = DataSet.named("main")
    found = judge_goals(shop, open_for_goals(place, "shop"), place)
    assert [each.verdict for each in found] == [Verdict.OPEN] * 3


class _Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "3")
        self.end_headers()
        self.wfile.write(b"ok\n")

    def log_message(self, *_: object) -> None:
        pass


SOURCES = {
    found[1]: found[2]
    for found in re.finditer(
        r"^### (.+?)\n\n```bash\n(.*?)^```", page("collecting"), re.DOTALL | re.MULTILINE
    )
}
#: What this machine may have; the others need a plan, a script or a cluster.
HERE = (
    "sar", "iostat", "vmstat", "mpstat", "pidstat", "nmon", "perf", "fio", "dd", "dbench", "hey",
    "ab", "wrk",
)  # fmt: skip


def test_the_page_on_collecting_has_a_command_for_each_source() -> None:
    others = {
        "collectl", "PCP", "ethtool", "Prometheus", "mmpmon", "IOR", "mdtest", "elbencho", "iozone",
        "gpfsperf", "iperf3", "netperf", "uperf", "lmbench", "JMeter", "k6", "Locust", "oha",
        "vegeta", "Gatling", "pgbench", "sysbench",
    }  # fmt: skip
    assert {*HERE, *others} == SOURCES.keys()
    for part in page("collecting").split("\n### ")[1:]:
        name, _, said = part.partition("\n")
        tried = name in HERE
        assert ("Not tried here" in " ".join(said.split())) is not tried, name


@pytest.mark.parametrize("name", [each for each in HERE if shutil.which(each)])
def test_what_a_command_of_the_page_records_is_read_without_rest(name: str, tmp_path: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        subprocess.run(
            ["bash", "-euc", SOURCES[name]],
            cwd=tmp_path,
            env=os.environ
            | {"every": "1", "times": "2", "url": f"http://127.0.0.1:{server.server_port}/"},
            check=True,
            capture_output=True,
        )
    finally:
        server.shutdown()
        server.server_close()
    (recorded,) = (path for path in tmp_path.iterdir() if path.name.startswith(name))
    seen = inspect_file(recorded)
    assert seen.format.startswith(name)
    assert seen.lines_in_records > 0
    assert seen.lines_not_understood == 0
