"""What is quoted of the documents stands in them, word for word."""

from __future__ import annotations

import pytest

from studybook.claims.published_values import Published, read_published
from tests.conftest import REPOSITORY
from tests.support.seeds import stands, stripped

STUDIES = [
    read_published(REPOSITORY, path.stem)
    for path in sorted((REPOSITORY / "data/published").glob("*.yml"))
]

#: Beside the document of a study: a page that repeats some of its figures.
ALSO = {"ecm-scaleout": ("004",)}

of_each_study = pytest.mark.parametrize("values", STUDIES, ids=lambda values: values.study)


def documents(values: Published) -> tuple[str, ...]:
    return (values.document.id, *ALSO.get(values.study, ()))


@pytest.mark.corpus
@of_each_study
def test_words_and_printed_numbers_stand_in_the_document(values: Published) -> None:
    quoted = {
        f"{claim.id}: {quotation}": quotation
        for claim in values.claims
        for quotation in (claim.words, claim.printed)
        if quotation
    }
    assert quoted
    assert [name for name, each in quoted.items() if not stands(each, documents(values))] == []


@pytest.mark.corpus
@of_each_study
def test_both_sides_of_a_disagreement_stand_in_the_document(values: Published) -> None:
    sides = {
        f"{each.id}: {side.text}": side.text
        for each in values.disagreements
        for side in (each.first, each.second)
    }
    assert [name for name, each in sides.items() if not stands(each, documents(values))] == []


@pytest.mark.corpus
def test_a_changed_word_is_found() -> None:
    assert stands("a slightly better response time", ("000",))
    assert not stands("a slightly worse response time", ("000",))
    assert stands("This was an increase … compared to the SD rate", ("000",))
    assert not stands("This was an increase … compared to the SD rates", ("000",))


def test_marks_of_type_are_no_words() -> None:
    assert stripped("a **bold**\n_word_, `code`") == "a bold _word_, code"
    assert stripped('<td>5</td> <input type="text" value="2048"/> < 10 and > 5') == (
        "5 2048 < 10 and > 5"
    )
