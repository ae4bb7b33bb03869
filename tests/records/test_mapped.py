"""Tables that no reader knows: run.yml says what their columns are."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from studybook import formats
from studybook.dataset.manifest import read_run
from studybook.errors import StudyBookError
from studybook.formats.mapped.conversion import conversion
from studybook.records import store
from studybook.records.load import load
from tests.conftest import REPOSITORY
from tests.support.kiosk import CSV, TABLE, WORDS, add_run, book

Ask = Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STUDYBOOK_HOME", str(tmp_path))
    return book(tmp_path)


def loaded(root: Path) -> Ask:
    load(data_set="mine")

    def ask(sql: str) -> list[tuple[Any, ...]]:
        with store.connect(root / "build/mine/study.duckdb") as connection:
            return connection.execute(sql).fetchall()

    return ask


def refusal(root: Path) -> str:
    with pytest.raises(StudyBookError) as caught:
        load(data_set="mine", strict=True)
    return str(caught.value)


METRICS = "SELECT metric, factors['label'], factors['host'], mean FROM metric ORDER BY ALL"


def test_a_csv_becomes_metrics_in_their_units(root: Path) -> None:
    add_run(root, {"till.csv": CSV}, f"  - path: till.csv\n{TABLE}")
    ask = loaded(root)
    found = ask(METRICS + "")
    assert [row for row in found if row[0] != "hosts"] == [
        ("queue_length", "paper", "till1", 4.0),
        ("serving_ms", "paper", "till1", 1000.0),
        ("serving_ms", "sweets", "till2", 2500.0),
    ]
    # Summer time in Berlin
    assert ask("SELECT min(time_utc)::VARCHAR FROM mapped_value") == [("2024-06-14 10:00:00",)]
    assert ask("SELECT lines_in_records, lines_in_headings FROM raw_file") == [(3, 1)]
    remarks = "\n".join(text for (text,) in ask("SELECT text FROM remark"))
    assert "weather" in remarks
    assert "queue is empty in 1 rows" in remarks
    ((coverage,),) = ask("SELECT count(*) FROM mapped_coverage WHERE host = 'till1'")
    assert coverage == 1


@pytest.mark.parametrize("kind", ["csv", "json", "parquet"])
def test_a_file_may_lack_a_column_that_is_optional(root: Path, kind: str) -> None:
    """As one does that was written before the column was thought of."""
    rows = [{"at": 1718366400 + n, "took": 100.0 + n, "waiting": n} for n in range(60)]
    old = [{name: row[name] for name in ("at", "took")} for row in rows]
    table = """\
    table:
      time: at
      time_format: unix
      metrics:
        - {column: took, name: serving_ms, unit: ms}
        - {column: waiting, name: queue_length, optional: true}
