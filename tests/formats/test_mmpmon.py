"""mmpmon: two ways of reading that must agree, and rates that must add up to what happened."""

from __future__ import annotations

import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studybook.errors import Refused
from studybook.formats import RawFile, Reading, recognise
from studybook.formats.mmpmon import FORMAT, reader
from studybook.records.schema import record_tables
from tests.support.scratch import empty

KEYS = ("br", "bw", "oc", "cc", "rdc", "wc", "dir", "iu")
COLUMNS = (
    "read_bytes", "written_bytes", "opens", "closes",
    "reads", "writes", "readdirs", "inode_updates",
)  # fmt: skip
START = 1_700_000_000_000_000
NO_COUNTS = (0,) * 8

Rows = dict[str, list[dict[str, Any]]]


def node_of(number: int) -> str:
    return f"_n_ 192.0.2.{number} _nn_ larch{number}-ib"


def stamp_of(us: int) -> str:
    return f"_rc_ 0 _t_ {us // 1_000_000} _tu_ {us % 1_000_000}"


def counted(values: tuple[int, ...]) -> str:
    return " ".join(f"_{key}_ {value}" for key, value in zip(KEYS, values, strict=True))


def fs_io(us: int, values: tuple[int, ...] = NO_COUNTS, fs: str = "fs1", node: int = 1) -> str:
    """Return one answer to fs_io_s; counters in the order of KEYS."""
    head = f"_fs_io_s_ {node_of(node)} {stamp_of(us)} _cl_ larch.example"
    return f"{head} _fs_ {fs} _d_ 12 {counted(values)}\n"


def in_words(us: int, values: tuple[int, ...], request: str = "fs_io_s") -> str:
    labels = ("bytes read", "bytes written", "opens", "closes", "reads", "writes", "readdir")
    names = dict(zip((*labels, "inode updates"), values, strict=True))
    lines = [f"mmpmon node 192.0.2.1 name larch1-ib {request} OK"]
    if request == "fs_io_s":
        lines += [
            "cluster:        larch.example",
            "filesystem:     fs1",
            "disks:                  12",
        ]
    lines.append(f"timestamp:      {us // 1_000_000}/{us % 1_000_000}")
    lines += [f"{label + ':':16}{value:10d}" for label, value in names.items()]
    return "\n".join(lines) + "\n"


def take(text: str) -> tuple[Reading, Rows]:
    """Read a text as if it were a file."""
    rows: Rows = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mmpmon.txt"
        path.write_bytes(text.encode())
        raw = RawFile(path)
        assert recognise(raw) is FORMAT
        reading = Reading(
            FORMAT.tables, lambda table, batch: rows.setdefault(table, []).extend(batch.to_pylist())
        )
        FORMAT.read(raw, reading)
        reading.finish()
        assert reading.lines == sum(1 for _ in raw.lines())
    for each in rows.values():
        each.sort(key=lambda row: row["line"])
    return reading, rows


def database(
    *texts: str, host: str | None = None, again: duckdb.DuckDBPyConnection | None = None
) -> duckdb.DuckDBPyConnection:
    """Return a database of one run with these files: a new one, or one that is emptied for it."""
    connection = again or empty()
    for table in ("run", "raw_file", *(each.name for each in FORMAT.tables)) if again else ():
        connection.execute(f"DELETE FROM {table}")
    connection.execute("INSERT INTO run (run_id, study, run, origin) VALUES ('s/r', 's', 'r', 'x')")
    for file_id, text in enumerate(texts):
        connection.execute(
            "INSERT INTO raw_file (file_id, run_id, name, source, host) VALUES (?, 's/r', ?, ?, ?)",
            [file_id, f"{file_id}.txt", "mmpmon", host],
        )
        for name, found in take(text)[1].items():
            schema = record_tables()[name].schema
            rows_read = pa.Table.from_pylist(found, schema=schema)
            connection.register("rows_read", rows_read)
            connection.execute(f"INSERT INTO {name} SELECT {file_id}, * FROM rows_read")
            connection.unregister("rows_read")
    return connection


