"""Tables that no reader knows: the lines that would map them are offered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from studybook.formats.mapped.mapping import MappedMetric
from studybook.formats.raw import Head
from studybook.intake.offer import offered


@pytest.mark.parametrize(
    ("column", "name", "unit"),
    [
        ("Requests/s", "requests_per_s", "1/s"),
        ("calls per minute", "calls_per_s", "1/min"),
        ("rtt_min", "rtt_minimum", ""),
        ("Min", "minimum", ""),
        ("read KB/s", "read_mb_s", "kB/s"),
        ("read_kb_s", "read_mb_s", "kB/s"),
        ("net (Mb/s)", "net_mbit_s", "Mbit/s"),
        ("Gbps", "rate_mbit_s", "Gbit/s"),
        ("disk MB/s", "disk_mb_s", "MB/s"),
        ("MiB/s", "rate_mib_s", "MiB/s"),
        ("p95_s", "p95_s", "s"),
        ("latency (ms)", "latency_ms", "ms"),
        ("%cpu", "cpu_percent", "%"),
        ("CPU busy (%)", "cpu_busy_percent", "%"),
        ("95%", "value_95", ""),
        ("lat (ms,95%)", "lat_ms_95", ""),
    ],
)
def test_rates_in_the_header_of_a_table_are_not_offered_as_times_nor_bits_as_bytes(
    column: str, name: str, unit: str
) -> None:
    table = offered(Head(f'time,"{column}"\n2024-06-01T12:00:00Z,5\n'))
    assert table is not None
    (metric,) = table["metrics"]
    assert (metric["name"], metric.get("unit", "")) == (name, unit)
    assert MappedMetric(**metric).times_of(metric.get("unit", "")) is not None


def test_a_column_of_moments_is_offered_as_time_whatever_its_name() -> None:
    said = offered(Head("Zeit;Dauer\n2024-06-01 12:00;5\n2024-06-01 12:01;6\n"))
    assert said is not None
    assert said["time"] == "Zeit"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # As dstat writes its CSV: who made it, and groups of columns above those.
        ('"Dstat"\n"Host:","vm",,\n"system","cpu",,\n"epoch","usr","sys"\n'
         + "1718366400.5,1.0,2.0\n" * 4,
         {"skip": 3, "time": "epoch", "time_format": "unix", "of": ["usr", "sys"]}),
        # Two groups of the same names.
        ('"disk",,"net",\n"in","out","in","out"\n' + "1,2,3,4\n" * 3,
         {"skip": 2, "header": ["c1", "c2", "c3", "c4"], "of": ["c1", "c2", "c3", "c4"]}),
        # As pgbench logs intervals, and what has day and time of day in two columns.
        ("1718366400 185 753426\n1718366401 358 1998947\n",
         {"header": ["c1", "c2", "c3"], "time": "c1", "time_format": "unix", "delimiter": " ",
          "of": ["c2", "c3"]}),
        ("2024-06-14 12:00:00  on  5\n2024-06-14 12:00:10  on  6\n" * 2,
         {"header": ["c1", "c2", "c3", "c4"], "time": ["c1", "c2"], "delimiter": " ",
          "of": ["c4"]}),
        ("at  load  %cpu\n" + "9:01 0.5 11\n" * 3, {"delimiter": " ", "of": ["load", "%cpu"]}),
        ("", None),
        ("A list of 3 things.\nThere are 4 of them.\n", None),
        ("rows: 3\nlines: 4\nfirst: 5\n", None),
        ("TIME,n\n1:10.83,5\n", {"of": ["n"]}),
        # Names that are numbers; quoted cells; rows of another length, and another table, above.
        ("time,50,95\n2024-06-14T12:00:00,1,2\n2024-06-14T12:00:01,2,3\n",
         {"time": "time", "of": ["50", "95"]}),
        ('name,reads,ms\n"a, b",1,2\nc0,0,1\nc1,0,1\n', {"label": "name", "of": ["reads", "ms"]}),
        ("a,b,c\n1,2,3\n1,2,3\n1,2\n" + "1,2,3\n" * 10, None),
        ("a,b\n1,2\n1,2\n\nc,d,e\n" + "1,2,3\n" * 10, None),
        # A counter is no time, and a percentile no share.
        ("n,mem_bytes\n0,1073741824\n1,1073741825\n", {"of": ["n", "mem_bytes"]}),
        ("1718366400;0,5\n1718366400;0,7\n1718366401;1,5\n",
         {"header": ["c1", "c2"], "delimiter": ";", "decimal": ",", "of": ["c1", "c2"]}),
        ("0,5;0,7;0,1\n1,5;0,7;0,1\n",
         {"header": ["c1", "c2", "c3"], "delimiter": ";", "decimal": ",",
          "of": ["c1", "c2", "c3"]}),
        ("a b c\n0,5 0,7 0,1\n1,5 0,7 0,1\n",
         {"delimiter": " ", "decimal": ",", "of": ["a", "b", "c"]}),
        # A header that stands there again; words that tell rows apart: without times, each row is
        # of something else; with times, each may have a note of its own.
        ("a,b\n1,2\n3,4\na,b\n5,6\n", {"of": ["a", "b"]}),
        ("queue,n\norders,1\nmails,2\norders,3\n", {"label": "queue", "of": ["n"]}),
        ("command,n\nparse,1\nsum,2\n", {"label": "command", "of": ["n"]}),
        ("host,note,n\na,rain,1\nb,sun,2\n", {"host": "host", "of": ["n"]}),
        ("metric,value\nthroughput,100\nlatency_ms,5\n", {"of": ["value"]}),
        ("time,note,n\n2024-06-14T01:00:00,rain,1\n2024-06-14T01:00:01,sun,2\n",
         {"time": "time", "of": ["n"]}),
        # Half of a day, or a zone, is of the time: nobody knows how that is written.
        ("2024-06-14 01:00:00 PM 7\n2024-06-14 01:00:01 PM 7\n" * 2,
         {"header": ["c1", "c2", "c3", "c4"], "delimiter": " ", "of": ["c4"]}),
        # A line is what ends with a line feed.
        ("report\x0cpage\na;b\n1;2\n3;4\n", {"skip": 1, "delimiter": ";", "of": ["a", "b"]}),
    ],
)  # fmt: skip
def test_a_table_is_offered_whatever_stands_above_it_and_parts_its_cells(
    text: str, said: dict[str, Any] | None
) -> None:
    table = offered(Head(text))
    if said is None or table is None:
        assert (said, table) == (None, None)
        return
    assert [each["column"] for each in table.pop("metrics")] == said.pop("of")
    assert table == said


#: Documents as harnesses of benchmarks write them: what is around the rows, and two rows.
_HARNESSES: dict[str, tuple[Any, dict[str, Any], dict[str, str]]] = {
    "hyperfine": (
        {"results": [{"command": "parse", "mean": 0.0125, "user": 0.01, "times": [0.012, 0.013],
                      "exit_codes": [0, 0]}] * 2},
        {"rows": "results", "label": "results.command"},
        {"results.mean": "time_mean_ms s", "results.user": "time_user_ms s"},
    ),
    "pytest-benchmark": (
        {"machine_info": {"node": "ci-7", "cpu": {"count": 8, "flags": ["a", "b"]}},
         "commit_info": {"time": "2024-06-01T08:00:00+00:00", "dirty": False},
         "benchmarks": [{"name": "test_parse", "options": {"min_rounds": 5},
                         "stats": {"median": 7.4e-05, "rounds": 9, "outliers": "1;2"}}] * 2,
         "datetime": "2024-06-01T12:00:00+00:00"},
        {"rows": "benchmarks", "time": "datetime", "label": "benchmarks.name"},
        {"benchmarks.stats.median": "time_median_us s"},
    ),
    "pyperf": (
        {"benchmarks": [{"metadata": {"name": "parse", "loops": 8}, "runs": [
            {"metadata": {"load_avg": 1.5, "date": "2024-06-01 12:00:00.5"}, "warmups": [[1, 2]]},
            {"metadata": {"load_avg": 1.5, "date": "2024-06-01 12:00:01.5"},
             "values": [1e-7, 2e-7], "warmups": [[1, 2e-7]]}]}]},
        {"rows": "benchmarks.runs.values", "time": "benchmarks.runs.metadata.date",
         "label": "benchmarks.metadata.name"},
        {"benchmarks.runs.values": "time_us s"},
    ),
    "google": (
        {"context": {"date": "2024-06-01T12:00:00+02:00", "num_cpus": 8,
                     "caches": [{"level": 1, "size": 32768}]},
         "benchmarks": [{"name": "BM_Sort", "run_type": "iteration", "real_time": 2.8e4,
                         "time_unit": "ns"}] * 2},
        {"rows": "benchmarks", "time": "context.date", "label": "benchmarks.name",
         "where": {"benchmarks.run_type": "iteration"}},
        {"benchmarks.real_time": "real_time_us benchmarks.time_unit"},
    ),
    "jmh": (
        [{"benchmark": "a.Parse.run", "params": {"size": size},
          "primaryMetric": {"score": 12.5, "scoreUnit": "us/op", "rawData": [[12.4, 12.6]]}}
         for size in ("10", "20")],
        {"label": ["benchmark", "params.size"]},
        {"primaryMetric.score": "score_us primaryMetric.scoreUnit"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("harness", _HARNESSES)
@pytest.mark.parametrize("indent", [None, 2])
def test_rows_within_a_document_are_offered(harness: str, indent: int | None) -> None:
    document, said, metrics = _HARNESSES[harness]
    table = offered(Head(json.dumps(document, indent=indent)))
    assert table is not None
    found = {
        each["column"]: f"{each['name']} {each.get('unit') or each.get('units', '')}".strip()
        for each in table.pop("metrics")
    }
    assert (table, found) == (said, metrics)


def test_of_a_document_that_is_longer_than_a_head_its_begin_is_offered() -> None:
    document, said, _ = _HARNESSES["hyperfine"]
    text = json.dumps(document, indent=2)
    for end in range(text.index("times"), len(text)):
        table = offered(Head(text[:end]))
        assert table is not None
        assert {key: value for key, value in table.items() if key != "metrics"} == said


@pytest.mark.parametrize(
    ("document", "said"),
    [
        # Names that are the same in several files; modes that measure other things.
        ({"benchmarks": [{"name": "a", "fullname": "x::a", "stats": {"median": 1.0}}] * 2},
         {"rows": "benchmarks", "label": "benchmarks.fullname",
          "metrics": [("benchmarks.stats.median", "time_median_s", "s")]}),
        ([{"benchmark": "a", "mode": mode, "primaryMetric": {"score": 5, "scoreUnit": unit}}
          for mode, unit in (("thrpt", "ops/ms"), ("thrpt", "ops/s"))],
         {"label": ["benchmark", "mode"],
          "metrics": [("primaryMetric.score", "score_per_s", "primaryMetric.scoreUnit")]}),
        ([{"benchmark": "a", "n": 5, "primaryMetric": {"score": 5, "scoreUnit": unit}}
          for unit in ("ops/ms", "us/op")],
         {"label": "benchmark", "metrics": [("n", "n", "")]}),
        # A column of units that says nothing of which; memory, in the place of time.
        ({"bench": [{"name": "a", "time": 5, "count": 3, "unit": "ms"}] * 2},
         {"rows": "bench", "label": "bench.name",
          "metrics": [("bench.time", "time", ""), ("bench.count", "count", "")]}),
        ({"metadata": {"unit": "byte"}, "benchmarks": [{"runs": [{"values": [7e6, 8e6]}]}]},
         {"rows": "benchmarks.runs.values",
          "metrics": [("benchmarks.runs.values", "values", "")]}),
        # A unit beside statistics, as hyperfine 2 has it; counts are no results.
        ({"results": [{"command": "a", "time": {"mean": 0.5, "count": 9, "unit": "second"}}] * 2},
         {"rows": "results", "label": "results.command",
          "metrics": [("results.time.mean", "time_mean_us", "results.time.unit")]}),
        # Members that are alike are as entries of an array.
        ({"run": {"of": {name: {"samples": [1.5, 2], "unit": "ms"} for name in ("a", "b")}}},
         {"rows": "run.of.*.samples", "label": "run.of.*",
          "metrics": [("run.of.*.samples", "samples_us", "run.of.*.unit")]}),
        ({"run": {name: {"mean": 5, "unit": "ms"} for name in ("a", "b")}},
         {"rows": "run.*", "label": "run.*", "metrics": [("run.*.mean", "mean_us", "run.*.unit")]}),
        # What YAML takes for no text; what is no number of seconds.
        ([{"No": 1, "a\x7fb": 2, "\ud800": 3}] * 2,
         {"metrics": [("No", "no", ""), ("a\x7fb", "a_b", ""), ("\ud800", "value", "")]}),
        ({"results": [{"command": "a", "times": [-1.0, 2]}, {"times": [3]}]},
         {"rows": "results.times", "label": "results.command",
          "metrics": [("results.times", "time_s", "s")]}),
    ],
)  # fmt: skip
def test_what_is_not_what_it_seems_is_offered_as_it_is(document: Any, said: dict[str, Any]) -> None:
    table = offered(Head(json.dumps(document)))
    assert table is not None
    metrics = [
        (each["column"], each["name"], each.get("unit", each.get("units", "")))
        for each in table["metrics"]
    ]
    assert {**table, "metrics": metrics} == said


@pytest.mark.parametrize(
    "head",
    [
        '{"a":' + "[" * 32_000 + "1," * 16_000,
        '{"a":' + "[" * 21_000 + "{}," * 14_000,
        '{"results": {"mean": "1,5"}}\n{"results": {"mean": "1,6"}}',
        "n;results.mean\n1;-5\n2;1",
        '{"a": 1e999, "b": NaN}',
        '{"a": ' + "9" * 5000 + "}",
        "[" * 5000,
    ],
)
def test_nothing_in_a_head_is_too_much(head: str) -> None:
    for end in (len(head), len(head) // 2):
        offered(Head(head[:end]))
