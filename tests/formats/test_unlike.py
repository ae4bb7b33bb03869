"""Lines that were not understood say how they differ from those near them that were."""

from __future__ import annotations

from pathlib import Path

import pytest

from studybook.formats.unlike import difference
from tests.support.reading import read_rows

CSV = [(4, "10:00:05,web,7,12.5"), (3, "10:00:00,web,7,11.9"), (1, "time,host,n,ms")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("10:00:10,web,seven,12.5", "cell 3 is 'seven', where line 4 has a number ('7')"),
        ("10:00:10,web,,x", "cell 3 is '', where line 4 has a number ('7'); 1 more differ"),
        ("10:00:10,web,7", "3 cells, where line 4 has 4"),
        ("10:00:10,web,7,12.5,9", "5 cells, where line 4 has 4"),
        ("10:00:10,db,7,12.5", "'db' stands in no line near it"),
        ("10:00:10,web,-7,12.5", "cell 3 is '-7', where line 4 has '7'"),
        ("10:00:10,web,7,1e300", "cell 4 is '1e300', where line 4 has '12.5'"),
        (
            "10:00:10,web,18446744073709551615,12.5",
            "cell 3 is '18446744073709551615', where line 4 has '7'",
        ),
        ("10:00:10,web,7,99", "has the form of line 4, which was read"),
        ("see the ticket", "no line near it has its form"),
    ],
)
def test_a_line_is_told_from_the_one_most_like_it(text: str, said: str) -> None:
    assert difference(text, CSV) == said


def test_without_lines_near_there_is_nothing_to_say() -> None:
    assert difference("anything", []) == ""


def test_every_line_that_is_shown_says_it(tmp_path: Path) -> None:
    """In a file of several blocks, too, and of the last line that has no end."""
    sample = "12:00:0{0} AM     all      1.00      0.00      2.00      0.00      0.00     97.00\n"
    head = "Linux 5.4.0 (web01)  01/02/2024  _x86_64_  (2 CPU)\n\n" + (
        "12:00:00 AM     CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
    )
    good = "".join(sample.format(n % 9) for n in range(40_000))
    bad = sample.format("5").replace(" 2.00", " 2,x0")
    path = tmp_path / "sar.txt"
    path.write_text(f"{head}{good}{bad}{sample.format(6)}{sample.format(7)[:60]}")
    _, reading, _ = read_rows(path)
    (first, text), (last, _) = reading.not_understood
    assert text == bad.rstrip("\n")
    assert reading.unlike[first].startswith(
        f"cell 6 is '2,x0', where line {first - 1} has a number"
    )
    assert reading.unlike[last] == "it has no line end"


def test_a_line_is_compared_with_none_that_was_not_read_either(tmp_path: Path) -> None:
    """Only the first ten are shown; the eleventh was said to have been read."""
    said = "".join(f"step {n} of 13 is done\n" for n in range(13))
    text = (
        said + " Performance counter stats for 'true':\n\n 1 cycles\n\n 1.0 seconds time elapsed\n"
    )
    path = tmp_path / "stat.txt"
    path.write_text(text)
    _, reading, _ = read_rows(path)
    assert reading.lines_not_understood == 13
    assert not any("was read" in each for each in reading.unlike.values())