@pytest.fixture(scope="module")
def reused() -> duckdb.DuckDBPyConnection:
    """A database for tests of many examples: to make one takes longer than most of them."""
    connection = empty()
    connection.execute("SET threads = 1")
    return connection


def ask(connection: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = connection.sql(sql).to_arrow_table().to_pylist()
    return found


# --- reading ----------------------------------------------------------------------------

ODD_LINES = [
    "",
    "Tue Jun  4 10:00:00 CEST 2024",
    "Could not establish connection to file system daemon.",
    "_ver_ _n_ 192.0.2.1 _nn_ larch1-ib _v_ 5 _lv_ 1 _vt_ 9",
    f"_reset_ {node_of(1)} {stamp_of(START)}",
    f"_nlist_ {node_of(1)} _req_ s {stamp_of(START)} _c_ 2",
    f"_failed_ _n_ 192.0.2.3 _nn_ larch3-ib _rc_ 668 _t_ {START // 10**6} _tu_ 5",
    fs_io(START).replace(" _fs_", "\n_fs_").strip(),
    fs_io(START).replace(" _br_ 0", "\n_br_ 10").strip(),
    fs_io(START).replace("_iu_ 0", "_iu_ 1\n7").strip(),
    fs_io(START).replace("_iu_ 0", "").strip(),
    fs_io(START).replace("_iu_ 0", f"_iu_ {2**64 - 1}").strip(),
    fs_io(START).replace("_iu_ 0", f"_iu_ {2**64}").strip(),
    fs_io(START).replace("_iu_ 0", "_iu_ 0x1F").strip(),
    fs_io(START).replace("_iu_ 0", "_iu_ ²").strip(),
    fs_io(START).replace("_iu_ 0", "_iu_ 0 _new_ 7").strip(),
    fs_io(START).replace("_br_", "_xx_").strip(),
    fs_io(START).replace(" _d_", "  _d_").strip(),
    fs_io(START).replace("_rc_ 0", "_rc_ 22").strip(),
    fs_io(START).replace("_t_ 17", "_t_ 99999999917").strip(),
    fs_io(START).replace("_tu_ 0", "_tu_ 1000000").strip(),
    fs_io(START).replace("_fs_ fs1", "_fs_ -").strip(),
    fs_io(START, fs="_odd_").strip(),
    fs_io(START, fs="two").replace("_bw_ 0", "_br_ 5").strip(),
    f"_fs_io_s_ {node_of(1)} _rc_ 1 _t_ 1700000000 _tu_ 7 _cl_ - _fs_ -",
    "_iu_ 5",
    "17",
    in_words(START, (1, 2, 3, 4, 5, 6, 7, 8)).strip(),
    f"_rhist_ {node_of(1)} _req_ s {stamp_of(START)} _k_ r\n_R_ 0 511 _NR_ 3",
    "_L_ 0.0 1.0 _NL_ 3",
]


@settings(deadline=None)
@given(
    lines=st.lists(
        st.one_of(st.just(fs_io(START, (1, 2, 3, 4, 5, 6, 7, 8))), st.just("_end_"),
                  st.sampled_from(ODD_LINES)),
        max_size=30,
    ),
    block=st.integers(50, 2000),
)  # fmt: skip
def test_columns_and_lines_give_the_same(lines: list[str], block: int) -> None:
    text = "\n".join(line.strip("\n") for line in [fs_io(START), "_end_", *lines, "_end_"]) + "\n"
    with pytest.MonkeyPatch.context() as patch:
        whole = RawFile.blocks
        patch.setattr(RawFile, "blocks", lambda self, size=block: whole(self, size))
        fast, fast_rows = take(text)
        patch.setattr(reader, "HEAD", b"no such line")
        slow, slow_rows = take(text)
    assert fast_rows == slow_rows
    for name in ("lines_in_records", "lines_in_headings", "lines_not_understood"):
        assert getattr(fast, name) == getattr(slow, name)
    assert fast.not_understood == slow.not_understood
    assert fast.repairs == slow.repairs
    assert fast.remarks == slow.remarks


@pytest.mark.parametrize("form", [fs_io, in_words])
def test_counters_are_exact_to_the_last_bit(form: Any) -> None:
    values = (2**64 - 1, 2**63 + 1, 2**32 - 1, *range(5))
    (row,) = take(form(START + 7, values))[1]["mmpmon_fs_io"]
    assert tuple(row[column] for column in COLUMNS) == values
    assert row["time_utc"] == datetime(2023, 11, 14, 22, 13, 20, 7)
    reading, rows = take(fs_io(START) + form(START, (2**64, *values[1:])))
    # In keyword form the record is not understood, in words the one line.
    assert [row["read_bytes"] for row in rows["mmpmon_fs_io"][1:]] in ([], [None])
    assert reading.lines_not_understood == 1


def test_wrapped_records_are_joined_and_noted_once() -> None:
    record = fs_io(START, (1, 2, 3, 4, 5, 6, 7, 8))
    words = record.split()
    whole = take(record * 2)[1]
    for place in range(1, len(words)):
        wrapped = " ".join(words[:place]) + "\n" + " ".join(words[place:]) + "\n"
        reading, rows = take(fs_io(START) + wrapped * 2)
        assert [row | {"line": 0} for row in rows["mmpmon_fs_io"][1:]] == [
            row | {"line": 0} for row in whole["mmpmon_fs_io"]
        ]
        assert len(reading.repairs) == 1
        assert "2 in all" in reading.repairs[0][1]


def test_a_message_between_is_kept_and_joined_to_nothing() -> None:
    message = "Could not establish connection to file system daemon."
    reading, rows = take(fs_io(START) + message + "\nsome text\n" + fs_io(START + 5))
    assert len(rows["mmpmon_fs_io"]) == 2
    assert rows["mmpmon_mark"][0]["text"] == message
    assert reading.not_understood == [(3, "some text")]


def test_a_number_alone_is_the_rest_of_a_record_or_a_time() -> None:
    whole = fs_io(START, (1,) * 8)
    reading, rows = take(fs_io(START) + whole + "1717495200\n" + whole)
    assert len(rows["mmpmon_fs_io"]) == 3
    assert reading.not_understood == [(3, "1717495200")]
    # A terminal has broken the last counter in two: 1 is not its value.
    reading, rows = take(fs_io(START) + whole + "234\n")
    assert len(rows["mmpmon_fs_io"]) == 1
    assert reading.lines_not_understood == 2


def test_clock_offsets_of_hosts_are_taken_off() -> None:
    connection = database(fs_io(START) + fs_io(START + 10**6))
    connection.execute(
        "INSERT INTO host (run_id, host, clock_offset_s) VALUES ('s/r', 'larch1-ib', 2.5)"
    )
    rates = ask(connection, "FROM file_system_rate ORDER BY time_utc")
    assert rates[0]["time_utc"] == datetime(2023, 11, 14, 22, 13, 22, 500_000)
    assert rates[1]["interval_s"] == 1.0


def test_a_file_that_is_cut_gives_no_wrong_number() -> None:
    text = fs_io(START, (111, 222, 333, 444, 555, 666, 777, 888))
    for end in range(len(text)):
        try:
            _, rows = take(fs_io(START) + text[:end])
        except Refused:
            continue
        for row in rows["mmpmon_fs_io"][1:]:
            found = [row[column] for column in COLUMNS]
            assert all(value is None or (value % 111 == 0 and value) for value in found)
            assert row["disks"] in (None, 12)
            assert row["file_system"] == "fs1"


def test_passes_are_told_by_end_or_by_the_list_of_nodes() -> None:
    _, rows = take((fs_io(START) * 3 + "_end_\n") * 4)
    assert [row["pass"] for row in rows["mmpmon_fs_io"]] == [1] * 3 + [2] * 3 + [3] * 3 + [4] * 3
    nlist = f"_nlist_ {node_of(1)} _req_ add {stamp_of(START)} _c_ 2\n"
    _, rows = take((nlist + fs_io(START) * 2) * 3)
    assert [row["pass"] for row in rows["mmpmon_fs_io"]] == [1, 1, 2, 2, 3, 3]


def test_a_damaged_size_range_takes_no_counts_from_its_neighbour() -> None:
    head = f"_rhist_ {node_of(1)} _req_ s {stamp_of(START)} _k_ r\n"
    good = "_R_ 0 511 _NR_ 3\n_L_ 0.0 1.0 _NL_ 3\n"
    reading, rows = take(head + good + "_R_ 512 10x _NR_ 3\n_L_ 0.0 1.0 _NL_ 3\n" + good)
    assert [row["size_from_bytes"] for row in rows["mmpmon_rhist"]] == [0, 0]
    assert reading.lines_not_understood == 2


def test_histograms_that_do_not_add_up_are_remarked() -> None:
    head = f"_rhist_ {node_of(1)} _req_ s {stamp_of(START)} _k_ r\n"
    reading, _ = take(head + "_R_ 0 0 _NR_ 4\n_L_ 0.0 0 _NL_ 3\n")
    assert "do not add up" in reading.remarks[0][1]


# --- rates ------------------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_rates_add_up_to_what_happened(
    reused: duckdb.DuckDBPyConnection, data: st.DataObject
) -> None:
    """Nodes in any order, missing, remounted; 32-bit counters that wrap; files cut in two."""
    nodes, passes = data.draw(st.integers(1, 3)), data.draw(st.integers(2, 6))
    small, large = st.integers(0, 50_000), st.integers(0, 2**40)
    counters = {
        node: [data.draw(st.integers(0, 2**50)) for _ in range(2)]
        + [data.draw(st.sampled_from([100, 2**31, 2**32 - 20_000])) for _ in range(6)]
        for node in range(nodes)
    }
    true: dict[int, tuple[int, ...]] = dict.fromkeys(
        counters, NO_COUNTS
    )  # what was counted in the intervals that show
    waiting = dict(true)
    seen: set[int] = set()
    resets = 0
    lines = []
    for number in range(passes):
        for node in data.draw(st.permutations(range(nodes))):
            if node in seen:
                grown = [data.draw(large if place < 2 else small) for place in range(8)]
                if data.draw(st.integers(0, 9)) == 0:
                    # Began anew since the last sample that shows.
                    counters[node] = [0] * 8
                    lines.append(
                        f"_reset_ {node_of(node)} {stamp_of(START + number * 10**6 - 500)}\n"
                    )
                    waiting[node] = (-1,) * 8
                counters[node] = [
                    (value + growth) % 2 ** (64 if place < 2 else 32)
                    for place, (value, growth) in enumerate(zip(counters[node], grown, strict=True))
                ]
                if waiting[node][0] >= 0:
                    waiting[node] = tuple(map(sum, zip(waiting[node], grown, strict=True)))
                if data.draw(st.integers(0, 4)) == 0:
                    continue  # does not answer this time: the next interval spans it
                if waiting[node][0] < 0:
                    resets += 1
                else:
                    true[node] = tuple(map(sum, zip(true[node], waiting[node], strict=True)))
                waiting[node] = (0,) * 8
            seen.add(node)
            moment = START + number * 10**6 + data.draw(st.integers(0, 99_999))
            lines.append(fs_io(moment, tuple(counters[node]), node=node))
        lines.append("_end_\n")
    cut = data.draw(st.integers(0, len(lines) - 1))
    parts = ["".join(lines[: cut + 1]), fs_io(START, node=9) + "".join(lines[cut:])]
    if not any("_n_" in line for line in lines[: cut + 1]):
        parts[0] = fs_io(START, node=9)
    connection = database(*parts, again=reused)  # the line at which it was cut stands in both
    of_all = ask(connection, "FROM file_system_rate")
    for node in range(nodes):
        rates = [row for row in of_all if row["node_ip"] == f"192.0.2.{node}"]
        good = [row for row in rates if row["state"] == "ok"]
        for column, expected in zip(COLUMNS, true[node], strict=True):
            assert sum(row[column] for row in good) == expected, column
        moved = sum(row["read_mib_s"] * row["interval_s"] for row in good)
        assert moved == pytest.approx(true[node][0] / 2**20)
        for row in rates:
            rate_values = [value for name, value in row.items() if name.endswith("_s")]
            assert all(value is None or value >= 0 for value in rate_values)
            assert (row["read_mib_s"] is None) == (row["state"] != "ok")
    assert [row["state"] for row in of_all].count("reset") == resets