"""
    for run, content in (("new", rows), ("old", old)):
        add_run(root, {f"till.{kind}": _written(content, kind)}, f"  - path: '*'\n{table}", run)
    ask = loaded(root)
    assert ask("SELECT run_id, metric, mean FROM metric WHERE metric <> 'hosts' ORDER BY ALL") == [
        ("kiosk/new", "queue_length", 29.5),
        ("kiosk/new", "serving_ms", 129.5),
        ("kiosk/old", "serving_ms", 129.5),
    ]
    said = "there is no column 'waiting', which is optional"
    assert ask(
        f"SELECT run_id FROM remark JOIN raw_file USING (file_id) WHERE text = $${said}$$"
    ) == [("kiosk/old",)]


def test_what_is_not_said_to_be_optional_is_refused_with_how_to_say_it(root: Path) -> None:
    content = CSV.replace(";queue;", ";length;")
    add_run(root, {"till.csv": content}, f"  - path: till.csv\n{TABLE}")
    told = refusal(root)
    assert "has no column 'queue'" in told
    assert "say optional: true of its metric" in told


def test_decimal_commas_are_refused_with_how_to_say_them(root: Path) -> None:
    said = TABLE.replace("decimal: ','", "decimal: '.'").replace('decimal: ","', "decimal: '.'")
    assert said != TABLE
    add_run(root, {"till.csv": CSV}, f"  - path: till.csv\n{said}")
    assert "if its comma is the decimal sign, say decimal: ','" in refusal(root)


def _written(rows: list[dict[str, Any]], kind: str) -> bytes:
    if kind == "parquet":
        return _parquet(rows)
    if kind == "json":
        return json.dumps(rows).encode()
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    return "\n".join([*lines, ""]).encode()


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), stream)
    return stream.getvalue()


ROWS = [
    {"at": 1718366400 + second, "of": {"goods": "paper"}, "took": 100.0 + second}
    for second in range(60)
]


WRITTEN: dict[str, str | bytes] = {
    "a.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
    "b.json": json.dumps(ROWS, indent=1),
    "c.json": json.dumps(ROWS),
    "d.parquet": _parquet([{"at": r["at"], "of.goods": "paper", "took": r["took"]} for r in ROWS]),
    "e.csv": "at,of.goods,took\n" + "".join(f"{r['at']},paper,{r['took']}\n" for r in ROWS),
}


def test_the_same_table_is_the_same_however_it_is_written(root: Path) -> None:
    for name, content in WRITTEN.items():
        table = (
            f"  - path: {name}\n    host: till1\n    table:\n      time: at\n"
            "      time_format: unix\n      label: of.goods\n      metrics:\n"
            "        - {column: took, name: serving_ms, unit: ms}\n"
        )
        add_run(root, {name: content}, table, run=name[0])
    ask = loaded(root)
    found = "SELECT mean, factors['host'], factors['label'] FROM metric WHERE metric = 'serving_ms'"
    assert ask(found) == [(129.5, "till1", "paper")] * len(WRITTEN)
    assert ask("SELECT DISTINCT min(time_utc)::VARCHAR FROM mapped_value GROUP BY file_id") == [
        ("2024-06-14 12:00:00",)
    ]
    # Parts of the run, by which it is judged alone
    batches = ask("SELECT count(*), sum(values)::INTEGER FROM metric_batch GROUP BY run_id")
    assert batches == [(20, 60)] * len(WRITTEN)
    assert ask("SELECT sum(lines_not_understood)::INTEGER FROM raw_file") == [(0,)]


def test_own_metrics_are_among_the_main_numbers(root: Path) -> None:
    add_run(root, {"till.csv": CSV}, f"  - path: till.csv\n{TABLE}")
    one_host = CSV.replace("till2", "till1").replace("sweets", "paper")
    add_run(root, {"till.csv": one_host}, f"  - path: till.csv\n{TABLE}", run="tuesday")
    many = "".join(f"14.06.2024 12:00:01;till{n};paper;0,5;3;\n" for n in range(13))
    add_run(root, {"till.csv": CSV + many}, f"  - path: till.csv\n{TABLE}", run="wednesday")
    ask = loaded(root)
    assert ask("SELECT run_id, metric, part, value FROM main_metric ORDER BY ALL") == [
        ("kiosk/monday", "queue_length", "till1, paper", 4.0),
        ("kiosk/monday", "serving_ms", "till1, paper", 1000.0),
        ("kiosk/monday", "serving_ms", "till2, sweets", 2500.0),
        # What tells nothing apart is not said; of more than twelve none has a line.
        ("kiosk/tuesday", "queue_length", "", 4.0),
        ("kiosk/tuesday", "serving_ms", "", 1500.0),
    ]


#: Summer time in Berlin: noon there is 10:00 UTC.
NOON = 1718359200


@pytest.mark.parametrize(
    ("phase", "marks", "seconds", "right"),
    [
        # A row a second; the value of that at second n is 2 ** n. Six seconds are six rows.
        ("from_s: 5, to_s: 11", "end", range(30), range(6, 12)),
        ("from_s: 5, to_s: 11", "begin", range(30), range(5, 11)),
        # The run as a whole, said and not said: no row of it is lost.
        ("from_s: 0, to_s: 30", "end", range(1, 31), range(1, 31)),
        ("from_s: 0, to_s: 30", "end", range(30), range(30)),
        ("from_s: 0, to_s: 30", "begin", range(30), range(30)),
        (None, "end", range(30), range(30)),
        (None, "begin", range(30), range(30)),
        # A table that began before the run: the row at its start is of the time before it.
        ("from_s: 0, to_s: 10", "end", range(-5, 30), range(1, 11)),
        ("from_s: 0, to_s: 10", "begin", range(-5, 30), range(10)),
        # A phase that begins later than the run and with the first row says so.
        ("from_s: 5, to_s: 11", "end", range(5, 30), range(6, 12)),
    ],
)
def test_of_two_rows_at_the_edges_of_the_phase_one_counts(
    root: Path, phase: str | None, marks: str, seconds: range, right: range
) -> None:
    rows = "".join(f"{NOON + each},{2.0**each},{each}\n" for each in seconds)
    listed = (
        "  - path: till.csv\n    table:\n      time: at\n      time_format: unix\n"
        f"      time_marks: {marks}\n      metrics:\n"
        "        - {column: sold, name: queue_length, statistic: sum}\n"
        "        - {column: took, name: serving_ms, unit: ms}\n"
        "start: '2024-06-14T12:00:00'\n"
    )
    listed += f"stable_phase: {{{phase}}}\n" if phase else ""
    add_run(root, {"till.csv": f"at,sold,took\n{rows}"}, listed)
    ask = loaded(root)
    found = ask("SELECT metric, value, values FROM mapped_metric ORDER BY metric")
    mean = sum(right) / len(right)
    assert found == [
        ("queue_length", sum(2.0**each for each in right), len(right)),
        ("serving_ms", mean, len(right)),
    ]
    # Batches are of the same rows, where there are enough for ten.
    if len(right) == 30:
        assert ask("SELECT sum(values * value) / sum(values) FROM metric_batch") == [(mean,)]


def test_the_part_that_counts_is_said_once_for_all_runs_of_a_study(root: Path) -> None:
    path = root / "pipelines/kiosk/study.yml"
    said = "stable_phase: {from_s: 10, to_s: 20}\n"
    path.write_text(said + path.read_text(encoding="utf-8"), encoding="utf-8")
    listed = (
        "  - path: till.csv\n    table:\n      time: at\n      time_format: unix\n"
        "      metrics:\n        - {column: took, name: serving_ms, unit: ms}\n"
    )
    counted = listed.replace("serving_ms, unit: ms", "metadata_per_s, per_interval: true")
    # Without a start its seconds are since the first row, though of counts that one has no value.
    for run, files in (
        ("counts", counted), ("early", listed),
        ("late", f"{listed}stable_phase: {{from_s: 20, to_s: 30}}\n"),
    ):  # fmt: skip
        rows = "".join(f"{NOON + each},{each}\n" for each in range(0, 40, 2))
        add_run(root, {"till.csv": f"at,took\n{rows}"}, files, run=run)
    ask = loaded(root)
    found = ask(
        "SELECT run, method, from_s, to_s, value"
        " FROM stable_phase JOIN mapped_metric USING (run_id) ORDER BY run"
    )
    assert found == [
        ("counts", "study.yml", 10, 20, 8),
        ("early", "study.yml", 10, 20, 16),
        ("late", "run.yml", 20, 30, 26),
    ]
    # What is said later is loaded, and so is that it is said no more.
    of_early = "SELECT method, value FROM stable_phase JOIN mapped_metric USING (run_id)"
    of_early += " WHERE run = 'early'"
    words = path.read_text(encoding="utf-8").removeprefix(said)
    path.write_text(said.replace("20", "14") + words, encoding="utf-8")
    assert loaded(root)(of_early) == [("study.yml", 13)]
    path.write_text(words, encoding="utf-8")
    assert loaded(root)(of_early) == [("whole run", 19)]


def test_all_rows_of_a_file_may_be_of_one_thing(root: Path) -> None:
    rows = "".join(f"{NOON + each},{each}\n" for each in range(0, 40, 2))
    listed = "".join(
        f"  - path: {name}.csv\n    table:\n      time: at\n      time_format: unix\n"
        f"      rows_are: generator {name}\n"
        "      metrics:\n        - {column: took, name: serving_ms, unit: ms}\n"
        for name in ("a", "b")
    )
    add_run(root, {"a.csv": f"at,took\n{rows}", "b.csv": f"at,took\n{rows}\n"}, listed)
    found = loaded(root)("SELECT own['label'], value, values FROM mapped_metric ORDER BY ALL")
    assert found == [("generator a", 19, 20), ("generator b", 19, 20)]
    add_run(
        root,
        {"a.csv": f"at,took\n{rows}"},
        listed.replace("rows_are", "label: took\n      rows_are"),
    )
    assert "a column says what rows are of, and rows_are what all are of" in refusal(root)


def test_of_tables_that_begin_at_other_times_none_is_the_start(root: Path) -> None:
    path = root / "pipelines/kiosk/study.yml"
    words = path.read_text(encoding="utf-8").replace(
        "roles:\n", "roles:\n  driver: {meaning: queues, is: load-driver}\n"
    )
    path.write_text("stable_phase: {from_s: 10, to_s: 20}\n" + words, encoding="utf-8")

    def listed(name: str, host: str = "") -> str:
        return (
            f"  - path: {name}.csv\n{host}    table:\n      time: at\n      time_format: unix\n"
            "      metrics:\n        - {column: took, name: serving_ms, unit: ms}\n"
        )

    def rows(first: int) -> str:
        return "at,took\n" + "".join(f"{NOON + each},5\n" for each in range(first, 40, 2))

    files = {"till.csv": rows(0), "watch.csv": rows(-200)}
    of_host = {"till.csv": rows(0)}
    add_run(
        root, files, "".join(listed(name.removesuffix(".csv")) for name in files), run="unclear"
    )
    for run, role in (("of-a-host", "till"), ("driven", "driver")):
        folder = add_run(root, of_host, listed("till", "    host: till1\n"), run=run)
        manifest = (folder / "run.yml").read_text(encoding="utf-8")
        manifest = manifest.replace("role: till", f"role: {role}")
        (folder / "run.yml").write_text(manifest, encoding="utf-8")
    found = loaded(root)("SELECT run, method FROM stable_phase ORDER BY run")
    assert found == [("driven", "study.yml"), ("of-a-host", "whole run"), ("unclear", "whole run")]


def counters(root: Path, rows: str, metrics: str) -> Ask:
    """Load a table of running totals, from noon on; the stable phase are its first 20 s."""
    words = (root / "pipelines/kiosk/study.yml").read_text(encoding="utf-8")
    more = (
        "  sold_per_s: {label: Sold, unit: 1/s, decimals: 1}\n"
        "  till_percent: {label: Till, unit: '%', decimals: 1}\n"
    )
    (root / "pipelines/kiosk/study.yml").write_text(words + more, encoding="utf-8")
    listed = (
        "  - path: till.csv\n    table:\n      time: at\n      time_format: unix\n"
        f"      label: till\n      metrics:\n{metrics}"
        "start: '2024-06-14T12:00:00'\nstable_phase: {from_s: 0, to_s: 20}\n"
    )
    add_run(root, {"till.csv": f"at,till,sold,busy_us\n{rows}"}, listed)
    return loaded(root)


SOLD = "        - {column: sold, name: sold_per_s, counter: true}\n"
BUSY = "        - {column: busy_us, name: till_percent, unit: us, counter: true}\n"


def test_of_running_totals_their_growth_per_second_is_the_metric(root: Path) -> None:
    # Rows of both tills by turns, at unequal distances, and one behind the phase.
    rows = [(0, 0), (5, 50), (15, 50), (20, 80), (30, 9_000)]
    text = "".join(
        f"{NOON + second},{till},{times * sold + 700},{times * second * 250_000}\n"
        for second, sold in rows
        for till, times in (("a", 1), ("b", 2))
    )
    ask = counters(root, text, SOLD + BUSY)
    found = ask("SELECT metric, own['label'], value, values FROM mapped_metric ORDER BY ALL")
    # Each by the time that it took: 80 in 20 s.
    assert found == [
        ("sold_per_s", "a", pytest.approx(4), 3),
        ("sold_per_s", "b", pytest.approx(8), 3),
        ("till_percent", "a", pytest.approx(25), 3),
        ("till_percent", "b", pytest.approx(50), 3),
    ]
    assert ask("SELECT count(*) FROM run_event") == [(0,)]


def test_rows_of_one_time_lose_nothing_of_a_running_total(root: Path) -> None:
    rows = [(at, 100 * at) for at in range(21)]
    twice = "".join(f"{NOON + at},a,{n + more},0\n" for at, n in rows for more in (0, 50))
    ask = counters(root, twice, SOLD)
    assert ask("SELECT value, values FROM mapped_metric") == [(pytest.approx(100), 20)]


def test_a_running_total_that_fell_is_named_and_has_no_growth(root: Path) -> None:
    text = "".join(f"{NOON + at},a,{sold},0\n" for at, sold in ((0, 90), (10, 100), (20, 3)))
    ask = counters(root, text, SOLD)
    assert ask("SELECT value, values FROM mapped_metric") == [(1, 1)]
    assert ask("SELECT kind, text, time_utc::VARCHAR FROM run_event") == [
        ("counter reset", "sold, a, line 4", "2024-06-14 10:00:20")
    ]


@pytest.mark.parametrize("back", [(930, 940), (0, 940), (905, 915)])
def test_a_running_total_that_is_back_where_it_was_has_not_grown_by_all_of_it(
    root: Path, back: tuple[int, ...]
) -> None:
    # As where rows could not be read, and say 0.
    text = "".join(
        f"{NOON + 5 * at},a,{total},0\n" for at, total in enumerate((900, 910, 0, *back))
    )
    ask = counters(root, text, SOLD)
    ((value,),) = ask("SELECT max(value) FROM mapped_sample")
    assert value == 2
    assert ask("SELECT kind, text FROM run_event") == [("counter reset", "sold, a, line 4")]


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        ("{column: sold, name: serving_ms, counter: true}", "the growth per second of plain"),
        ("{column: sold, name: sold_per_s, counter: true, statistic: sum}", "rates have no sum"),
        ("{column: sold, name: serving_ms, per_interval: true}", "of plain numbers per second: "),
        ("{column: sold, name: sold_per_s, per_interval: true, statistic: sum}", "per_interval: r"),
        ("{column: sold, name: sold_per_s, per_interval: true, counter: true}", "keep counter, if"),
        (
            "{column: sold, name: sold_per_s}",
            "say counter: true where .* totals, per_interval: true where .*; or name the unit of"
            " the numbers in the file, such as: 1/s, requests/min; or end",
        ),
        ("{column: sold, name: till_percent, unit: ms}", "say counter: .* such as: %, share; or"),
        ("{column: sold, name: serving_ms, unit: MB}", "ms\n  → name the unit .* such as: ns, us"),
    ],
)
def test_a_rate_that_cannot_be_one_is_refused(root: Path, mapping: str, said: str) -> None:
    with pytest.raises(StudyBookError, match=said):
        counters(root, f"{NOON},a,1,1\n", f"        - {mapping}\n")


def test_a_rate_needs_times(root: Path) -> None:
    for metric, what in ((SOLD, "counter"), (COUNTED, "count per interval")):
        listed = f"  - path: till.csv\n    table:\n      metrics:\n{metric}"
        add_run(root, {"till.csv": "sold\n1\n"}, listed)
        assert f"sold_per_s is a {what}, and the table has no times" in refusal(root)


COUNTED = "        - {column: sold, name: sold_per_s, per_interval: true}\n"


@pytest.mark.parametrize(
    ("marks", "a", "lacks"),
    [
        # Of rows at 0, 5, 15 and 20 s, and one behind the phase.
        ("end", (50 + 200 + 150) / 20, "of sold the first row has no rate: there is none before"),
        ("begin", (700 + 50 + 200) / 20, "of sold the last row has no rate: there is none behind"),
    ],
)
def test_what_is_counted_per_interval_is_divided_by_it(
    root: Path, marks: str, a: float, lacks: str
) -> None:
    rows = [(0, 700), (5, 50), (15, 200), (20, 150), (30, 9_000)]
    text = "".join(
        f"{NOON + second},{till},{times * sold},0\n"
        for second, sold in rows
        for till, times in (("a", 1), ("b", 2))
    )
    ask = counters(root, text, f"{COUNTED}      time_marks: {marks}\n")
    assert ask("SELECT own['label'], value, values FROM mapped_metric ORDER BY ALL") == [
        ("a", pytest.approx(a), 3),
        ("b", pytest.approx(2 * a), 3),
    ]
    assert [text for (text,) in ask("SELECT text FROM remark") if text.startswith(lacks)]


def test_rows_of_one_time_count_together(root: Path) -> None:
    """Of rows a little less than a second apart, by a clock of whole seconds."""
    at = [0, 1, 2, 2, 4, 5, 6, 7, 8, 9, 9, 11]
    text = "".join(f"{NOON + second},a,10,0\n" for second in at)
    ask = counters(root, text, COUNTED)
    assert ask("SELECT value, values FROM mapped_metric") == [(pytest.approx(10), 9)]
    assert ask("SELECT count(*) FROM run_event") == [(0,)]


def test_a_count_after_a_gap_has_no_rate_and_is_named(root: Path) -> None:
    text = "".join(f"{NOON + at},a,30,0\n" for at in range(21) if at not in (7, 8))
    ask = counters(root, text, COUNTED)
    assert ask("SELECT value, values FROM mapped_metric") == [(30, 17)]
    assert ask("SELECT kind, text, time_utc::VARCHAR FROM run_event") == [
        ("count after a gap", "sold, a, line 9", "2024-06-14 10:00:09")
    ]


def test_a_log_at_no_usual_interval_loses_no_count(root: Path) -> None:
    text = "".join(f"{NOON + at},a,{10 * at},0\n" for at in (0, 1, 2, 4, 5, 9, 10, 15, 16, 20))
    ask = counters(root, text, COUNTED)
    assert ask("SELECT value, values FROM mapped_metric") == [(pytest.approx(820 / 20), 9)]


BARE = """\
# rows of a till, of "one" day
# no header
2024-06-14 12:00:00   till1 0.5\t3
2024-06-14 12:00:01 till1  1.5 4
"2024-06-14" 12:00:02 "till2" 2.5 5
"""
BARE_TABLE = """\
    table:
      skip: 2
      header: [day, clock, till, seconds, queue]
      time: [day, clock]
      host: till
      delimiter: " "
      metrics:
        - {column: seconds, name: serving_ms, unit: s}
        - {column: queue, name: queue_length, statistic: max}
