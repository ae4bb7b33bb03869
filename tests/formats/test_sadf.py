"""The exports of sadf: all say the same of one recording, made here by the real sadc.

These tests need sysstat: they fail without it.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from studybook.errors import Refused
from studybook.formats import named, sar
from studybook.formats.contract import Format, Reading
from studybook.formats.raw import RawFile
from studybook.formats.sar import binary, sadf_csv, sadf_names
from studybook.formats.sar.tables import TABLES
from tests.formats.test_formats import printed
from tests.support.fixtures import TESTS
from tests.support.reading import Rows, read_rows
from tests.support.work import in_one_pass

SADC = ("/usr/lib/sysstat/sadc", "/usr/lib64/sa/sadc", "/usr/lib/sa/sadc", "/usr/libexec/sadc")
C_LOCALE = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
COMMENT = 'first "warm" run; <all> & more'

#: Tables that tell of the reports, which each format prints in its own way.
ABOUT = {"sar_report", "sar_section", "sar_average"}


# --- one recording, however it is read --------------------------------------------------


@pytest.fixture(scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of sadc: two intervals, a comment, a restart, two intervals."""
    sadc = next(
        (path for path in (shutil.which("sadc"), *SADC) if path and Path(path).exists()), ""
    )
    assert sadc, "the package sysstat is needed for this test: it has sadc, sadf and sar"
    path = tmp_path_factory.mktemp("sadc") / "sa"
    for options in (
        ["-S", "XALL", "1", "3", path],
        ["-C", COMMENT, path],
        [path],
        ["-S", "XALL", "1", "3", path],
    ):
        subprocess.run([sadc, *map(str, options)], check=True, env=C_LOCALE)
    return path


def export(recording: Path, folder: Path, *command: str) -> Path:
    """Write what sadf or sar makes of a recording to a file."""
    path = folder / "export"
    with path.open("wb") as stream:
        subprocess.run(
            [*command, str(recording), "--", "-A"] if command[0] == "sadf"
            else [*command, str(recording)],
            check=True, stdout=stream, env=C_LOCALE,
        )  # fmt: skip
    return path


def values(rows: Rows) -> dict[str, list[tuple[Any, ...]]]:
    """Return the measured values of each table, in one order; without lines and intervals."""
    dropped = {"line", "interval_s", "report_no", "time_utc", "time_local", "set_back"}
    rows = printed(rows)
    return {
        table: sorted(
            (
                (
                    row["time_utc"] or row["time_local"],
                    *(value for name, value in row.items() if name not in dropped),
                )
                for row in each
            ),
            key=repr,
        )
        for table, each in rows.items()
        if table not in ABOUT
    }


EXPORTS = {
    "sadf -j": ["sadf", "-j", "-C"],
    "sadf -x": ["sadf", "-x", "-C"],
    "sadf -d": ["sadf", "-d", "-C"],
    "sadf -d -t": ["sadf", "-d", "-t", "-C"],
    "sadf -d -U": ["sadf", "-d", "-U", "-C"],
    "sadf -j -t": ["sadf", "-j", "-t", "-C"],
    "sadf -p": ["sadf", "-p", "-C"],
    "sar -A": ["sar", "-A", "-t", "-C", "-f"],
}


@pytest.mark.parametrize("way", EXPORTS)
def test_every_export_has_the_same_values(recording: Path, way: str, tmp_path: Path) -> None:
    _, reading, expected = read_rows(recording)
    _, other, found = read_rows(export(recording, tmp_path, *EXPORTS[way]))
    assert reading.lines_not_understood == other.lines_not_understood == 0
    wanted, got = values(expected), values(found)
    assert {table: len(rows) for table, rows in got.items()} == {
        table: len(rows) for table, rows in wanted.items()
    }
    for table, rows in wanted.items():
        assert got[table] == rows, table
    if way != "sar -A":
        for table in wanted.keys() - {"sar_mark"}:
            intervals = sorted(row["interval_s"] for row in expected[table])
            assert sorted(row["interval_s"] for row in found[table]) == intervals