def series(*samples: tuple[float, tuple[int, ...]]) -> str:
    return "".join(fs_io(START + round(at * 1e6), values) for at, values in samples)


def states(text: str, *more: str) -> list[str]:
    found = ask(database(text, *more), "SELECT state FROM mmpmon_rate ORDER BY file_id, line")
    return [row["state"] for row in found]


def test_the_series_of_the_documentation() -> None:
    # The increments and intervals of the four samples that IBM's documentation prints:
    # 126, 240 and 180 writes of 1 MiB.
    base, at = 3_737_124_864, 0.0
    samples = [(at, (0, base, 1, 1, 0, 0, 0, 0))]
    writes = 0
    for number, interval in ((126, 1.011049), (240, 1.001489), (180, 1.001886)):
        writes, at = writes + number, at + interval
        samples.append((at, (0, base + writes * 2**20, 1, 1, 0, writes, 0, 0)))
    assert samples[-1][1][1] == 4_309_647_360
    connection = database(series(*samples))
    rates = ask(connection, "FROM file_system_rate WHERE state = 'ok' ORDER BY time_utc")
    assert [round(row["write_mib_s"], 3) for row in rates] == [124.623, 239.643, 179.661]
    assert [row["mean_write_kib"] for row in rates] == [1024.0] * 3
    assert [row["mean_read_kib"] for row in rates] == [None] * 3
    (total,) = ask(
        connection,
        "SELECT sum(interval_s) AS s, sum(written_bytes) / 1048576.0 / s AS mib_s FROM mmpmon_rate",
    )
    assert round(total["s"], 6) == 3.014424
    assert round(total["mib_s"], 3) == 181.129


