"""One table of words: what they allow, in every claim of every study."""

from __future__ import annotations

import math
import re

import pytest

from studybook.claims.published_values import Claim, read_published
from tests.conftest import REPOSITORY

STUDIES = [
    read_published(REPOSITORY, path.stem)
    for path in sorted((REPOSITORY / "data/published").glob("*.yml"))
]
READ = {f"{values.study}: {each.id}": each for values in STUDIES for each in values.claims
        if each.words}  # fmt: skip

#: What words allow, as shares of what they are said of: where a range that is read into them may
#: end. The first row that matches counts, so "almost the same" is not "the same".
WORDS = (
    (r"almost linear", {-0.125, 0.1}),
    (r"[lL]inear|perfectly", {-0.03, 0.03}),
    (r"(almost|nearly) (all|\d+ CPUs)", {-0.1}),
    (r"almost no\b", {0.1}),
    (r"almost (the same|equal)|similar|this behavior was also true", {-0.05, 0.05}),
    (r"(almost|nearly) (completely|doubled?|quadruples|\d+)", {-0.125, 0.1}),
    (r"not significantly", {-0.1, 0}),
    (r"significant|\bmuch\b|\bwell below\b", {-0.1, 0.1}),
    (r"slightly", {0, 0.1}),
    (r"less at the higher|bigger", {0}),
    (r"small|regardless|1 HA$", {-0.1, 0.1}),
    (r"constant|as well as", {-0.01, 0.01}),
    (r"performed all", {-0.01, 0.01}),
    (r"higher increase|stable", {0, 0.5}),
    (r"same z/VM guest", {0}),
    (r"\bsame\b|\bequal|exactly|no additional", {-0.03, 0.03}),
    (r"sufficient", {-0.2}),
    (r"required|worst|1 CHPID$|remain low", {0}),
    # More or less, without a number: any difference.
    (r"gradually decreased|better response times than|worse than|the less disk", {0}),
    (r"important to vary|start to increase|grows smoothly|best response times", {0}),
)

#: Words that count something, or print the numbers that make a range: nothing is vague in them.
COUNTED = (
    r"^(had no direct SAN access|.* on a separate z/VM guest|An IBM Flex System.*|6 GB memory"
    r"|6 RAID6 arrays of 10 drives each|while maintaining a single file system"
    r"|30,000 packets/sec compared to more than 70,000 packets/sec|1 to 5 … up to 11"
    r"|2.5 times to 3 times larger|varied from 40% to 56%, compared to the single ECM node setups"
    r"|up to 11 … up to (22|39)|at 300 ms compared to .* from 500 up to 700 ms)$"
)

#: What words are said of, and the unit of their shares, where that is not 1 (of a ratio).
SAID_OF = {
    "ecm-scaleout: balanced-thirds": (1 / 3, 1 / 3),
    "ecm-scaleout: nodes-alike-in-packets": (0, 70_000),
    "ecm-scaleout: nsd-rx-bytes-full": (1492, 1492),
    "ecm-scaleout: nsd-tx-bytes-full": (1492, 1492),
    "ecm-scaleout: routing-more-even": (0, 1),
    # Fourfold users, and six times as many storage systems.
    **{f"ecm-scaleout: {name}": (4, 4) for name in
       ("linear-four", "linear-one", "linear-xfs", "scaled-perfectly")},
    **{f"flexible-scale: {name}": (6, 6) for name in
       ("write-linear-scaling", "read-linear-scaling", "mixed-sequential-linear-scaling",
        "mixed-random-linear-scaling")},
    # Differences: of two loads of 20 IFLs, and of what they are at another load.
    "ecm-scaleout: nodes-ifl-equal": (0, 20),
    "ecm-scaleout: same-cpu-as-xfs": (0, 20),
    "ecm-scaleout: lead-grows": (400, 400),
    "ecm-scaleout: cluster-cost-falls-500": (1.5, 1.5),
    "ecm-scaleout: cluster-cost-falls-750": (1.5, 1.5),
    # Nothing, in shares of two virtual processors.
    "ecm-scaleout: manager-idle": (0, 2),
    # Servers that do nothing where another does all, as shares of what that does.
    "ecm-scaleout: unbalanced-network-second": (0, 1),
    "ecm-scaleout: unbalanced-network-third": (0, 1),
    # A second, in milliseconds.
    **{f"ecm-scaleout: {name}": (1000, 1000) for name in
       ("good-one-node", "good-xfs", "good-four-nodes")},
    **{f"filenet-p8: {name}": (1000, 1000) for name in
       ("pe-highest", "pe-below-a-second", "ce-good-with-1", "ce-good-with-8")},
    # What is low, by what the document prints of CE and of PE.
    **{f"filenet-p8: {name}": (limit, limit) for name, limit in
       (("ce-flat-below-80", 100), ("pe-flat-below-80", 200), ("pe-low", 200))},
    # Processors of a guest.
    **{f"filenet-p8: {name}": (number, number) for name, number in
       (("almost-two", 2), ("busy-1-cpu", 1), ("busy-2-cpus", 2), ("busy-4-cpus", 4),
        ("busy-8-cpus", 8), ("one-database-cpu-suffices", 1), ("two-database-cpus-suffice", 2))},
}  # fmt: skip

