"""What the model that wrote the data was given of each claim: a role, and a reason for it."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from studybook.claims.published_values import Claim, Published, read_published
from tests.conftest import REPOSITORY

#: The studies of which data are simulated.
STUDIES = [read_published(REPOSITORY, name) for name in ("ecm-scaleout", "filenet-p8")]
of_each_study = pytest.mark.parametrize("values", STUDIES, ids=lambda values: values.study)

#: Claims that could not fail, or were fitted: they confirm nothing.
NO_CONFIRMATION = {
    "lead-grows", "all-users-250", "all-users-1000", "server-forwards", "server-forwards-inbound",
    "unbalanced-server-forwards", "first-server-forwards", "second-server-forwards",
    "third-server-forwards", "linear-until-full", "doubling-to-2", "doubling-to-4",
    "doubling-to-8",
}  # fmt: skip


@of_each_study
def test_every_claim_that_data_can_judge_has_a_role_and_no_other_has(values: Published) -> None:
    for claim in values.claims:
        assert (claim.role is None) == bool(claim.cannot_be_judged), claim.id


def test_what_could_not_fail_is_not_predicted() -> None:
    roles = {each.id: each.role for values in STUDIES for each in values.claims}
    assert {*roles} > NO_CONFIRMATION
    assert {roles[name] for name in NO_CONFIRMATION} <= {"implied", "chosen"}


@of_each_study
def test_nothing_is_predicted_twice(values: Published) -> None:
    """What accepts all that another claim of the same accepts holds whenever that does."""
    predicted = [each for each in values.claims if each.role == "predicted"]
    for one, other in combinations(predicted, 2):
        if _subject(one, values) == _subject(other, values):
            for wide, narrow in ((one, other), (other, one)):
                within = wide.accepted.holds(narrow.accepted.low, narrow.accepted.high)
                assert not within, (one.id, other.id)


def _subject(claim: Claim, values: Published) -> tuple[Any, ...]:
    over = None if claim.over is None else values.baseline | claim.over
    # A comparison is of the ratio of the two.
    return claim.metric, claim.kind == "difference", values.baseline | claim.of, over


@pytest.mark.parametrize("keys", [{"role": "implied"}, {"role_because": "it is so"}])
def test_a_role_and_its_reason_go_together(keys: dict[str, str]) -> None:
    claim = STUDIES[0].claims[0].model_dump(exclude={"role", "role_because", "follows"})
    with pytest.raises(ValueError, match="a role needs its reason"):
        Claim.model_validate(claim | keys)
