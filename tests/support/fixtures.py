"""The raw files of our own, and what each must give; they are found by being there."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from studybook.bounded_yaml import SAFE_LOADER
from tests.conftest import REPOSITORY

TESTS = REPOSITORY / "tests"

#: ``tests/data/<source>/<file>`` with ``<file>.expected.yml`` beside it.
FIXTURES = sorted(
    path.with_name(path.name.removesuffix(".expected.yml"))
    for path in (TESTS / "data").glob("*/*.expected.yml")
)


@cache
def load_list(path: Path) -> dict[str, Any]:
    """Return a list of expected values: ``folder`` or ``folders``, and ``files``."""
    loaded: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), SAFE_LOADER)  # noqa: S506 - safe
    return loaded


def expected_of(fixture: Path) -> dict[str, Any]:
    """Return what a fixture must give, which stands beside it."""
    return load_list(Path(f"{fixture}.expected.yml"))


READABLE = [path for path in FIXTURES if "refused" not in expected_of(path)]
#: The last fixture of each format, by the format that it is found to be of (``test_fixture``).
ONE_OF_EACH = {expected_of(path)["format"]: path for path in READABLE}


def short(path: Path) -> str:
    """Name a fixture in a test id."""
    return f"{path.parent.name}/{path.name}"
