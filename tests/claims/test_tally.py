"""Tallies of verdicts: every claim is in one row, and what could have gone wrong comes first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from studybook.claims.tally import ROLES, origins, tally
from studybook.claims.verdict import Verdict

Judged = dict[str, str]


def judged(verdict: Verdict, origin: str = "simulated", role: str = "", exact: str = "") -> Judged:
    return {"verdict": str(verdict), "origin": origin, "role": role, "exact": exact}


SIMULATED = [
    judged(Verdict.HOLDS, role="fitted"),
    judged(Verdict.HOLDS, role="implied"),
    judged(Verdict.FAILS, role="implied"),
    judged(Verdict.FAILS, role="predicted"),
    judged(Verdict.OPEN, role="predicted"),
    judged(Verdict.UNJUDGED, origin=""),
]


def test_predicted_claims_come_first_and_those_without_data_last() -> None:
    rows = tally(SIMULATED)
    assert [row.name for row in rows] == ["predicted", "implied", "fitted", "no data"]
    first = rows[0]
    assert (first.claims, first.shown(Verdict.FAILS), first.shown(Verdict.OPEN)) == (2, "1", "1")
    assert first.shown(Verdict.HOLDS) == "0"
    assert origins(rows).startswith("Simulated: ")


def test_measured_rates_stand_apart_from_counts_whatever_the_role() -> None:
    rates = [judged(Verdict.HOLDS, "measured", role) for role in ROLES]
    counts = [judged(Verdict.HOLDS, "measured", exact="yes")] * 2
    rows = tally([*counts, *rates])
    assert [(row.name, row.claims) for row in rows] == [
        ("rates and times", len(ROLES)),
        ("counts and settings", 2),
    ]
    assert all(row.meaning for row in rows)
    assert origins(rows).startswith("Measured: ")


def test_of_two_origins_the_measured_one_comes_first() -> None:
    rows = tally([*SIMULATED, judged(Verdict.HOLDS, "measured")])
    assert [row.origin for row in rows] == ["measured", *["simulated"] * 3, ""]
    assert origins(rows).index("Measured") < origins(rows).index("Simulated")


def test_without_claims_there_is_no_row() -> None:
    assert tally([]) == []
    assert "no data" in origins([])


verdicts = st.builds(
    judged,
    st.sampled_from(list(Verdict)),
    st.sampled_from(["measured", "simulated", "guessed", ""]),
    st.sampled_from([*ROLES, "invented"]),
    st.sampled_from(["", "yes"]),
)


@given(st.lists(verdicts))
def test_each_claim_is_counted_once(claims: list[Judged]) -> None:
    rows = tally(claims)
    assert sum(row.claims for row in rows) == len(claims)
    assert len({(row.origin, row.name) for row in rows}) == len(rows)
    for verdict in Verdict:
        found = sum(row.counts.get(verdict, 0) for row in rows)
        assert found == sum(each["verdict"] == verdict for each in claims)