"""


def test_a_table_without_header_whose_cells_are_parted_by_blanks(root: Path) -> None:
    add_run(root, {"till.txt": BARE}, f"  - path: till.txt\n{BARE_TABLE}")
    ask = loaded(root)
    assert [row for row in ask(METRICS) if row[0] != "hosts"] == [
        ("queue_length", None, "till1", 4.0),
        ("queue_length", None, "till2", 5.0),
        ("serving_ms", None, "till1", 1000.0),
        ("serving_ms", None, "till2", 2500.0),
    ]
    assert ask("SELECT DISTINCT time_utc::VARCHAR FROM mapped_value ORDER BY 1") == [
        (f"2024-06-14 10:00:0{second}",) for second in range(3)
    ]
    assert ask("SELECT lines_in_records, lines_in_headings FROM raw_file") == [(3, 2)]


def test_a_header_that_stands_there_again_is_a_heading(root: Path) -> None:
    header, *rows = CSV.splitlines(keepends=True)
    twice = "".join([header, *rows[:2], header, *rows[2:]])
    add_run(root, {"till.csv": twice}, f"  - path: till.csv\n{TABLE}")
    ask = loaded(root)
    assert ask("SELECT lines_in_records, lines_in_headings FROM raw_file") == [(3, 2)]
    assert ask("SELECT count(*) FROM mapped_value WHERE metric = 'serving_ms'") == [(3,)]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("skip: 2", "skip: -1", ["skip", "0"]),
        ("till, seconds", "seconds", ["header", "'till'", "is not among"]),
        ("[day, clock, till", "[day, clock, till, till", ["'till'", "twice"]),
        ("[day, clock]", "[day, o'clock]", ['"o\'clock"']),
        ('delimiter: " "', "delimiter: '\\t'", ["delimiter"]),
    ],
)
def test_a_wrong_mapping_of_a_bare_table_is_refused(
    root: Path, before: str, after: str, said: list[str]
) -> None:
    assert before in BARE_TABLE
    mapping = BARE_TABLE.replace(before, after)
    add_run(root, {"till.txt": BARE}, f"  - path: till.txt\n{mapping}")
    told = refusal(root)
    assert [word for word in said if word not in told] == [], told


def test_a_long_table(root: Path) -> None:
    text = "what,number,unit\nlatency,2,s\nserved,120,customers/min\nnoise,9,dB\n"
    table = (
        "  - path: long.csv\n    table:\n      names: what\n      values: number\n"
        "      units: unit\n      metrics:\n"
        "        - {column: latency, name: serving_ms, unit: s}\n"
        "        - {column: served, name: served_per_s, unit: customers/min}\n"
    )
    folder = add_run(root, {"long.csv": text}, table)
    ask = loaded(root)
    found = "SELECT metric, mean FROM metric WHERE from_model = 'mapped_metric' ORDER BY ALL"
    assert ask(found) == [("served_per_s", 2.0), ("serving_ms", 2000.0)]
    assert any("noise" in text for (text,) in ask("SELECT text FROM remark"))
    # A number in another unit than the run says is not taken.
    (folder / "long.csv").write_text(text + "latency,2000,ms\n", encoding="utf-8")
    assert loaded(root)(found) == [("served_per_s", 2.0), ("serving_ms", 2000.0)]
    assert ask("SELECT line FROM line_not_understood") == [(5,)]


#: As harnesses of benchmarks write it: rows within a document, each with a unit of its own.
DOCUMENT = {
    "day": "2024-06-14T12:00:00",
    "tills": [
        {"name": "till1", "goods": [
            {"what": "paper", "took": [500, 1500], "unit": "ms", "queue": {"most": 4}},
            {"what": "ink", "took": [2.5], "unit": "s", "queue": {"most": 2}},
        ]},
        {"name": "till2", "goods": []},
        {"name": "till3", "closed": True},
    ],
}  # fmt: skip

ROWS = """\
  - path: day.json
    table:
      rows: {rows}
      host: tills.name
      label: {label}
      metrics:
        - {{column: {column}, name: serving_ms, units: tills.goods.unit}}
