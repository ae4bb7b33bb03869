"""The chapters name what the models miss, and say of nothing else that it is missed."""

from __future__ import annotations

import re

import pytest

from studybook.claims.verdict import Verdict
from studybook.study import provenance
from testbed import fit_tables
from testbed.model import open_model
from tests.conftest import REPOSITORY

#: A page says by this whether a model misses claims; it is filled in from the page of the fit.
MISSED = re.compile(r"\[\[missed\s+testbed/(?P<fit>[a-z-]+):\s+(?P<claims>[a-z0-9,\s-]+?)\]\]")

of_each_study = pytest.mark.parametrize(
    ("study", "fit"), [("ecm-scaleout", "fit-ecm"), ("filenet-p8", "fit-filenet")]
)


@of_each_study
def test_the_chapters_name_all_that_the_model_misses(study: str, fit: str) -> None:
    pages = sorted((REPOSITORY / "book" / study).glob("*.md"))
    found = [each for page in pages for each in MISSED.finditer(page.read_text(encoding="utf-8"))]
    assert {each["fit"] for each in found} == {fit}
    named = [name for each in found for name in re.split(r",\s*", each["claims"])]
    missed = {each.target.id for each in open_model(study).comparisons() if not each.holds}
    assert sorted(named) == sorted(missed)


@of_each_study
def test_what_the_model_has_is_noted_for_the_chapters(
    study: str, fit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = dict[str, dict[str, str]]()
    monkeypatch.setattr(provenance, "note_judgements", noted.update)
    comparisons = open_model(study).comparisons()
    fit_tables.note(comparisons)
    for each in comparisons:
        texts = noted[each.target.id]
        assert (texts["verdict"] == Verdict.HOLDS) is each.holds
        assert texts["data"] == fit_tables.shown(each.target, each.model)
        # A printed number is told with its tolerance.
        assert ("±" in texts["accepted"]) is (each.target.number is not None)
    assert fit in (REPOSITORY / "book" / study).parent.joinpath("_toc.yml").read_text()


def test_no_chapter_types_what_a_model_misses() -> None:
    for page in (REPOSITORY / "book").rglob("*.md"):
        assert "issed by the model" not in page.read_text(encoding="utf-8"), page
