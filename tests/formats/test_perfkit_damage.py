"""Performance Toolkit reports: damaged blanks never give a wrong number."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studybook.formats.perfkit.cells import cell
from tests.support.perfkit import DATA, Rows, page, read_listing


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    """A heading of two lines and rows; numbers end where their headings end."""
    count = draw(st.integers(2, 8))
    widths = draw(st.lists(st.integers(2, 7), min_size=count, max_size=count))
    names = [draw(st.text("ABCDEFGH", min_size=1, max_size=width)) for width in widths]
    gaps = draw(st.lists(st.integers(1, 3), min_size=count, max_size=count))
    top = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    heading = ["Interval", "End Time"]
    for name, width, gap, above in zip(names, widths, gaps, top, strict=True):
        heading = [(line + " " * gap).ljust(max(map(len, heading)) + gap) for line in heading]
        heading[0] += ("X" if above else "").rjust(width)
        heading[1] += name.rjust(width)
    edges = [gap + width for gap, width in zip(gaps, widths, strict=True)]
    rows = []
    for number in range(draw(st.integers(1, 6))):
        row = [f"09:0{number}:30"]
        for edge, width in zip(edges, widths, strict=True):
            value = draw(
                st.one_of(
                    st.integers(0, 10**width - 1).map(str),
                    st.integers(0, 9).map(lambda tenth: f".{tenth}"),
                    st.just("." * width),
                )
            )
            row.append(value.rjust(edge))
        rows.append(row)
    return heading, rows


def printed(heading: list[str], rows: list[list[str]], break_after: int) -> str:
    lines = [*heading]
    for number, row in enumerate(rows):
        if number == break_after:
            lines += [*page(number=2).splitlines(), *heading]
        lines.append("".join(row))
    return page() + "\n".join(line.rstrip() for line in lines) + "\n"


MANY = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def number_rows(rows: Rows) -> dict[str, list[float | None]]:
    """Return the numbers of each row, in order, by its time."""
    found: dict[str, list[float | None]] = {}
    for each in rows.get("perfkit_value", []):
        # The rows of these tables have no other key; the first cell is the time itself.
        values = found.setdefault(each["row_key"], [])
        if each["text"] != each["row_key"]:
            values.append(each["value"])
    return found


@MANY
@given(table=tables(), break_after=st.integers(1, 6))
def test_any_table_gives_its_values(
    tmp_path: Path, table: tuple[list[str], list[list[str]]], break_after: int
) -> None:
    heading, rows = table
    reading, found = read_listing(tmp_path, printed(heading, rows, break_after))
    assert reading.lines_not_understood == 0, reading.not_understood
    assert number_rows(found) == {row[0]: [cell(c.strip()).value for c in row[1:]] for row in rows}


@MANY
@given(table=tables(), data=st.data())
def test_damaged_blanks_never_give_a_wrong_number(
    tmp_path: Path, table: tuple[list[str], list[list[str]]], data: st.DataObject
) -> None:
    heading, rows = table
    lines = printed(heading, rows, 99).splitlines()
    first = len(lines) - len(rows)
    place = data.draw(st.integers(first - len(heading), len(lines) - 1))
    line = lines[place]
    add = data.draw(st.booleans())
    for _ in range(data.draw(st.integers(1, 3))):
        blanks = [n for n, c in enumerate(line) if add or c == " "]
        at = data.draw(st.sampled_from(blanks or [0]))
        line = line[:at] + " " + line[at:] if add else line[:at] + line[at + 1 :]
    lines[place] = line
    reading, found = read_listing(tmp_path, "\n".join(lines) + "\n")
    right = {row[0]: [cell(c.strip()).value for c in row[1:]] for row in rows}
    for time, values in number_rows(found).items():
        assert values == right[time], f"{line!r} below {heading}"
    missing = right.keys() - number_rows(found).keys()
    assert len(missing) <= reading.lines_not_understood


def test_squeezed_rows_are_counted(tmp_path: Path) -> None:
    table = "Userid    %CPU  TCPU\nQNSD01     415 997.2\nQNSD02 296 711.4\n"
    reading, rows = read_listing(tmp_path, page("FCX112", "USER") + table)
    assert [row["row_key"] for row in rows["perfkit_value"]] == ["QNSD01"] * 3
    assert [text for _, text in reading.not_understood] == ["QNSD02 296 711.4"]
    assert any("stands under no column" in text for _, text in reading.remarks)


@pytest.mark.parametrize(
    "row",
    [
        "QNSD01     415      ",
        "QNSD01     415 997.2 12",
        "QNSD01   4 15  997.2",
        "           415 997.2",
        "QNSD01    997.2",
    ],
)
def test_rows_that_do_not_fit_are_counted(tmp_path: Path, row: str) -> None:
    table = f"Userid    %CPU  TCPU\nQNSD02     296 711.4\n{row}\n"
    reading, rows = read_listing(tmp_path, page("FCX112", "USER") + table)
    assert {each["row_key"] for each in rows["perfkit_value"]} == {"QNSD02"}
    assert reading.lines_not_understood == 1


def test_partition_columns_are_filled_together_or_not_at_all(tmp_path: Path) -> None:
    text = (DATA / "partitions.txt").read_text()
    reading, _ = read_listing(tmp_path, text.replace("QLPAR2      2   07 ", "QLPAR2      2      "))
    assert reading.lines_not_understood == 1


@pytest.mark.parametrize(
    ("text", "k", "value", "reason"),
    [
        (".0", None, 0, None),
        ("1234K", 1024, 1234 * 1024, None),
        ("12M", 1000, 12_000_000, None),
        ("12M", None, None, "suffix of unknown size"),
        ("....", None, None, "dots"),
        ("---", None, None, "dashes"),
        ("---,---,---", None, None, "dashes"),
        ("****", None, None, "overflow"),
        ("254/s", None, 254, None),
        ("1e5", None, None, "not a number"),
        ("nan", None, None, "not a number"),
        ("٣", None, None, "not a number"),
        ("9" * 30, None, None, "not a number"),
    ],
)
def test_cells(text: str, k: int | None, value: float | None, reason: str | None) -> None:
    found = cell(text, k)
    assert (found.text, found.value, found.null_reason) == (text, value, reason)


def test_a_partition_whose_first_row_is_lost_gives_its_name_to_no_row(tmp_path: Path) -> None:
    lines = (DATA / "partitions.txt").read_text().splitlines(keepends=True)
    # The row of the third partition becomes the second row of the second one, whose first row
    # is damaged.
    lines[16] = lines[16].replace("   2   07", "  2  07")
    lines[17] = lines[15].replace(" 1  79.4", " 1  55.5")
    reading, rows = read_listing(tmp_path, "".join(lines))
    assert reading.lines_not_understood == 2
    assert "55.5" not in {row["text"] for row in rows["perfkit_value"]}
