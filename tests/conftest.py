"""Fixtures for all tests: the folder of sample files, which is not part of the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples each time: a run of the tests says something of the code, not of chance.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

REPOSITORY = Path(__file__).resolve().parent.parent


def samples_folder() -> Path:
    """Return where the sample files would be; the folder need not be there."""
    default = REPOSITORY.parent / "shared" / "samples"
    return Path(os.environ.get("STUDYBOOK_SAMPLES", default))


@pytest.fixture(scope="session")
def samples_dir() -> Path:
    """Return the folder of sample files; a test that asks for it is skipped without one."""
    folder = samples_folder()
    if not folder.is_dir():
        pytest.skip("shared samples not found: set STUDYBOOK_SAMPLES")
    return folder


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run with skipped tests where ``STUDYBOOK_NO_SKIPS`` is set, as it is in CI."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and os.environ.get("STUDYBOOK_NO_SKIPS") and session.exitstatus == 0:
        reporter.write_line(f"{len(skipped)} tests were skipped, and none may be", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
