"""Formats of a book, and of installed packages, are formats as the library's are."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from studybook import formats, plugins
from studybook.errors import StudyBookError
from studybook.formats import RawFile, all_formats
from studybook.formats.plugged import of_book
from studybook.plugins import FOLDER
from tests.conftest import REPOSITORY
from tests.support.kiosk import FORMAT, add_run, book, plugged
from tests.support.project import remember

LEDGER = "Kiosk ledger\npaper: 1.5\nsweets: 2.5\nclosed for lunch\n"
METRIC = """\
-- How long a sale takes.
SELECT f.run_id, 'serving_ms' AS metric, MAP {}::MAP(VARCHAR, VARCHAR) AS own,
    avg(s.took_s) * 1000 AS value
FROM ledger_sale s JOIN raw_file f USING (file_id) GROUP BY f.run_id
"""


@pytest.fixture(autouse=True)
def no_book() -> Iterator[None]:
    yield
    plugins.use_book(None)


def run(root: Path, *arguments: str, code: int = 0, **also: str) -> str:
    remember(root)
    done = subprocess.run(
        [sys.executable, "-m", "studybook", *arguments],
        cwd=root, env=os.environ | {"STUDYBOOK_HOME": str(root)} | also, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == code, (done.stdout, done.stderr)
    return done.stdout + done.stderr


def loaded(root: Path, **also: str) -> list[tuple[float]]:
    code = (
        "from studybook.records.load import load; from studybook.records import store;"
        "from studybook.dataset.paths import DataSet; load('ledger', data_set='mine');"
        "c = store.connect(DataSet.named('mine').database);"
        "print(c.execute(\"SELECT mean FROM metric WHERE metric = 'serving_ms'\").fetchall())"
    )
    remember(root)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, check=True, capture_output=True, text=True,
        env=os.environ | {"STUDYBOOK_HOME": str(root)} | also,
    )  # fmt: skip
    found: list[tuple[float]] = eval(done.stdout)  # noqa: S307 - a list of tuples of our own
    return found


def test_a_format_of_the_book_is_loaded_and_read_anew_when_it_changes(tmp_path: Path) -> None:
    root = book(tmp_path)
    path = plugged(root)
    add_run(root, {"monday.txt": LEDGER}, "  - path: monday.txt\n")
    (root / "pipelines/kiosk/own_metric.sql").write_text(METRIC, encoding="utf-8")
    assert loaded(root) == [(2000.0,)]
    told = run(root, "inspect", "data/raw/mine/kiosk/monday/monday.txt")
    assert "ledger of a kiosk" in told
    assert "1 not understood" in told
    # What the code says counts, not how: the same database serves.
    database = root / "build/mine/study.duckdb"
    written = database.stat().st_mtime_ns
    path.write_text("# A remark.\n" + FORMAT, encoding="utf-8")
    assert loaded(root) == [(2000.0,)]
    assert database.stat().st_mtime_ns == written
    path.write_text(FORMAT.replace("float(took)", "float(took) * 2"), encoding="utf-8")
    assert loaded(root) == [(4000.0,)]


def test_a_format_of_an_installed_package_is_known_by_its_entry_point(tmp_path: Path) -> None:
    """A package as pip leaves it: code, and a folder of metadata beside it."""
    place = tmp_path / "site"
    (place / "kiosk_ledger").mkdir(parents=True)
    (place / "kiosk_ledger/__init__.py").write_text("", encoding="utf-8")
    (place / "kiosk_ledger/reader.py").write_text(FORMAT, encoding="utf-8")
    about = place / "kiosk_ledger-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: kiosk-ledger\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[studybook.formats]\nledger = kiosk_ledger.reader:FORMAT\n"
    )
    root = book(tmp_path / "book")
    add_run(root, {"monday.txt": LEDGER}, "  - path: monday.txt\n")
    (root / "pipelines/kiosk/own_metric.sql").write_text(METRIC, encoding="utf-8")
    path = os.pathsep.join(filter(None, (str(place), str(REPOSITORY))))
    assert loaded(root, PYTHONPATH=path) == [(2000.0,)]
    # Another version of the package reads otherwise.
    text = FORMAT.replace("float(took)", "float(took) * 2")
    (place / "kiosk_ledger/reader.py").write_text(text, encoding="utf-8")
    assert loaded(root, PYTHONPATH=path) == [(4000.0,)]


def test_code_of_a_data_set_is_never_run(tmp_path: Path) -> None:
    root = book(tmp_path)
    trap = f"open({str(tmp_path / 'ran')!r}, 'w').close()\n{FORMAT}"
    folder = add_run(
        root, {"ledger.py": trap, "pipelines/formats/x.py": trap, "monday.txt": LEDGER},
        "  - path: ledger.py\n  - path: monday.txt\n",
    )  # fmt: skip
    run(root, "inspect", str(folder / "ledger.py"), str(folder / "monday.txt"), code=1)
    (root / FOLDER).mkdir(parents=True)
    (root / FOLDER / "ledger.py").symlink_to(folder / "ledger.py")
    assert "leads out of" in run(root, "inspect", str(folder / "monday.txt"), code=1)
    assert not (tmp_path / "ran").exists()


def test_formats_are_those_of_the_book_that_is_worked_on(tmp_path: Path) -> None:
    plugged(tmp_path)
    ledger = tmp_path / "ledger.txt"
    ledger.write_text(LEDGER, encoding="utf-8")
    plugins.use_book(tmp_path)
    assert formats.recognise(RawFile(ledger)).name == "kiosk-ledger"
    plugins.use_book(None)
    assert "kiosk-ledger" not in {each.name for each in all_formats()}
    with pytest.raises(StudyBookError):
        formats.recognise(RawFile(ledger))


def test_a_format_may_be_a_package_with_a_table_beside_it(tmp_path: Path) -> None:
    plugged(tmp_path, "from . import inner\nFORMAT = inner.FORMAT\n", "ledger/__init__.py")
    plugged(tmp_path, FORMAT, "ledger/inner.py")
    plugged(tmp_path, "broken(", "_helper.py")
    assert [each.name for each, _ in of_book(tmp_path)] == ["kiosk-ledger"]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("def read(raw", "def read(raw:", ["ledger.py, line 13", "SyntaxError"]),
        (
            "from studybook",
            "import nowhere_at_all\nfrom studybook",
            ["line 1", "nowhere"],
        ),
        ("FORMAT = Format(", "OTHER = Format(", ["has neither FORMAT nor FORMATS"]),
        ("FORMAT = Format(", "FORMAT = dict, (", ["is no Format"]),
        ("ledger_sale", "sale", ["the table sale", "ledger_"]),
        ("took_s DOUBLE", "took_s NUMBER", ["NUMBER", "DOUBLE"]),
        (", line BIGINT", "", ["no column line"]),
        ('"kiosk-ledger"', '"ior-text"', ["another format of the name ior-text"]),
        ('"ledger"', '"ior"', ["the table ledger_sale"]),
    ],
)
def test_a_file_that_is_no_format_is_refused_in_words(
    tmp_path: Path, before: str, after: str, said: list[str]
) -> None:
    assert before in FORMAT
    plugged(tmp_path, FORMAT.replace(before, after))
    plugins.use_book(tmp_path)
    with pytest.raises(StudyBookError) as caught:
        all_formats()
    told = str(caught.value)
    assert [word for word in said if word not in told] == [], told


@pytest.mark.parametrize("before", ['head.first.startswith("Kiosk ledger")', "raw.lines()"])
def test_a_mistake_in_a_format_of_the_book_says_where_to_mend_it(
    tmp_path: Path, before: str
) -> None:
    path = plugged(tmp_path, FORMAT.replace(before, "1 / 0"))
    ledger = tmp_path / "ledger.txt"
    ledger.write_text(LEDGER, encoding="utf-8")
    plugins.use_book(tmp_path)
    with pytest.raises(StudyBookError, match="ZeroDivisionError") as caught:
        formats.read(ledger, lambda _table, _rows: None)
    assert f"a mistake in {path}" in str(caught.value)