@pytest.mark.parametrize(
    "name", ["sadf-d-more.csv", "sadf-p-more.txt", "sadf-j-more.json", "sadf-x-more.xml"]
)
def test_own_exports_have_the_values_of_their_report(name: str) -> None:
    """The activities that the other fixtures of ours have not, in all that prints them."""
    folder = TESTS / "data/sar"
    found, wanted = (values(read_rows(folder / each)[2]) for each in (name, "sar-12-more.txt"))
    assert len(found) == 28
    assert found == {table: wanted[table] for table in found}


def test_own_fixtures_fill_every_table() -> None:
    filled: set[str] = set()
    for fixture in (TESTS / "data/sar").glob("*.expected.yml"):
        filled |= yaml.safe_load(fixture.read_text(encoding="utf-8")).get("rows", {}).keys()
    assert filled == {table.name for table in TABLES}


def test_a_recording_has_what_was_recorded(recording: Path) -> None:
    found, reading, rows = read_rows(recording)
    assert found.name == "sar-binary"
    assert {row["segment"] for row in rows["sar_cpu_all"]} == {0, 1}
    comment, restart = sorted(rows["sar_mark"], key=lambda row: str(row["kind"]))
    assert (comment["text"], comment["segment"]) == (COMMENT, 0)
    assert (restart["kind"], restart["segment"]) == ("restart", 1)
    assert len(reading.repairs) == 1, "sadf -j does not escape comments"
    (report,) = rows["sar_report"]
    assert report["clock"] == "utc"
    assert report["cpus"]
    assert "lines are those of sadf -j" in reading.remarks[0][1]
    assert "sar_other" not in rows


@pytest.mark.parametrize("written", [(12, 0, 6), (12, 5, 6)])
def test_what_an_older_release_did_not_record_is_no_zero(
    recording: Path, written: tuple[int, int, int], tmp_path: Path
) -> None:
    """Of such a file, sadf prints 0.00 in the columns that came later."""
    older = tmp_path / "sa"
    content = bytearray(recording.read_bytes())
    content[4:8] = bytes([*written, 0])
    older.write_bytes(content)
    _, _, rows = read_rows(recording)
    _, _, found = read_rows(older)
    nulls = {
        (table, name)
        for table, each in rows.items()
        for before, after in zip(each, found[table], strict=True)
        for name in before
        if before[name] != after[name]
    }
    softnet = {("sar_softnet", "backlog_packets")}
    assert nulls == softnet | {
        (table, name)
        for since, columns in binary.SINCE.items()
        if written < since <= (12, 1, 2)
        for table, names in columns.items()
        for name in names
    }
    assert all(row[name] is None for table, name in nulls for row in found[table])


def test_a_packed_recording_is_unpacked(recording: Path, tmp_path: Path) -> None:
    packed = tmp_path / "sa.gz"
    packed.write_bytes(gzip.compress(recording.read_bytes()))
    assert values(read_rows(packed)[2]) == values(read_rows(recording)[2])
    long = gzip.compress(recording.read_bytes() + bytes(range(256)) * 2000)
    packed.write_bytes(long[:-300])
    with pytest.raises(Refused, match="cut or damaged"):
        read_rows(packed)


def test_a_cut_recording_is_read_up_to_the_cut(recording: Path, tmp_path: Path) -> None:
    cut = tmp_path / "sa"
    cut.write_bytes(recording.read_bytes()[:-1000])
    _, reading, rows = read_rows(cut)
    assert len(rows["sar_task"]) == 3
    assert any("unexpected" in text for _, text in reading.remarks)


# --- binary files that cannot be read ---------------------------------------------------