def test_a_drop_is_a_reset_or_a_wrap() -> None:
    high = (9, 9, 2**32 - 5, 9, 9, 9, 9, 9)
    assert states(series((0, high), (1, (9, 9, 5, 9, 9, 9, 9, 9)))) == ["first", "ok"]
    # 64-bit counters do not wrap in practice.
    assert states(series((0, high), (1, (8, 9, 5, 9, 9, 9, 9, 9)))) == ["first", "reset"]
    # Less than half of the range: not a wrap.
    low = (9, 9, 2**30, 9, 9, 9, 9, 9)
    assert states(series((0, low), (1, (9, 9, 5, 9, 9, 9, 9, 9)))) == ["first", "reset"]
    # 2^31 opens within one second: not a wrap either.
    half = (9, 9, 2**31 + 9, 9, 9, 9, 9, 9)
    assert states(series((0, half), (1, (9, 9, 5, 9, 9, 9, 9, 9)))) == ["first", "reset"]
    # A counter that was beyond 32 bits has not wrapped at 32 bits.
    wide = (9, 9, 2**33, 9, 9, 9, 9, 9)
    assert states(series((0, wide), (1, (9, 9, 5, 9, 9, 9, 9, 9)))) == ["first", "reset"]


def test_a_wrap_does_not_excuse_another_counter_that_fell() -> None:
    # In two hours, opens may have wrapped; closes began anew.
    before = (9, 9, 3_000_000_000, 100, 9, 9, 9, 9)
    for closes, state in ((20, "reset"), (100, "ok"), (120, "ok")):
        after = (9, 9, 5, closes, 9, 9, 9, 9)
        assert states(series((0, before), (7200, after))) == ["first", state]


