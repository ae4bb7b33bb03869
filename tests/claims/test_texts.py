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
        ("ecm-scaleout", "nsd-response", "“around 30% higher”", "1.27 to 1.33 ×"),
        ("ecm-scaleout", "nsd-packets", "> 70,000 packets/s", "more than 70,000 packets/s"),
        ("ecm-scaleout", "total-ifl-500", "10 to 15 IFLs", "10 to 15 IFLs"),
        (
            "ecm-scaleout",
            "four-best-250",
            "“significantly better across all load levels” (our reading: at most 0.9 ×)",
            "at most 0.9 ×",
        ),
        # Without a number of its own a comparison asks for more than the same.
        (
            "ecm-scaleout",
            "one-after-xfs-1000",
            "“only at the highest workload level was it worse than XFS”"
            " (our reading: more than 1 ×)",
            "more than 1 ×",
        ),
        # No difference at all is no slight one.
        (
            "ecm-scaleout",
            "nsd-jumbo-slower-1000",
            "“only slightly higher” (our reading: more than 1 × and less than 1.1 ×)",
            "more than 1 × and less than 1.1 ×",
        ),
        # What is printed stands in the place of the number that it is converted to.
        ("ecm-scaleout", "gain-on-xfs", "“40% faster”", "0.57 to 0.63 ×"),
        ("ecm-scaleout", "nsd-server-pagepool", "“1 GiB”", "exactly 1,024 MiB"),
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
