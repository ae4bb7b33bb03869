"""The docs: their commands run, their outputs are what is printed, their steps are true."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import click
import pytest

from studybook.__main__ import VERBS
from studybook.dataset.inventory import PARAMETERS_FILE
from studybook.dataset.manifest import File, Host, Run, Source, StablePhase
from studybook.dataset.paths import DataSet
from studybook.engine.notebooks import declared_parameters
from tests.conftest import REPOSITORY
from tests.support.docs import LED_TO, OUTPUT, PAGES, README, renewed
from tests.support.project import command, copy_project

DOCS = REPOSITORY / "docs"
MAKEFILE = (REPOSITORY / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sample_outputs_are_current(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert renewed(text) == text, "run: make docs"


def test_there_is_sample_output() -> None:
    assert OUTPUT.search(README.read_text(encoding="utf-8"))


def test_the_readme_leads_to_every_page_of_the_docs() -> None:
    assert set(LED_TO) == set(DOCS.glob("*.md"))


def test_the_commands_of_the_readme_run(tmp_path: Path) -> None:
    """And of the pages that it leads to, in their order, in a copy of the project."""
    project = copy_project(tmp_path / "project", built=False)
    # One figure that asks a model, and one that links to a study of which there are no runs.
    project.keep_figures("testbed", "load", "nodes")
    text = "\n".join(page.read_text(encoding="utf-8") for page in (README, *LED_TO))
    blocks = re.findall(r"```bash\n(.*?)```", text, re.DOTALL)
    # "make book" and "make test" are what runs this test; the virtual environment is this one.
    ours = re.compile(r"^(make \w+|source \.venv/bin/activate)$", re.MULTILINE)
    script = ours.sub("", "".join(blocks))
    assert "studybook book --data-set mine" in script
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=project.root,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "ior_summary" in done.stdout
    for name in ("processors", "memory", "disks", "network"):
        assert f"ok         my-service/{name}" in done.stdout
    assert "ok         testbed/load" in done.stdout
    assert "fresh  book" in done.stdout
    assert (project.root / "build/mine/html/index.html").is_file()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_make_target_that_is_named_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"`make (\w+)`", text):
        assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_is_named_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in re.findall(
        r"`((?:\.github|book|data|notebooks|pipelines|studybook|testbed|tests)/[^`]*)`", text
    ):
        pattern = re.sub(r"<[^>]+>", "*", name).rstrip("/")
        if "/<" in name or "<name>" in name:
            pattern = str(Path(pattern).parent)
        assert list(REPOSITORY.glob(pattern)), name


def test_every_command_and_option_has_help() -> None:
    for name in VERBS:
        verb = command(name)
        assert verb.help, name
        assert verb.help.strip(), name
        for option in verb.params:
            if isinstance(option, click.Option):
                assert option.help, (name, option.name)


def test_the_docs_name_all_that_a_run_may_say() -> None:
    _, _, rest = (DOCS / "run-yml.md").read_text(encoding="utf-8").partition("All that it may say")
    said = set(re.findall("`([a-z_-]+)", rest.partition("```")[0]))
    models = (Run, Host, File, Source, StablePhase)
    keys = {key for model in models for key in model.model_fields}
    assert keys <= said


def test_parameters_in_the_docs_are_those_of_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = copy_project(tmp_path / "project", built=False)
    monkeypatch.setenv("STUDYBOOK_HOME", str(project.root))
    text = (DOCS / "run-yml.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    place = DataSet.named("reference")
    (place.raw / PARAMETERS_FILE).write_text(block, encoding="utf-8")
    assert set(declared_parameters(place)) == {"ecm-scaleout/fig19-user-curve"}


def test_requirements_name_what_is_imported_and_nothing_else() -> None:
    wanted = {
        re.split(r"[<>=\[ ;]", line)[0].lower()
        for line in (REPOSITORY / "requirements.txt").read_text().splitlines()
        if line and not line.startswith("#")
    }
    source = "\n".join(p.read_text() for p in (REPOSITORY / "studybook").rglob("*.py"))
    source += "\n".join(p.read_text() for p in (REPOSITORY / "notebooks").rglob("*.ipynb"))
    roots = set(re.findall(r"^\s*\"?(?:from|import) (\w+)", source, re.MULTILINE))
    there = packages_distributions()
    imported = {
        distribution.lower().replace("_", "-")
        for root in roots - {"studybook", "testbed"}
        for distribution in there.get(root, [])
    }
    # Run as a command, not imported: the guard of outputs.
    by_command = {"nbval"}
    # Imported by fontTools, where it writes fonts for the web.
    by_others = {"brotli"}
    # These are the own ones of the builder of the book; its version decides theirs.
    of_the_builder = {"sphinx", "docutils", "myst-nb"}
    # What extras are for: studybook[dask], which brings fsspec.
    extras = {"distributed", "fsspec"}
    assert imported - of_the_builder - extras == wanted - by_command - by_others
    assert requires("studybook")