def test_a_file_system_that_was_gone_began_anew() -> None:
    low, high = (1 << 20,) * 8, (5 << 20,) * 8
    text = fs_io(START, low, "g") + fs_io(START + 24, low)
    text += "{}" + fs_io(START + 20 * 10**6, high, "g") + fs_io(START + 20 * 10**6 + 24, high)

    def of_g(between: str) -> list[str]:
        query = "SELECT state FROM file_system_rate WHERE file_system = 'g' ORDER BY time_utc"
        return [row["state"] for row in ask(database(text.format(between)), query)]

    at = START + 10 * 10**6
    assert of_g("") == ["first", "ok"]
    assert of_g(fs_io(at + 24, low)) == ["first", "reset"]
    none_mounted = f"_fs_io_s_ {node_of(1)} _rc_ 1 _t_ {at // 10**6} _tu_ 7 _cl_ - _fs_ -\n"
    assert of_g(none_mounted) == ["first", "reset"]
    # There, though its sample is cut; another node; no answer at all.
    cut = fs_io(at, low, "g").replace(" _iu_ 1048576", "")
    assert of_g(cut + fs_io(at + 24, low)) == ["first", "ok"]
    assert of_g(fs_io(at, low, node=2)) == ["first", "ok"]
    # Gone before a sample that is cut.
    cut_later = cut.replace(f"_t_ {at // 10**6}", f"_t_ {at // 10**6 + 5}")
    assert of_g(fs_io(at + 24, low) + cut_later) == ["first", "reset"]
    (covered,) = ask(database(text.format(fs_io(at + 24, low))), "FROM mmpmon_coverage")
    assert covered["resets"] == 1