#: What the first bytes of a file are: the magic number, the layout, the release.
HEADS = {
    "9.0.4": b"\x96\xd5\x70\x21\x09\x00\x04\x00",
    "12.7.5": b"\x96\xd5\x75\x21\x0c\x07\x05\x00",
    "12.0.2, of a big-endian host": b"\xd5\x96\x21\x75\x0c\x00\x02\x00",
}
EMPTY = '{"sysstat": {"hosts": [{"nodename": "oak", "statistics": [], "restarts": []}]}}'

#: What a sadf does, and words of the error that must come of it.
FAILURES = {
    "echo Invalid system activity file >&2; exit 3": "cannot read it: Invalid",
    "echo 'Try to convert it to current format' >&2; exit 3": "sadf -c FILE > NEW",
    f"echo '{EMPTY}'": "finds",
    "kill -9 $$": "signal 9",
    'echo \'{"sysstat": {"hosts": [{"nodename": \'': "cannot be read: is not the JSON",
    "exec sleep 86400": "did not end",
}


@pytest.fixture
def sadf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return what puts a sadf of one's own in place of the installed one."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def put(script: str) -> None:
        version = 'if [ "$1" = -V ]; then echo "sysstat version 12.6.1"; exit; fi'
        path = folder / "sadf"
        path.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{version}\n{script}\n")
        path.chmod(0o755)

    return put


