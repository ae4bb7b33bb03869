"""Performance Toolkit reports: read by heading, with the dates, names and remarks they need."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

import pytest

from studybook.errors import Refused
from studybook.formats import Hints
from studybook.formats.perfkit import known
from studybook.formats.perfkit import rows as rows_of_tables
from studybook.formats.perfkit.columns import columns_below
from tests.support.perfkit import DATA, Rows, page, read_listing

# --- however the file was transferred ---------------------------------------------------

WAYS: dict[str, Callable[[list[str]], bytes]] = {
    "EBCDIC with line ends": lambda lines: b"".join(
        line.encode("cp037") + b"\x15" for line in lines
    ),
    "EBCDIC in records of 133": lambda lines: b"".join(
        line.ljust(133).encode("cp037") for line in lines
    ),
    "blanks at the ends": lambda lines: "".join(f"{line}   \n" for line in lines).encode(),
    "without carriage control": lambda lines: "".join(f"{line[1:]}\n" for line in lines).encode(),
    "carriage control on the first line only": lambda lines: "".join(
        f"{line if line.startswith('1') else line[1:]}\n" for line in lines
    ).encode(),
    "indented": lambda lines: "".join(f"  {line[1:]}\n" for line in lines).encode(),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["listing.txt", "devices.txt"])
def test_same_rows_however_transferred(tmp_path: Path, name: str, way: str) -> None:
    text = (DATA / name).read_text()
    reading, rows = read_listing(tmp_path, text)
    other, other_rows = read_listing(tmp_path, WAYS[way](text.splitlines()))
    assert other_rows == rows
    assert (other.lines, other.lines_not_understood) == (reading.lines, 0)


def test_a_table_goes_on_without_its_heading(tmp_path: Path) -> None:
    table = "Interval   Pct  On-\nEnd Time  Busy line\n09:05:00  50.0  4.0\n"
    whole = page() + table + page(number=2) + "09:10:00  60.0  4.0\n"
    reading, rows = read_listing(tmp_path, whole)
    assert reading.lines_not_understood == 0
    assert [row["pages"] for row in rows["perfkit_report"]] == [2]
    assert [row["value"] for row in rows["perfkit_value"] if row["column_path"] == "Pct Busy"] == [
        50,
        60,
    ]


# --- times ------------------------------------------------------------------------------


def times(rows: Rows) -> list[datetime | None]:
    return [row["time_local"] for row in rows["perfkit_value"] if row["metric"] == "end_time"]


def test_days_turn_over_in_a_log_of_several_days(tmp_path: Path) -> None:
    log = "Interval   Pct\nEnd Time  Busy\n12:00:00  50.0\n00:00:00  51.0\n12:00:00  52.0\n"
    log += "24:00:00  53.0\n12:00:00  54.0\n"
    _, rows = read_listing(
        tmp_path,
        page(
            begin="2013/05/08 00:00:00", end="2013/05/10 12:00:00", seconds=216000, clock="60:00:00"
        )
        + log,
    )
    assert times(rows) == [
        datetime(2013, 5, 8, 12),
        datetime(2013, 5, 9),
        datetime(2013, 5, 9, 12),
        datetime(2013, 5, 10),
        datetime(2013, 5, 10, 12),
    ]


def test_processors_one_after_another(tmp_path: Path) -> None:
    log = "End Time CPU Type Total\n23:59:00   0 IFL   50.0\n00:00:30   0 IFL   51.0\n"
    log += "23:59:00   1 IFL   52.0\n00:00:30   1 IFL   53.0\n"
    _, rows = read_listing(
        tmp_path,
        page("FCX304", "PRCLOG", "2013/05/08 23:58:00", "2013/05/09 00:00:30", 150, "00:02:30")
        + log,
    )
    first, second = datetime(2013, 5, 8, 23, 59), datetime(2013, 5, 9, 0, 0, 30)
    found = {row["line"]: row["time_local"] for row in rows["perfkit_value"]}
    assert list(found.values()) == [first, second, first, second]


def test_a_row_outside_the_period_is_not_understood(tmp_path: Path) -> None:
    log = "Interval   Pct\nEnd Time  Busy\n09:05:00  50.0\n11:00:00  51.0\n09:61:00  52.0\n"
    reading, rows = read_listing(tmp_path, page() + log)
    assert times(rows) == [datetime(2013, 5, 8, 9, 5)]
    assert reading.lines_not_understood == 2


def test_a_period_that_contradicts_itself_is_unknown(tmp_path: Path) -> None:
    log = "Interval   Pct\nEnd Time  Busy\n09:05:00  50.0\n"
    reading, rows = read_listing(tmp_path, page(seconds=900) + log)
    assert rows["perfkit_report"][0]["interval_s"] is None
    assert any("For says 900 s" in text for _, text in reading.remarks)


def test_a_screen_takes_its_day_from_the_manifest(tmp_path: Path) -> None:
    text = (DATA / "screens.txt").read_text()
    reading, rows = read_listing(tmp_path, text, Hints(start=date(2013, 5, 9)))
    assert rows["perfkit_report"][1]["to_local"] == datetime(2013, 5, 9, 9, 11)
    assert any("that of the start in run.yml is taken" in text for _, text in reading.remarks)


# --- what is known, and what is not -----------------------------------------------------


def test_certainty_is_that_of_the_weakest_report(tmp_path: Path) -> None:
    screens = (DATA / "screens.txt").read_text()
    assert read_listing(tmp_path, (DATA / "listing.txt").read_text())[0].certainty == "from memory"
    assert read_listing(tmp_path, screens)[0].certainty == "inferred"
    assert read_listing(tmp_path, screens[screens.index("FCX102") :])[0].certainty == "documented"


def test_unknown_headings_are_kept_and_remarked(tmp_path: Path) -> None:
    table = "          <Odd>\nUserid      Abc  %CPU\nQNSD01     12.5   296\n"
    reading, rows = read_listing(tmp_path, page("FCX112", "USER") + table)
    (odd,) = [row for row in rows["perfkit_value"] if row["metric"] is None]
    assert (odd["column_path"], odd["value"]) == ("Odd/Abc", 12.5)
    (remark,) = [text for _, text in reading.remarks if "lacks" in text]
    assert "Odd/Abc" in remark
    assert "Userid      Abc  %CPU" in remark


def test_unknown_reports_are_read(tmp_path: Path) -> None:
    table = "Thing   Level Rate/s\nALPHA     4.0     .5\n"
    reading, rows = read_listing(tmp_path, page("FCX999", "NEWLOG") + table)
    assert {row["column_path"]: row["value"] for row in rows["perfkit_value"]} == {
        "Thing": None,
        "Level": 4.0,
        "Rate/s": 0.5,
    }
    assert any("FCX999 NEWLOG is not in the table" in text for _, text in reading.remarks)


def test_the_table_of_headings_can_be_extended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = Path(known.__file__).with_name("headings.yml").read_text(encoding="utf-8")
    text += "  FCX999: {key: [thing], columns: {Thing: {metric: thing}, Level: "
    text += "{metric: level_mib, unit: MiB, k: 1024}}}\n"
    (tmp_path / "headings.yml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(known, "__file__", str(tmp_path / "known.py"))
    for kept in (known.headings, columns_below):
        kept.cache_clear()
    try:
        table = "Thing   Level Rate/s\nALPHA      4K     .5\n"
        _, rows = read_listing(tmp_path, page("FCX999", "NEWLOG") + table)
    finally:
        monkeypatch.undo()
        for kept in (known.headings, columns_below):
            kept.cache_clear()
    found = {row["metric"]: row["value"] for row in rows["perfkit_value"]}
    assert found == {"thing": None, "level_mib": 4096, None: 0.5}


def test_a_heading_that_fits_two_columns_names_none() -> None:
    report = known.KnownReport(columns={"Busy": known.Metric(metric="busy", unit="percent")})
    assert known.named(report, ["CPU/Busy", "Vec/Busy"]) == [None, None]
    assert known.named(report, ["Busy", "Vec/Busy"])[0] == report.columns["Busy"]


@pytest.mark.parametrize("name", ["devices.txt", "listing.txt", "sortable.txt"])
def test_cells_are_the_same_however_many_rows_are_kept(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (DATA / name).read_text(encoding="utf-8")
    reading, rows = read_listing(tmp_path, text)
    monkeypatch.setattr(rows_of_tables, "_KEPT_ROWS", 1)
    one_by_one, alone = read_listing(tmp_path, text)
    assert one_by_one.remarks == reading.remarks
    together = sorted(rows["perfkit_value"], key=lambda row: (row["report_no"], row["row_no"]))
    assert alone["perfkit_value"] == together


# --- what is no report ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1Report: ESACPUA    CPU Utilization        Q Corp\n", "Velocity zVPS"),
        ("FCX124     Performance Screen Selection    Perf. Monitor\n", "FCX124 is a menu"),
        ("FCX225 Run 2013/05/08 07:11:42 SYSSUMLG Page 1\n", "blanks were squeezed"),
        ("FCX225    Run 08.05.13 07:11:42     SYSSUMLG    Page    1\n", "not understood"),
        (page() + "Userid\t%CPU\nQNSD01\t12.0\n", "holds tab characters"),
        ('"CP MONITOR SAMPLE INTERVAL 1 MIN"\n', "holds CP MONITOR commands"),
    ],
)
def test_refusals(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason) as refusal:
        read_listing(tmp_path, text)
    assert refusal.value.do


def test_a_damaged_page_heading_takes_its_rows_with_it(tmp_path: Path) -> None:
    text = (DATA / "listing.txt").read_text()
    reading, rows = read_listing(tmp_path, text.replace("1FCX304  Run", "1FCX304  R n"))
    assert [row["report"] for row in rows["perfkit_report"]] == ["FCX225", "FCX112"]
    assert reading.lines_not_understood == 15
