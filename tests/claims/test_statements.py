"""The register of what each document says: every passage has a claim, or the reason why not.

``data/published/<study>/statements.yml`` parts a document into passages, from its first word to its
last. Each begins with the words that are quoted and ends where the next one begins.
"""

from __future__ import annotations

from typing import Self

import pytest
from pydantic import model_validator

from studybook.checked_yaml import Strict, read_yaml
from studybook.claims.published_values import Published, read_published
from tests.conftest import REPOSITORY
from tests.support.seeds import ELLIPSIS, plain, stripped


class Passage(Strict):
    """A part of a document, and the claims that are made of it."""

    place: str
    words: str
    claims: tuple[str, ...] = ()
    none: str = ""

    @model_validator(mode="after")
    def _one(self) -> Self:
        if bool(self.claims) == bool(self.none):
            raise ValueError(
                f"{self.words}: give claims, or none with the reason why there is none"
            )
        return self


class Register(Strict):
    """What a document says, in its own order."""

    study: str
    document: str
    reasons: dict[str, str]
    passages: tuple[Passage, ...]


STUDIES = [
    read_published(REPOSITORY, path.stem)
    for path in sorted((REPOSITORY / "data/published").glob("*.yml"))
]
of_each_study = pytest.mark.parametrize("values", STUDIES, ids=lambda values: values.study)


def register(values: Published) -> Register:
    path = REPOSITORY / "data/published" / values.study / "statements.yml"
    return read_yaml(path, Register)


def starts(passages: tuple[Passage, ...], text: str) -> list[int]:
    """Where each passage begins, in their order; −1 where it is not behind the one before."""
    found, at = list[int](), 0
    for each in passages:
        place = text.find(stripped(each.words), at)
        found.append(place)
        at = place + 1 if place >= 0 else at
    return found


@of_each_study
def test_each_passage_has_claims_or_a_reason(values: Published) -> None:
    found = register(values)
    assert (found.study, found.document) == (values.study, values.document.id)
    known = {claim.id for claim in values.claims}
    for each in found.passages:
        assert {*each.claims} <= known, each.words
        assert len({*each.claims}) == len(each.claims), each.words
    assert {each.none for each in found.passages if each.none} == {*found.reasons}


@of_each_study
def test_each_claim_is_made_of_a_passage(values: Published) -> None:
    made = {name for each in register(values).passages for name in each.claims}
    assert {claim.id for claim in values.claims} == made


@pytest.mark.corpus
@of_each_study
def test_the_passages_are_the_document_in_its_order(values: Published) -> None:
    found = register(values)
    text = plain(found.document)
    places = starts(found.passages, text)
    missing = [each.words for each, at in zip(found.passages, places, strict=True) if at < 0]
    assert missing == []
    assert places[0] == 0  # nothing stands before the first


@pytest.mark.corpus
@of_each_study
def test_what_a_claim_quotes_stands_in_one_of_its_passages(values: Published) -> None:
    """A claim that is listed at the wrong passage is found by its words."""
    found = register(values)
    text = plain(found.document)
    places = [*starts(found.passages, text), len(text)]
    own: dict[str, list[str]] = {}
    for each, first, last in zip(found.passages, places, places[1:], strict=False):
        for name in each.claims:
            own.setdefault(name, []).append(text[first:last])
    astray = [
        f"{claim.id}: {quotation}"
        for claim in values.claims
        for quotation in (claim.words, claim.printed)
        if quotation
        and not all(
            any(stripped(part) in one for one in own[claim.id])
            for part in ELLIPSIS.split(quotation)
        )
    ]
    assert astray == []


def test_a_passage_out_of_order_is_found() -> None:
    one, two = (Passage(place="p", words=words, none="about") for words in ("alpha", "beta"))
    assert starts((one, two), "alpha and beta") == [0, 10]
    assert starts((two, one), "alpha and beta") == [10, -1]
