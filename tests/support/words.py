"""The words of the book's own studies, for tests that draw or judge by them."""

from __future__ import annotations

from studybook.dataset.definition import Definition, read_definition
from tests.conftest import REPOSITORY


def words(study: str) -> Definition:
    """Return the words of a study; its own metrics are known from then on."""
    found = read_definition(REPOSITORY, study)
    assert found is not None
    found.use()
    return found