#: Numbers that stand in the words themselves.
NAMED = {"double": 2, "doubled": 2, "quadruples": 4}


def said_of(name: str, claim: Claim) -> tuple[float, float]:
    """What the words are said of, and the unit in which they allow a share."""
    number = re.search(r"(?:almost|nearly) (\w+)", claim.words)
    if name not in SAID_OF and number and (number[1].isdigit() or number[1] in NAMED):
        value = float(NAMED.get(number[1], 0) or number[1])
        return value, value
    return SAID_OF.get(name, (1, 1))


#: A number that is printed with a word that leaves it open how near.
AROUND = re.compile(r"\b(?:around|about) (?P<number>\d[\d,]*(?:\.\d+)?)(?P<percent> ?%)?")


def around(printed: str) -> float:
    """How far a printed number leaves it open: 5 %, or half of its last digit that counts.

    The larger of the two, and a tenth at most. Zeros at the end of a whole number do not count.
    """
    found = AROUND.search(printed)
    assert found, printed
    text = found["number"].replace(",", "")
    whole, _, part = text.partition(".")
    place = -len(part) if part else len(whole) - len(whole.rstrip("0"))
    share = 0.01 if found["percent"] else 1.0
    number = float(text)
    return share * min(max(10.0**place / 2, number / 20), number / 10)


@pytest.mark.parametrize(
    ("printed", "width"),
    [
        ("around 5 IFL processors", 0.5),
        ("around 24 IFL processors", 1.2),
        ("around 25.7 IFL processors", 1.285),
        ("around 115 MiB/sec", 5.75),
        ("around 30% higher", 0.03),  # 5 of 30 would be more than a tenth
        ("around 300 ms", 30),
        ("about 1,000", 100),
        ("around 0.6 IFL processors more than SD", 0.05),
    ],
)
def test_around_is_five_per_cent_or_half_of_the_last_digit(printed: str, width: float) -> None:
    assert around(printed) == pytest.approx(width)


@pytest.mark.parametrize(
    "claim",
    [each for values in STUDIES for each in values.claims if AROUND.search(each.printed)],
    ids=lambda each: each.id,
)
def test_around_a_number_allows_the_same_in_every_study(claim: Claim) -> None:
    assert claim.tolerance is not None
    assert claim.tolerance.around(claim.number or 0) == pytest.approx(around(claim.printed))
    # The reason names the number as it is printed.
    word = AROUND.search(claim.printed)
    assert word
    assert claim.tolerance_because.startswith(f"“{word[0]}”")


def test_a_reason_that_says_around_has_it_from_the_document() -> None:
    for claim in (each for values in STUDIES for each in values.claims):
        if re.match(f"“{AROUND.pattern}", claim.tolerance_because):
            assert AROUND.search(claim.printed), claim.id


def test_no_difference_is_no_slight_one() -> None:
    slight = [each for each in READ.values() if re.search(r"\bslight", each.words)]
    assert len(slight) >= 5
    for claim in slight:
        none = 0.0 if claim.kind == "difference" else 1.0
        assert not claim.accepted.holds(none, none), claim.id
        assert claim.accepted.holds(none + 1e-6, none + 1e-6), claim.id


def test_every_comparison_of_setups_quotes_its_words() -> None:
    silent = {
        each.id
        for values in STUDIES
        for each in values.claims
        if each.kind == "comparison" and not each.words
    }
    assert silent == set()


@pytest.mark.parametrize("name", READ)
def test_the_same_words_allow_the_same_in_every_study(name: str) -> None:
    claim = READ[name]
    if re.match(COUNTED, claim.words):
        return
    allowed = next((ends for words, ends in WORDS if re.search(words, claim.words)), None)
    assert allowed is not None, f"“{claim.words}” is not in the table"
    of, unit = said_of(name, claim)
    ends = [each for each in (claim.accepted.low, claim.accepted.high) if math.isfinite(each)]
    for end in ends:
        share = round((end - of) / unit, 3)
        assert any(math.isclose(share, each, abs_tol=1e-3) for each in allowed), share


def test_every_row_of_the_table_is_used() -> None:
    for words, _ in WORDS:
        assert any(re.search(words, each.words) for each in READ.values()), words
