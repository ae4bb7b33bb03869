"""Charts of setups, in the colours that a study gives them."""

from __future__ import annotations

import pytest

from studybook.dataset.definition import Definition


@pytest.fixture(autouse=True)
def colours_of_a_study() -> None:
    """Give setups colours, as a study.yml does."""
    Definition(
        study="charts",
        colours={"SD": "teal", "SD, one node": "slate", "NSD": "violet", "XFS": "ochre"},
    ).use()
