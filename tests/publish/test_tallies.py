"""The verdicts of all studies on the front page, in books of any studies."""

from __future__ import annotations

import re
from dataclasses import replace

from studybook.engine.outputs import Record
from studybook.publish.tallies import tallies, where_from

Judgements = dict[str, dict[str, str]]


def record(figure: str, judgements: Judgements, state: str = "ok") -> Record:
    return Record(figure, "Claims", state, "", {}, "", {}, {}, {}, {}, judgements=judgements)


def judged(*verdicts: str, origin: str = "simulated", role: str = "predicted") -> Judgements:
    return {
        f"claim-{number}": {"verdict": verdict, "origin": origin, "role": role}
        for number, verdict in enumerate(verdicts)
    }


def cells(page: str, column: str) -> list[str]:
    found = re.findall(rf'data-label="{column}">(.*?)</td>', page)
    return [re.sub(r"<small>.*?</small>|<[^>]+>", "", each) for each in found]


IDS = ["shop/claims", "shop/load", "bank/claims", "mill/claims", "dock/claims"]


def test_each_study_stands_there_whatever_came_of_its_claims() -> None:
    records = [
        record("shop/claims", judged("holds", "does not hold", "open", "holds")),
        record("shop/load", {}),
        record("bank/claims", judged("holds", origin="measured", role="")),
        record("mill/claims", {}, state="failed"),
    ]
    page = tallies(IDS, records, {"shop": "The <shop>"})
    assert cells(page, "Study") == ["The &lt;shop&gt;", "bank", "mill", "dock"]
    assert cells(page, "Claims") == ["predicted", "rates and times", "not judged", "not judged"]
    assert cells(page, "holds") == ["2", "1", "–", "–"]
    assert cells(page, "open") == ["1", "0", "–", "–"]
    assert "its page of claims: failed" in page
    assert "its page of claims was not run" in page
    # A page that is not in the book has no link.
    assert re.findall(r'href="([^"]+)"', page) == [
        f"../notebooks/{study}/claims.html" for study in ("shop", "bank", "mill")
    ]


def test_origins_come_before_the_numbers_in_words() -> None:
    records = [
        record("shop/claims", judged("holds")),
        record("bank/claims", judged("holds", origin="measured")),
    ]
    records[0] = replace(records[0], origins=["published", "simulated"])
    records[1] = replace(records[1], origins=["measured"])
    _, _, first, second, _ = where_from(records, {}).splitlines()
    assert "measured" in first
    assert first.endswith(": **bank**")
    assert "a model wrote" in second
    assert second.endswith(": **shop**")
    assert "Verdicts on 2 claims" in tallies(IDS[:3], records, {})


def test_a_book_without_claims_says_so() -> None:
    assert tallies(["shop/load"], [record("shop/load", {})], {}).startswith("No study")
    assert tallies([], [], {}).startswith("No study")