def test_a_reset_between_samples_is_known_even_if_no_counter_fell() -> None:
    growing = [fs_io(START + number * 10**6, (number * 9,) * 8) for number in range(3)]
    reset = f"_reset_ {node_of(1)} {stamp_of(START + 1_500_000)}\n"
    assert states(growing[0] + growing[1] + reset + growing[2]) == ["first", "ok", "reset"]
    # In words it has no time, so its place in the file counts.
    said = "mmpmon node 192.0.2.1 name larch1-ib reset OK\n"
    assert states(growing[0] + growing[1] + said + growing[2]) == ["first", "ok", "reset"]
    assert states(growing[0] + said + growing[1] + growing[2]) == ["first", "reset", "ok"]
    # A reset of another node is none of this one.
    other = reset.replace("192.0.2.1", "192.0.2.2")
    assert states(growing[0] + growing[1] + other + growing[2]) == ["first", "ok", "ok"]


def test_a_clock_that_goes_back_gives_no_rate() -> None:
    text = series((5, (1,) * 8), (6, (2,) * 8), (3, (3,) * 8), (4, (4,) * 8))
    connection = database(text)
    rates = ask(connection, "FROM mmpmon_rate ORDER BY line")
    assert [row["state"] for row in rates] == ["first", "ok", "time went back", "ok"]
    assert [row["opens"] for row in rates] == [None, 1, None, 1]
    assert "clock set back" in {row["kind"] for row in ask(connection, "FROM mmpmon_event")}


def test_node_totals_are_rates_of_their_own() -> None:
    text = "".join(
        f"_io_s_ {node_of(1)} {stamp_of(START + at * 2_000_000)} {counted((at << 21,) * 8)}\n"
        for at in range(3)
    )
    connection = database(text + fs_io(START))
    rates = ask(connection, "FROM node_io_rate WHERE state = 'ok'")
    assert [row["read_mib_s"] for row in rates] == [1.0, 1.0]
    assert len(ask(connection, "FROM file_system_rate")) == 1


def test_hosts_of_the_manifest_are_for_files_of_one_node() -> None:
    one = database(fs_io(START), host="larch-a")
    assert [row["host"] for row in ask(one, "FROM file_system_rate")] == ["larch-a"]
    two = database(fs_io(START) + fs_io(START, node=2), host="larch-a")
    hosts = {row["host"] for row in ask(two, "FROM file_system_rate")}
    assert hosts == {"larch1-ib", "larch2-ib"}


