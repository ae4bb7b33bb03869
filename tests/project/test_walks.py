"""Walks in the docs: their commands run, and come out as the pages say."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.support.docs import WALKS, Walked, walked

PROGRAMS = Path(sys.executable).parent


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Walked:
    """A real server and a real load driver with sar beside it, for 24 seconds in all."""
    assert shutil.which("hey"), "this test runs hey, a load driver\n  → make tools"
    return walked(WALKS / "own-service.md", tmp_path_factory.mktemp("service"), PROGRAMS)


def test_an_own_service_before_and_after_a_change(service: Walked) -> None:
    (compared,) = (said for each, said in service.said.items() if " compare " in each)
    for metric in ("Requests ", "Median "):
        assert next(line for line in compared.splitlines() if metric in line).startswith("better ")
    # Whatever else the machine does at this moment is in that, too, and may be worse.
    assert "Processors of a host at work" in compared
    assert "sar-binary" in service.said["studybook add ../results"]
    assert "2 goals: 2 hold" in service.said["studybook check"]
    assert "factors: {release: after}" in service.said["cat data/raw/main/tea/after-1/run.yml"]


def test_what_does_not_vary_comes_out_as_its_page_says(service: Walked) -> None:
    assert service.text == (WALKS / "own-service.md").read_text(encoding="utf-8"), "run: make docs"


def test_samples_without_a_word_on_them(samples_dir: Path, tmp_path: Path) -> None:
    page = WALKS / "samples.md"
    assert samples_dir.is_dir()
    assert walked(page, tmp_path, PROGRAMS).text == page.read_text(encoding="utf-8"), (
        "run: make docs"
    )


def test_no_walk_is_left_out() -> None:
    """The twelve runs are walked with the wheel: see test_wheel.py."""
    names = {page.stem for page in WALKS.glob("*.md")}
    assert names == {"own-service", "samples", "twelve-runs"}
