"""The texts of a judgement that pages quote."""

from __future__ import annotations

import pytest

from studybook.claims import verdict_text
from studybook.claims.published_values import read_published
from studybook.claims.verdict import Judgement, Verdict
from tests.conftest import REPOSITORY


def texts(study: str, name: str) -> dict[str, str]:
    claim = read_published(REPOSITORY, study).claim(name)
    return verdict_text.texts(Judgement(claim, None, "", 0, Verdict.UNJUDGED, "no data"))


@pytest.mark.parametrize(
    ("study", "name", "published", "accepted"),
    [
        ("ecm-scaleout", "nsd-response", "1.3 ×", "1.25 to 1.35 ×"),
        ("ecm-scaleout", "nsd-packets", "> 70,000 packets/s", "more than 70,000 packets/s"),
        ("ecm-scaleout", "total-ifl-500", "10 to 15 IFLs", "10 to 15 IFLs"),
        (
            "ecm-scaleout",
            "four-best-250",
            "“significantly better across all load levels” (our reading: at most 0.9 ×)",
            "at most 0.9 ×",
        ),
        # Without a number of its own a comparison asks for more than the same.
        ("ecm-scaleout", "one-after-xfs-1000", "–", "more than 1 ×"),
        # A text is not within anything.
        ("ecm-scaleout", "scale-release", "4.2", "–"),
        ("flexible-scale", "write-sustained", "–", "–"),
    ],
)
def test_a_page_can_quote_what_the_document_has_and_what_is_accepted(
    study: str, name: str, published: str, accepted: str
) -> None:
    found = texts(study, name)
    assert (found["published"], found["accepted"]) == (published, accepted)
    assert found["published"] == verdict_text.of_document(
        read_published(REPOSITORY, study).claim(name)
    )