@pytest.mark.parametrize("release", HEADS)
@pytest.mark.parametrize("script", FAILURES)
def test_failures_of_sadf_are_told(
    release: str,
    script: str,
    sadf: Callable[[str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if FAILURES[script] == "did not end":
        monkeypatch.setattr(binary, "PATIENCE", 0.5)
    path = tmp_path / "sa11"
    path.write_bytes(HEADS[release] + bytes(400))
    sadf(script)
    with pytest.raises(Refused) as refusal:
        read_rows(path)
    assert f"sysstat {release}" in str(refusal.value)
    assert FAILURES[script] in str(refusal.value)
    assert "sadf -d FILE -- -A" in refusal.value.do


def test_sadf_is_asked_in_no_language(
    sadf: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would print decimal commas in German, and dates in Turkish."""
    for name in ("LC_ALL", "LC_NUMERIC", "LANG"):
        monkeypatch.setenv(name, "de_DE.UTF-8")
    (tmp_path / "sa").write_bytes(HEADS["9.0.4"] + bytes(400))
    sadf('echo "asked in <$LC_ALL>" >&2; exit 3')
    with pytest.raises(Refused, match="asked in <C>"):
        read_rows(tmp_path / "sa")


def test_a_newer_file_is_told_from_an_empty_one(
    sadf: Callable[[str], None], tmp_path: Path
) -> None:
    sadf(f"echo '{EMPTY}'")
    for release, words in (("12.7.5", "is older"), ("9.0.4", "fewer than two samples")):
        (tmp_path / "sa").write_bytes(HEADS[release] + bytes(400))
        with pytest.raises(Refused, match=words):
            read_rows(tmp_path / "sa")


def test_without_sadf_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "sa").write_bytes(HEADS["9.0.4"] + bytes(400))
    with pytest.raises(Refused, match="is not installed here") as refusal:
        read_rows(tmp_path / "sa")
    assert "install the package sysstat" in refusal.value.do


# --- values that are known --------------------------------------------------------------

#: Items of a sample and their values, by columns of two activities.
NUMBERS = st.decimals(0, 10**9, places=2)
SAMPLES = st.lists(
    st.tuples(
        st.integers(1_000_000_000, 2_000_000_000),
        st.integers(0, 86_400),
        st.dictionaries(
            st.sampled_from(["sda", "dm-1", "dasdb"]),
            st.tuples(NUMBERS, NUMBERS, st.decimals(0, 100, places=2)),
        ),
        st.tuples(*[NUMBERS] * 2),
    ),
    min_size=1,
    max_size=6,
)
Sample = tuple[int, int, dict[str, tuple[Any, ...]], tuple[Any, ...]]
HEADINGS = ("DEV;tps;rkB/s;%util", "proc/s;cswch/s")


def iso(epoch: int) -> str:
    """Write a time as sadf does."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(epoch))


def as_csv(samples: list[Sample]) -> str:
    """Write samples as ``sadf -d`` does."""
    lines = [f"# hostname;interval;timestamp;{HEADINGS[0]}"]
    for epoch, seconds, disks, _ in samples:
        for name, cells in disks.items():
            lines.append(f"oak;{seconds};{iso(epoch)} UTC;{name};" + ";".join(map(str, cells)))
    lines.append(f"# hostname;interval;timestamp;{HEADINGS[1]}")
    for epoch, seconds, _, tasks in samples:
        lines.append(f"oak;{seconds};{iso(epoch)} UTC;" + ";".join(map(str, tasks)))
    return "\n".join(lines) + "\n"


def as_ppc(samples: list[Sample]) -> str:
    """Write samples as ``sadf -p`` does."""
    lines = []
    for epoch, seconds, disks, _ in samples:
        for item, cells in disks.items():
            for name, cell in zip(HEADINGS[0].split(";")[1:], cells, strict=True):
                lines.append(f"oak\t{seconds}\t{iso(epoch)} UTC\t{item}\t{name}\t{cell}")
    for epoch, seconds, _, tasks in samples:
        for name, cell in zip(HEADINGS[1].split(";"), tasks, strict=True):
            lines.append(f"oak\t{seconds}\t{iso(epoch)} UTC\t-\t{name}\t{cell}")
    return "\n".join(lines) + "\n"


def as_tree(samples: list[Sample]) -> list[dict[str, Any]]:
    """Write samples as the objects that ``sadf -j`` prints."""
    return [
        {
            "timestamp": {
                "date": iso(epoch)[:10], "time": iso(epoch)[11:], "utc": 1, "interval": seconds,
            },
            "disk": [
                {"disk-device": name, "tps": cells[0], "rkB": cells[1], "util-percent": cells[2]}
                for name, cells in disks.items()
            ],
            "process-and-context-switch": dict(zip(("proc", "cswch"), tasks, strict=True)),
        }
        for epoch, seconds, disks, tasks in samples
    ]  # fmt: skip


def as_json(samples: list[Sample], indent: int | None = 1) -> str:
    """Write samples as ``sadf -j`` does."""
    host = {"nodename": "oak", "statistics": as_tree(samples)}
    return json.dumps({"sysstat": {"hosts": [host]}}, default=float, indent=indent)


def as_xml(samples: list[Sample]) -> str:
    """Write samples as ``sadf -x`` does."""

    def element(name: str, attributes: dict[str, Any], close: str = "/") -> str:
        words = "".join(f" {key}={quoteattr(str(value))}" for key, value in attributes.items())
        return f"<{name}{words}{close}>"

    lines = ['<?xml version="1.0"?>', "<sysstat>", '<host nodename="oak">', "<statistics>"]
    for sample in as_tree(samples):
        lines.append(element("timestamp", sample["timestamp"], ""))
        lines.append('<disk per="second">')
        for disk in sample["disk"]:
            lines.append(element("disk-device", {"dev": disk.pop("disk-device"), **disk}))
        lines.append("</disk>")
        tasks = sample["process-and-context-switch"]
        lines.append(element("process-and-context-switch", {"per": "second", **tasks}))
        lines.append("</timestamp>")
    return "\n".join([*lines, "</statistics>", "</host>", "</sysstat>", ""])


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a place for one file after another."""
    return tmp_path_factory.mktemp("sadf") / "export"


WRITERS: dict[str, Callable[[list[Sample]], str]] = {
    "sadf-csv": as_csv, "sadf-ppc": as_ppc, "sadf-json": as_json, "sadf-xml": as_xml,
}  # fmt: skip


@pytest.mark.parametrize("name", WRITERS)
@given(samples=SAMPLES)
def test_what_was_written_is_read(path: Path, name: str, samples: list[Sample]) -> None:
    path.write_text(WRITERS[name](samples), encoding="utf-8")
    found, reading, rows = read_rows(path)
    assert found.name == name
    assert reading.lines_not_understood == 0
    disks = [
        (iso(epoch), float(seconds), item, *map(float, cells))
        for epoch, seconds, disks, _ in samples
        for item, cells in disks.items()
    ]
    columns = ("interval_s", "device", "transfers_per_s", "read_kib_s", "util_percent")
    assert [
        (str(row["time_utc"]), *(row[column] for column in columns))
        for row in rows.get("sar_disk", [])
    ] == disks
    names = ("interval_s", "created_per_s", "context_switches_per_s")
    assert [(str(row["time_utc"]), *(row[name] for name in names)) for row in rows["sar_task"]] == [
        (iso(epoch), float(seconds), *map(float, tasks)) for epoch, seconds, _, tasks in samples
    ]


def test_json_on_one_line_of_more_than_a_mebibyte_is_refused(tmp_path: Path) -> None:
    """Lines are cut there: what is read of one would be no JSON any more."""
    path = tmp_path / "sa.json"
    path.write_text(json.dumps({"sysstat": {"hosts": [{"nodename": "a" * 2**20}]}}))
    with pytest.raises(Refused, match=r"has a line of more than 1 MiB\n  → .*jq \. FILE"):
        read_rows(path)


@given(samples=SAMPLES, indent=st.sampled_from([None, 2]))
def test_json_may_be_formatted_otherwise(
    path: Path, samples: list[Sample], indent: int | None
) -> None:
    path.write_text(as_json(samples), encoding="utf-8")
    _, _, expected = read_rows(path)
    path.write_text(as_json(samples, indent), encoding="utf-8")
    _, _, found = read_rows(path)
    assert values(found) == values(expected)
    tree = json.loads(as_json(samples))
    path.write_text('{"sysstat":' + json.dumps(tree["sysstat"], sort_keys=True) + "}")
    assert values(read_rows(path)[2]) == values(expected)


def read_with(each: Format, path: Path) -> tuple[Reading, Rows]:
    """Read a file with a format of one's choice."""
    rows: Rows = {}
    out = Reading(
        each.tables, lambda name, more: rows.setdefault(name, []).extend(more.to_pylist())
    )
    each.read(RawFile(path), out)
    out.finish()
    return out, rows


ODD_LINES = st.sampled_from(
    [
        "oak;600;2021-03-14 22:14:30 UTC;COM made by hand", "",
        "oak;-1;2021-03-14 22:14:30 UTC;COM first run", "# a remark",
        "oak;-1;2021-03-14 22:20:00 UTC;LINUX-RESTART\t(4 CPU)",
        "elm;600;2021-03-14 22:30:00 UTC;sdb;1.00;2.00;3.00",
        "oak;600;2021-03-14 22:30:00 UTC;sdb;1.00;2.00",
        "oak;600;2021-03-14 22:30:00 UTC;sdb;1.00;2.00;nan",
        "oak;600;2021-03-14 22:30:00 UTC;sdb;1.00;2.00;" + "9" * 30,
        "oak;600;2021-03-14 22:30:00;sdb;1.00;2.00;3.00", "oak;600;1615760000;sdb;1.00;2.00;3.00",
        "oak;600;0000-00-00 22:30:00 UTC;sdb;1.00;2.00;3.00",
        "oak;600;2021-03-14 22:30:00 UTC;sdb;N/A;2,50;3.00",
    ]
)  # fmt: skip


@given(samples=SAMPLES, odd=st.lists(st.tuples(st.integers(0, 60), ODD_LINES), max_size=3))
def test_whole_columns_give_what_rows_give(
    path: Path, samples: list[Sample], odd: list[tuple[int, str]]
) -> None:
    lines = as_csv([sample for sample in samples for _ in range(8)]).splitlines()
    for place, line in odd:
        lines.insert(1 + place, line)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sadf_csv, "_FEW_BYTES", 1)
        columns, fast = read_with(named("sadf-csv"), path)
        patch.setattr(sadf_csv, "_FEW_BYTES", 10**9)
        plain, slow = read_with(named("sadf-csv"), path)
    assert values(fast) == values(slow)
    assert columns.not_understood == plain.not_understood
    assert columns.lines == plain.lines == len(lines)


# --- finer cases ------------------------------------------------------------------------


def rows_of(path: Path, text: str) -> tuple[Reading, Rows]:
    """Read a text."""
    path.write_text(text, encoding="utf-8")
    _, reading, rows = read_rows(path)
    return reading, rows


@pytest.mark.parametrize(
    ("stamp", "utc", "local"),
    [
        ("2021-03-14 22:10:01 UTC", "2021-03-14 22:10:01", None),
        ("1615759801", "2021-03-14 22:10:01", None),
        ("2021-03-14 23:10:01", None, "2021-03-14 23:10:01"),
        ("2021-03-14 23:10:01 CET", None, "2021-03-14 23:10:01"),
    ],
)
def test_times(path: Path, stamp: str, utc: str | None, local: str | None) -> None:
    row = f"oak;60;{stamp};2.50;3.50\n"
    for repeat in (1, 200):
        reading, rows = rows_of(
            path, "# hostname;interval;timestamp;proc/s;cswch/s\n" + row * repeat
        )
        found = rows["sar_task"][-1]
        assert str(found["time_utc"]) == str(utc)
        assert str(found["time_local"]) == str(local)
        assert bool(reading.remarks) == bool(local), "which clock it is cannot be told"


@pytest.mark.parametrize("repeat", [1, 200])
def test_interrupts_of_unnamed_processors(path: Path, repeat: int) -> None:
    head = "# hostname;interval;timestamp;INTR;CPU*\n"
    line = "oak;60;2021-03-14 22:10:01 UTC;"
    reading, rows = rows_of(path, head + f"{line}sum;5.00;7.00\n" * repeat)
    assert {row["names"] for row in rows["sar_interrupt"]} == {"column_1 column_2"}
    assert "not named" in reading.remarks[0][1]
    reading, rows = rows_of(path, head + f"{line}sum;5.00\n" * repeat)
    assert {row["names"] for row in rows["sar_interrupt"]} == {"all"}
    assert "looks the same" in reading.remarks[0][1]
    reading, _ = rows_of(
        path, head + f"{line}sum;5.00;4.00;1.00\n{line}8;1.00;0.00;0.00\n" * repeat
    )
    assert reading.lines_not_understood == repeat


def test_serial_lines_of_old_releases(path: Path) -> None:
    head = "# hostname;interval;timestamp;TTY;rcvin/s;xmtin/s"
    line = "\noak;60;2021-03-14 22:10:01 UTC;1;2.50;1;3.50\n"
    for ending in ("", " [...]"):
        _, rows = rows_of(path, head + ending + line)
        (row,) = rows["sar_tty"]
        assert (row["tty"], row["received_per_s"], row["sent_per_s"]) == ("1", 2.5, 3.5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# hostname;interval;timestamp;CPU;%user;%idle[...];proc/s;cswch/s\n", "without -h"),
        ("System activity data file: sa14 (0x2175)\nHost: oak\n", "sadf -H"),
        ("PCP support not compiled in\n", "sadf -l"),
        ("22:10:01 UTC; CPU; -1; %user; 80348; 80418;\n", "raw counters"),
        ('{"sysstat": {"hosts": [{"nodename": "oak", "statistics": [', "sadf -j"),
        ('{"sysstat": {"hosts": [' + "[" * 5000, "sadf -j"),
        ('{"sysstat": {"hosts": []}} {}', "behind the end"),
        ('{"sysstat": {"hosts": [{"statistics": [{"cpu": 46,70}]}]}}', "LC_ALL=C"),
        ('<?xml version="1.0"?>\n<sysstat><host nodename="oak">', "sadf -x"),
        (
            '<!DOCTYPE sysstat [<!ENTITY a "hop"><!ENTITY b "&a;&a;">]>\n<sysstat>&b;</sysstat>',
            "declares an entity",
        ),
    ],
)
def test_refusals_say_what_to_do(path: Path, text: str, words: str) -> None:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Refused) as refusal:
        read_rows(path)
    assert words in str(refusal.value)
    assert refusal.value.do


@pytest.mark.parametrize(
    "comment", ["plain", 'a "b" c', "a \\ b", 'ends in "', "<a> & 'b'", "&amp;"]
)
def test_comments_are_read_as_typed(path: Path, comment: str) -> None:
    stamp = {"date": "2021-03-14", "time": "22:14:30", "utc": "1"}
    head = ", ".join(f'"{key}": "{value}"' for key, value in stamp.items())
    text = '{"sysstat": {"hosts": [{"nodename": "oak", "comments": [\n{\n'
    _, rows = rows_of(path, f'{text}\t"comment": {{{head}, "com": "{comment}"}}\n}}\n]}}]}}}}\n')
    assert [row["text"] for row in rows["sar_mark"]] == [comment]
    head = " ".join(f'{key}="{value}"' for key, value in stamp.items())
    text = '<sysstat><host nodename="oak"><comments>\n'
    end = "</comments></host></sysstat>\n"
    _, rows = rows_of(path, f'{text}\t<comment {head} com="{comment}"/>\n{end}')
    # What is valid XML is taken as such.
    assert [row["text"] for row in rows["sar_mark"]] == [comment.replace("&amp;", "&")]


def test_what_an_export_says_twice_is_read_once() -> None:
    (plan,) = sadf_names.plans("disk", ("dev", "tps", "rd_sec", "rkB", "util-percent"))
    assert plan.names == ("DEV", "tps", "rkB/s", "%util")
    (plan,) = sadf_names.plans("disk", ("dev", "tps", "rd_sec"))
    assert plan.names == ("DEV", "tps", "rd_sec/s")
    (plan,) = sadf_names.plans("psi-mem", ("some_avg10", "full_avg"))
    assert plan.names == ("%smem-10", "%fmem")


def test_formats_are_told_apart(path: Path) -> None:
    for name, write in WRITERS.items():
        path.write_text(write([(1_500_000_000, 60, {"sda": (1, 2, 3)}, (4, 5))]), encoding="utf-8")
        head = RawFile(path).head
        found = [each.name for each in sar.FORMATS if each.recognise(head)]
        assert found == [name]


def test_blanks_and_comments_cost_no_time(path: Path) -> None:
    comment = '\t"comment": {"date": "2021-03-14", "time": "22:14:30", "utc": 1, "com": "x"},'
    for text in (
        '{"sysstat": {"hosts": [{"nodename": "oak"}' + "\n" * 200_000 + "]}}",
        '{"sysstat": {"hosts": [' + (comment + " ") * 2000,
        '<sysstat><comment com="x"/>' + "\n" * 200_000 + "</sysstat>",
        "<sysstat>" + '<comment com="x" ' * 20_000 + "</sysstat>",
    ):
        path.write_text(text, encoding="utf-8")
        with in_one_pass(len(text)), contextlib.suppress(Refused):
            read_rows(path)


def test_wide_rows_fill_no_memory(path: Path) -> None:
    names = ";".join(f"name{number}" for number in range(3000))
    cells = ";".join(map(str, range(3000)))
    head = f"# hostname;interval;timestamp;{names}\n"
    reading, rows = rows_of(path, head + f"oak;60;1615759801;{cells}\n" * 2)
    assert reading.rows["sar_other"] == 6000
    assert max(len(row["header"]) for row in rows["sar_other"]) <= 400
    reading, rows = rows_of(path, f"oak;60;1615759801;2.50\noak;60;1615759801;{cells}\n")
    assert reading.rows["sar_other"] == 1
    assert reading.lines_not_understood == 1