def test_coverage_and_events() -> None:
    text = "".join(
        fs_io(START + at * 10**6, (at,) * 8, fs) for at in (0, 1, 2, 5, 6) for fs in ("fs1", "fs2")
        if not (fs == "fs2" and at == 5)
    )  # fmt: skip
    text += f"_failed_ _n_ 192.0.2.3 _nn_ larch3-ib _rc_ 668 _t_ {START // 10**6} _tu_ 5\n"
    text += fs_io(START + 7 * 10**6)
    connection = database(text)
    (covered,) = ask(connection, "FROM mmpmon_coverage")
    assert (covered["samples"], covered["interval_s"]) == (6, 1.0)
    assert (covered["gaps"], covered["resets"], covered["restarts"]) == (1, 2, None)
    events = [
        (row["kind"], row["host"], row["text"]) for row in ask(connection, "FROM mmpmon_event")
    ]
    assert ("node failed", "larch3-ib", "quorum lost") in events
    anew = {text for kind, host, text in events if (kind, host) == ("counters reset", "larch1-ib")}
    assert any("fs1: counters began anew" in text for text in anew)
    assert any("fs2: counters began anew" in text for text in anew)
    gone = [
        row for row in ask(connection, "FROM mmpmon_event") if row["kind"] == "file system gone"
    ]
    assert len(gone) == 2
    assert "back at" in min(gone, key=lambda row: row["time_utc"])["text"]


# --- histograms -------------------------------------------------------------------------


def rhist(us: int, counts: dict[tuple[int, int], int]) -> str:
    """Return an answer to rhist s; ranges without a count are not printed, as by mmpmon."""
    text = f"_rhist_ {node_of(1)} _req_ s {stamp_of(us)} _k_ r\n"
    for size in sorted({size for size, _ in counts}):
        rows = {each: count for (of, each), count in counts.items() if of == size and count}
        if rows:
            text += f"_R_ {size:10d} {size + 511:11d} _NR_ {sum(rows.values()):10d}\n"
            for low, count in sorted(rows.items()):
                text += f"_L_ {low + 0.1:10.1f} {low + 1.0:11.1f} _NL_ {count:10d}\n"
    return text


RANGES = [(size, latency) for size in (0, 512) for latency in (0, 1, 2)]


@settings(deadline=None, max_examples=25)
@given(
    growths=st.lists(
        st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=1, max_size=5
    ),
    reset=st.integers(0, 5),
)  # fmt: skip
def test_histograms_add_up(
    reused: duckdb.DuckDBPyConnection, growths: list[list[int]], reset: int
) -> None:
    counts = dict.fromkeys(RANGES, 1)
    text, expected = rhist(START, counts), dict.fromkeys(RANGES, 0)
    for number, growth in enumerate(growths):
        if number == reset:
            text += f"_rhist_ {node_of(1)} _req_ reset {stamp_of(START + number * 10**6 + 5)}\n"
            counts = dict.fromkeys(RANGES, 0)
        for place, grown in zip(RANGES, growth, strict=True):
            counts[place] += grown
            if number != reset:
                expected[place] += grown
        text += rhist(START + (number + 1) * 10**6, counts)
    found = ask(database(text, again=reused), "FROM latency_histogram")
    assert all(row["requests"] is None or row["requests"] >= 0 for row in found)
    for (size, latency), number in expected.items():
        rows = [
            row["requests"] or 0 for row in found
            if row["size_from_bytes"] == size and row["latency_from_ms"] == latency + 0.1
        ]  # fmt: skip
        assert sum(rows) == number


def test_a_histogram_that_fell_is_a_reset_as_a_whole() -> None:
    for after in ({(0, 0): 9, (0, 1): 1}, {(0, 0): 9}):
        text = rhist(START, {(0, 0): 5, (0, 1): 2}) + rhist(START + 10**6, after)
        found = ask(database(text), "FROM latency_histogram ORDER BY time_utc DESC LIMIT 1")
        assert found[0]["state"] == "reset"
        assert found[0]["requests"] is None
