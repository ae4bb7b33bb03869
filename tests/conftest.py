"""What tests need beside the code: the built book, a browser, files that cannot be committed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples each time: a run of the tests says something of the code, not of chance.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

# Started in the background of a script, or by nohup, a process ignores these, and so would all that
# tests start and then interrupt.
for _each in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(_each) is signal.SIG_IGN:
        signal.signal(
            _each, signal.default_int_handler if _each == signal.SIGINT else signal.SIG_DFL
        )

REPOSITORY = Path(__file__).resolve().parent.parent

#: The files that cannot be committed, with their origins and hashes.
CORPUS = REPOSITORY / "tests/corpus.yml"

#: Fixtures by which a test has a marker that it need not name.
MARKED_BY = {"samples_dir": "corpus", "browser": "browser"}

NOT_BUILT = "this test looks at the book of the reference data, which is not built\n  → make book"
NO_CORPUS = (
    "tests marked corpus did not run: put the files that tests/corpus.yml lists into a folder,"
    " and name it by STUDYBOOK_SAMPLES"
)


def samples_folder() -> Path:
    """Return where the sample files would be; the folder need not be there."""
    default = REPOSITORY.parent / "shared" / "samples"
    return Path(os.environ.get("STUDYBOOK_SAMPLES", default))


def may_leave_out() -> bool:
    """Whether tests may be left out where what they need is missing: not in CI."""
    return not os.environ.get("STUDYBOOK_NO_SKIPS")


@pytest.fixture(scope="session")
def samples_dir() -> Path:
    """Return the folder of sample files; tests that ask for it are marked ``corpus``."""
    folder = samples_folder()
    if not folder.is_dir():
        pytest.fail(f"{folder}: is not there\n  → {NO_CORPUS}", pytrace=False)
    return folder


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by what they ask for, and leave out those whose files are not there."""
    for item in items:
        for fixture, marker in MARKED_BY.items():
            if fixture in getattr(item, "fixturenames", ()):
                item.add_marker(marker)
    if may_leave_out() and not samples_folder().is_dir():
        left_out = [item for item in items if item.get_closest_marker("corpus")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("corpus")]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail a test of the built book, in one sentence, where there is none."""
    built = REPOSITORY / "build/reference/html/index.html"
    if item.get_closest_marker("book") and not built.is_file():
        pytest.fail(NOT_BUILT, pytrace=False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line how to get what was left out."""
    if may_leave_out() and not samples_folder().is_dir():
        terminalreporter.write_line(NO_CORPUS, yellow=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run with skipped tests where ``STUDYBOOK_NO_SKIPS`` is set, as it is in CI."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and not may_leave_out() and session.exitstatus == 0:
        reporter.write_line(f"{len(skipped)} tests were skipped, and none may be", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