"""


def test_rows_within_a_document_have_what_is_around_them(root: Path) -> None:
    took = ROWS.format(rows="tills.goods.took", label="tills.goods.what", column="tills.goods.took")
    folder = add_run(root, {"day.json": json.dumps(DOCUMENT, indent=1)}, took)
    ask = loaded(root)
    assert [row for row in ask(METRICS) if row[0] != "hosts"] == [
        ("serving_ms", "ink", "till1", 2500.0),
        ("serving_ms", "paper", "till1", 1000.0),
    ]
    assert ask("SELECT value, file_unit FROM mapped_value ORDER BY ALL") == [
        (500.0, "ms"), (1500.0, "ms"), (2500.0, "s"),
    ]  # fmt: skip
    assert any(
        text == "1 object without 'tills.goods.took'" for (text,) in ask("SELECT text FROM remark")
    )
    # A unit that is none of times: the row is not read, the others are.
    document = json.dumps(DOCUMENT).replace('"s"', '"KiB"')
    (folder / "day.json").write_text(document, encoding="utf-8")
    assert loaded(root)("SELECT count(*) FROM mapped_value") == [(2,)]
    assert any("is in KiB" in text for (text,) in ask("SELECT text FROM remark"))


def test_members_of_an_object_are_rows_where_a_star_says_so(root: Path) -> None:
    document = {"tills": {"till1": {"took": 0.5}, "till2": {"took": 2.5}}}
    table = (
        "  - path: day.json\n    table:\n      rows: tills.*\n      host: tills.*\n"
        "      metrics:\n        - {column: tills.*.took, name: serving_ms, unit: s}\n"
    )
    add_run(root, {"day.json": json.dumps(document)}, table)
    assert [row for row in loaded(root)(METRICS) if row[0] != "hosts"] == [
        ("serving_ms", None, "till1", 500.0),
        ("serving_ms", None, "till2", 2500.0),
    ]


def test_numbers_that_a_star_finds_have_their_keys_beside_them(root: Path) -> None:
    table = (
        "  - path: day.json\n    table:\n      rows: took.*\n      label: took.*\n"
        "      metrics:\n        - {column: took.*.value, name: serving_ms}\n"
    ).replace("serving_ms}", "serving_ms, unit: ms}")
    add_run(root, {"day.json": json.dumps({"took": {"paper": 5, "ink": 3}})}, table)
    assert loaded(root)("SELECT label, value FROM mapped_value ORDER BY ALL") == [
        ("ink", 3.0), ("paper", 5.0),
    ]  # fmt: skip


def test_rows_that_are_not_read_are_counted_and_most_of_them_are_too_many(root: Path) -> None:
    rows = [{"took": 1, "unit": "s"}] * 6 + [{"took": 1, "unit": "parsecs"}] * 5
    table = (
        "  - path: day.json\n    table:\n      rows: sold\n"
        "      metrics:\n        - {column: sold.took, name: serving_ms, units: sold.unit}\n"
    )
    folder = add_run(root, {"day.json": json.dumps({"sold": rows})}, table)
    assert ("5 of 11 rows are not read",) in loaded(root)("SELECT text FROM remark")
    (folder / "day.json").write_text(json.dumps({"sold": rows[5:]}), encoding="utf-8")
    assert "has 5 rows of 6 that cannot be read" in refusal(root)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"tills": []}, "has an array at 'tills', and nothing in it"),
        ({"tills": [{"a.b": 1, "a": {"b": 2}}]}, "two members 'tills.a.b'"),
        ({"tills": [{"a": {"b": [1]}}]}, "is an array"),
    ],
)
def test_documents_that_say_nothing_certain_are_refused(
    root: Path, document: object, said: str
) -> None:
    table = (
        "  - path: day.json\n    table:\n      rows: tills\n"
        "      metrics:\n        - {column: tills.a.b, name: serving_ms, unit: s}\n"
    )
    add_run(root, {"day.json": json.dumps(document)}, table)
    assert said in refusal(root)


def test_what_stands_around_rows_is_no_value_of_them(root: Path) -> None:
    mapping = ROWS.format(rows="tills.goods.took", label="tills.name", column="tills.goods.queue")
    add_run(root, {"day.json": json.dumps(DOCUMENT)}, mapping)
    assert "does not stand in tills.goods.took" in refusal(root)


def test_rows_that_others_are_made_of_can_be_left_aside(root: Path) -> None:
    where = TABLE.replace("      metrics:", "      where: {weather: [rain, snow]}\n      metrics:")
    add_run(root, {"till.csv": CSV}, f"  - path: till.csv\n{where}")
    ask = loaded(root)
    assert ask("SELECT DISTINCT host FROM mapped_value") == [("till1",)]
    assert ("1 row left aside by where",) in ask("SELECT text FROM remark")
    assert ask("SELECT lines_in_records, lines_in_headings FROM raw_file") == [(2, 2)]


def test_several_columns_tell_apart_together(root: Path) -> None:
    table = TABLE.replace("label: goods", "label: [goods, weather]")
    add_run(root, {"till.csv": CSV.replace("4;rain", "4;")}, f"  - path: till.csv\n{table}")
    labels = loaded(root)("SELECT label FROM mapped_value ORDER BY line, metric")
    assert labels == [("paper, rain",)] * 2 + [("paper, –",)] * 2 + [("sweets, sun",)]


@pytest.mark.parametrize(
    ("rows", "column", "said"),
    [
        ("tills.good", "tills.good.took", ["day.json", "'tills.good'", "tills.goods?"]),
        ("tills.goods", "tills.goods.took", ["is an array", "rows: tills.goods.took"]),
        ("tills.goods", "tills.goods.tok", ["'tills.goods.tok'", "tills.goods.took?"]),
    ],
)
def test_rows_that_are_not_there_are_refused(
    root: Path, rows: str, column: str, said: list[str]
) -> None:
    mapping = ROWS.format(rows=rows, label="tills.goods.what", column=column)
    add_run(root, {"day.json": json.dumps(DOCUMENT)}, mapping)
    told = refusal(root)
    assert [word for word in said if word not in told] == [], told


OF_STUDY = WORDS + "tables:\n  - path: [till-*.csv, other.csv]\n" + TABLE


def test_a_table_that_the_study_knows_needs_no_words_in_its_runs(root: Path) -> None:
    (root / "pipelines/kiosk/study.yml").write_text(OF_STUDY, encoding="utf-8")
    add_run(root, {"till-1.csv": CSV}, "  - path: till-1.csv\n")
    folder = add_run(root, {"till-2.csv": CSV}, "  - path: till-2.csv\n", run="tuesday")
    ask = loaded(root)
    means = "SELECT run_id, mean FROM metric WHERE metric = 'serving_ms' ORDER BY ALL"
    assert ask(means) == [
        (f"kiosk/{run}", mean) for run in ("monday", "tuesday") for mean in (1000.0, 2500.0)
    ]
    # What a run says of its file counts there.
    files = "files:\n  - path: till-2.csv\n"
    own = (folder / "run.yml").read_text(encoding="utf-8")
    (folder / "run.yml").write_text(
        own.replace(files, files + TABLE.replace("unit: s}", "unit: ms}")), encoding="utf-8"
    )
    assert [mean for _, mean in loaded(root)(means)] == [1000.0, 2500.0, 1.0, 2.5]


def test_a_file_that_a_reader_knows_is_no_table_of_the_study(root: Path) -> None:
    words = OF_STUDY.replace("other.csv", "'*'")
    (root / "pipelines/kiosk/study.yml").write_text(words, encoding="utf-8")
    known = (REPOSITORY / "tests/data/fio/fio-3.json").read_text(encoding="utf-8")
    add_run(root, {"fio.json": known}, "  - path: fio.json\n")
    assert loaded(root)("SELECT format FROM raw_file") == [("fio",)]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("name: serving_ms", "name: waiting_ms", ["metrics.0.name", "add to metrics:"]),
        ("[till-*.csv, other.csv]", "out/*.csv", ["tables.0.path", "'*.csv'"]),
        ("      time: when\n", "      time: when\n      time_zone: Europe/Berln\n", ["Berlin"]),
    ],
)  # fmt: skip
def test_a_wrong_table_of_a_study_is_refused(
    root: Path, before: str, after: str, said: list[str]
) -> None:
    assert before in OF_STUDY
    words = OF_STUDY.replace(before, after)
    (root / "pipelines/kiosk/study.yml").write_text(words, encoding="utf-8")
    add_run(root, {"till-1.csv": CSV}, "  - path: till-1.csv\n")
    told = refusal(root)
    assert [word for word in ("study.yml, line", *said) if word not in told] == [], told


def test_what_a_study_accepts_is_accepted_of_each_run(root: Path) -> None:
    words = OF_STUDY + "accepted:\n  - {check: gaps, because: clerks have a break}\n"
    (root / "pipelines/kiosk/study.yml").write_text(words, encoding="utf-8")
    add_run(root, {"till-1.csv": CSV}, "  - path: till-1.csv\naccepted:\n"
            "  - {check: twice, subject: till-1.csv, because: it is one till}\n")  # fmt: skip
    assert loaded(root)("SELECT * EXCLUDE run_id FROM accepted ORDER BY ALL") == [
        ("gaps", "*", "clerks have a break", True),
        ("twice", "till-1.csv", "it is one till", False),
    ]


def test_a_host_that_is_named_beside_a_column_of_hosts_is_refused(root: Path) -> None:
    (root / "pipelines/kiosk/study.yml").write_text(OF_STUDY, encoding="utf-8")
    add_run(root, {"till-1.csv": CSV}, "  - {path: till-1.csv, host: till1}\n")
    assert "take one of them out" in refusal(root)


def test_one_statistic_is_that_of_the_study_and_of_its_runs(root: Path) -> None:
    (root / "pipelines/kiosk/study.yml").write_text(OF_STUDY, encoding="utf-8")
    other = TABLE.replace("statistic: max", "statistic: p95")
    add_run(root, {"till.csv": CSV}, f"  - path: till.csv\n{other}")
    told = refusal(root)
    assert "queue_length is the p95" in told
    assert "study.yml the max" in told


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("0,5;3", "half;3", 2),
        ("0,5;3", "0.5;3", 2),
        ("0,5;3", "1.000,5;3", 2),
        ("14.06.2024 12:00:01", "2024-06-14 12:00:01", 3),
        ("14.06.2024 12:00:01", "", 3),
        ("14.06.2024 12:00:01", "31.03.2024 02:30:00", 3),  # the clock is set forward
        ("1,5;4;rain", "1,5;4", 3),
        ("1,5;4", "inf;4", 3),
    ],
)
def test_a_row_with_a_wrong_cell_is_counted_with_its_line(
    root: Path, before: str, after: str, line: int
) -> None:
    assert before in CSV
    folder = add_run(root, {"till.csv": CSV.replace(before, after)}, f"  - path: till.csv\n{TABLE}")
    run = read_run(folder / "run.yml")
    rows: list[dict[str, Any]] = []
    _, reading = formats.read(
        folder / "till.csv", lambda _table, some: rows.extend(some.to_pylist()),
        run.hints(run.files[0]), formats.named("mapped-csv"),
    )  # fmt: skip
    assert [number for number, _ in reading.not_understood] == [line]
    assert [n for n, text in reading.remarks if "not read" in text] == [line]
    assert {row["line"] for row in rows} == {2, 3, 4} - {line}
    assert (reading.lines_in_records, reading.lines_in_headings) == (2, 1)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("column: seconds", "column: second", ["till.csv", "'second'", "seconds?"]),
        ("unit: s}", "unit: KiB}", ["line 17", "serving_ms", "KiB", "ms"]),
        ("unit: s}", "unit: parsecs}", ["serving_ms", "parsecs"]),
        ("serving_ms", "serving_time", ["serving_time", "ends with no unit"]),
        ("serving_ms", "waiting_ms", ["line 7", "waiting_ms is not a metric", "study.yml", "ms"]),
        ("%d.%m.%Y %H:%M:%S", "%H:%M:%S", ["time_format", "day, month and year"]),
        ("%d.%m.%Y %H:%M:%S", "excel", ["time_format", "unix-ms"]),
        ("statistic: max", "statistic: most", ["statistic", "p95"]),
        ("delimiter: \";\"", "delimiter: \",\"", ["decimal and delimiter"]),
    ],
)  # fmt: skip
def test_a_wrong_mapping_is_refused(root: Path, before: str, after: str, said: list[str]) -> None:
    assert before in TABLE
    add_run(root, {"till.csv": CSV}, f"  - path: till.csv\n{TABLE.replace(before, after)}")
    told = refusal(root)
    assert [word for word in said if word not in told] == [], told


@pytest.mark.parametrize(
    ("name", "unit", "label"),
    [("drift_mm", "mm", "Drift"), ("tugs_per_min", "tugs/min", "Tugs per min"),
     ("warmth_c", "°C", "Warmth")],
)  # fmt: skip
def test_a_unit_that_only_the_study_knows_ends_a_name(
    root: Path, name: str, unit: str, label: str
) -> None:
    table = f"    table: {{time: at, metrics: [{{column: v, name: {name}, unit: {unit}}}]}}\n"
    rows = "".join(f"2024-06-14 10:00:{n:02},{n}\n" for n in range(60))
    add_run(root, {"till.csv": f"at,v\n{rows}"}, f"  - path: till.csv\n{table}")
    offered = f'{name}: {{label: {label}, unit: "{unit}", better: neither, decimals: 1}}'
    assert offered in refusal(root)
    words = root / "pipelines/kiosk/study.yml"
    words.write_text(f"metrics:\n  {offered}\n", encoding="utf-8")
    assert loaded(root)("SELECT metric, mean FROM metric WHERE metric <> 'hosts'") == [(name, 29.5)]
    for other in ("pounds", unit.swapcase(), f"µ{unit}", ""):
        text = f"metrics:\n  {offered}\n".replace(f'"{unit}"', f'"{other}"')
        words.write_text(text, encoding="utf-8")
        assert f"and the file has it in {unit}" in refusal(root)


def test_a_metric_whose_name_says_another_unit_is_refused(root: Path) -> None:
    add_run(root, {"till.csv": CSV}, f"  - path: till.csv\n{TABLE}")
    for unit, told in (("unit: s", "in s,"), ("unit: ''", "in plain numbers,")):
        words = WORDS.replace("unit: ms", unit)
        (root / "pipelines/kiosk/study.yml").write_text(words, encoding="utf-8")
        said = refusal(root)
        assert f"serving_ms is {told} and its name says ms" in said
        assert 'unit: "ms" in study.yml' in said


def test_a_metric_with_the_name_of_a_model_is_refused(root: Path) -> None:
    words = WORDS.replace("queue_length", "throughput")
    (root / "pipelines/kiosk/study.yml").write_text(words, encoding="utf-8")
    table = TABLE.replace("queue_length", "throughput")
    add_run(root, {"till.csv": CSV}, f"  - path: till.csv\n{table}")
    told = refusal(root)
    assert f"{root}/pipelines/kiosk/study.yml, line " in told
    assert "metrics: throughput" in told
    assert "give the metric another name" in told


@pytest.mark.parametrize(
    "content", ["", "when;till\n", "\x00\x01", "PAR1 cut", "[1, 2]", '{"a": 1']
)
def test_what_is_no_such_table_is_refused(root: Path, content: str) -> None:
    add_run(root, {"till.csv": content}, f"  - path: till.csv\n{TABLE}")
    assert "till.csv" in refusal(root)


def test_one_metric_is_one_statistic_in_all_runs(root: Path) -> None:
    add_run(root, {"till.csv": CSV}, f"  - path: till.csv\n{TABLE}")
    other = TABLE.replace("statistic: max", "statistic: p95")
    add_run(root, {"till.csv": CSV}, f"  - path: till.csv\n{other}", run="tuesday")
    told = refusal(root)
    assert "queue_length is the p95" in told
    assert "monday" in told


def test_a_changed_mapping_is_loaded_anew(root: Path) -> None:
    folder = add_run(root, {"till.csv": CSV}, f"  - path: till.csv\n{TABLE}")
    loaded(root)
    manifest = folder / "run.yml"
    manifest.write_text(
        manifest.read_text().replace("name: serving_ms, unit: s", "name: serving_ms, unit: ms")
    )
    ask = loaded(root)
    assert ask("SELECT max(value) FROM mapped_value WHERE metric = 'serving_ms'") == [(2.5,)]


@pytest.mark.parametrize(
    ("unit", "to", "times"),
    [
        ("s", "ms", 1000), ("µs", "ms", 0.001), ("MB/s", "MiB/s", 1e6 / 2**20),
        ("Mbit/s", "MB/s", 0.125), ("requests/min", "1/s", 1 / 60), ("share", "%", 100),
        ("", "", 1), ("ms", "", None), ("", "ms", None), ("MB", "MB/s", None),
        ("pages/s", "packets/s", None), ("x", "ms", None),
    ],
)  # fmt: skip
def test_conversion(unit: str, to: str, times: float | None) -> None:
    assert conversion(unit, to) == (times if times is None else pytest.approx(times))
