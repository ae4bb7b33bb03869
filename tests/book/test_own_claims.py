"""Claims of a document on a study of one's own: a page judges them, beside all other pages."""

from __future__ import annotations

import re

import pytest

from studybook.dataset.paths import DataSet
from studybook.engine.outputs import read_record
from tests.conftest import REPOSITORY
from tests.support.project import Project
from tests.support.tram import add_run

STUDY = "tram-tickets"
PAGE = (REPOSITORY / "docs/claims.md").read_text(encoding="utf-8")
CALLED = {"my-service": STUDY, "label: checkout": "label: Buy", "label: browse": "label: Look up"}
VERDICTS = {
    "linear-up-to-400": "does not hold", "quick": "holds", "checkout-like-browse": "open",
    "twice-the-users": "holds",
}  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(tmp_path_factory.mktemp("trams"))
    (example,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    for name, called in CALLED.items():
        example = example.replace(name, called)
    published = project.root / "data/published"
    published.mkdir(parents=True)
    (published / f"{STUDY}.yml").write_text(example, encoding="utf-8")
    for number in range(6):
        users, mean = ((200, 100), (400, 200))[number % 2]
        add_run(
            project.root, "main", f"n-{number}", {"users": users}, mean,
            day=number, seed=number, seconds=120,
        )  # fmt: skip
    return project


def test_the_claims_of_the_docs_are_judged(project: Project) -> None:
    project.run("figures", f"{STUDY}/claims")
    record = read_record(DataSet("main", project.root), f"{STUDY}/claims")
    assert record is not None
    verdicts = {name: each["verdict"] for name, each in record.judgements.items()}
    assert verdicts == VERDICTS
    assert record.answer == "4 claims: 2 hold, 1 does not hold, 1 open"


def test_all_other_pages_stay(project: Project) -> None:
    there = project.run("status", code=None).stdout
    for name in ("claims", "overview", "compare", "run-n-0", "processors"):
        assert f" {STUDY}/{name}" in there
    words = project.root / "pipelines" / STUDY / "study.yml"
    words.parent.mkdir(parents=True)
    words.write_text(f"study: {STUDY}\nonly_own_figures: true\n", encoding="utf-8")
    there = project.run("status", code=None).stdout
    assert f" {STUDY}/claims" in there
    assert f" {STUDY}/overview" not in there


def test_the_docs_name_all_keys() -> None:
    from studybook.claims.published_values import Claim, Document, Reading, Tolerance

    keys = {*Claim.model_fields, *Document.model_fields, *Reading.model_fields}
    keys |= {*Tolerance.model_fields} - {"also_in"}
    of_models = {"also_in", "role", "role_because", "follows"}  # of what a model was told
    named = set(re.findall(r"`([a-z_]+)(?:: true)?`", PAGE)) | {"id"}
    assert keys - of_models <= named
