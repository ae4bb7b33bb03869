"""One thing told in two ways gives the same values, or a reason why not.

Two kinds of proof. Differential: what a tool can print in several formats is written in each of
them here, and read (sadf's formats, of one recording: ``test_sadf``; mmpmon with -p and without:
``test_mmpmon``). Metamorphic: a fixture is
written otherwise, as another tool, locale or habit would; then its values are the same, or the
file is refused, or something is said of it that was not said before. (Compression and encoding,
and what was appended to itself: ``test_damage``; order of times, restarts and the clock set back:
``test_sar``, ``test_perfkit_twice``.)
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from studybook.errors import Refused
from studybook.formats import Reading
from tests.fuzz.properties import stored, values
from tests.support.fixtures import FIXTURES, ONE_OF_EACH, READABLE, expected_of, short
from tests.support.reading import Rows, read_rows, read_text

DATA = FIXTURES[0].parent.parent

# --- one thing, printed in two ways -------------------------------------------------------

#: Names of the numbers of an iteration: in IOR's JSON, in that order in its text and in its CSV.
IOR = ["bwMiB", "iops", "latency", "blockKiB", "xferKiB", "openTime", "wrRdTime", "closeTime",
       "totalTime"]  # fmt: skip
IOR_TEXT = """\
IOR-3.3.0: MPI Coordinated Test of Parallel I/O
Began               : Sun Nov  5 11:00:00 2023
Command line        : ior -w -r -F -t 1m -b 8m -i 2 -o /data/yew/j
Machine             : Linux yew3
TestID              : 0
StartTime           : Sun Nov  5 11:00:00 2023

Options:
api                 : POSIX
test filename       : /data/yew/j
access              : file-per-process

Results:

access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
------    ---------  ----       ----------  ---------- ---------  --------   --------   --------   --------   ----
"""  # noqa: E501


def without(rows: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    """Rows without what tells of their place in the file."""
    return [{k: v for k, v in row.items() if k not in ("line", *names)} for row in rows]


def test_ior_in_text_and_csv_is_ior_in_json(tmp_path: Path) -> None:
    text = (DATA / "ior/ior-3.3.0.json").read_text(encoding="utf-8")
    results = [
        part for each in json.loads(text)["tests"][0]["Results"] for part in each if "bwMiB" in part
    ]
    numbers = [[each[name] for name in IOR] for each in results]
    printed, table = IOR_TEXT, (DATA / "ior/ior-4.0.0.csv").read_text().splitlines()[0] + "\n"
    iterations = {"write": 0, "read": 0}
    for each, found in zip(results, numbers, strict=True):
        number = iterations.setdefault(each["access"], 0)
        iterations[each["access"]] += 1
        cells = " ".join(f"{value:<10.4f}" for value in found)
        printed += f"{each['access']:<9} {cells} {number}\n"
        table += ",".join([each["access"], *(f"{value:.4f}" for value in found), "8", str(number)])
        table += "\n"
    rows = without(read_text(tmp_path, text)[2]["ior_iteration"])
    wanted = [row for row in rows if row["operation"] != "remove"]
    assert len(wanted) == 4
    for other in (printed + "Max Write: 800.00 MiB/sec (838.86 MB/sec)\n", table):
        assert without(read_text(tmp_path, other)[2]["ior_iteration"]) == wanted


def test_fio_as_printed_is_fio_in_json(tmp_path: Path) -> None:
    direction = {
        "io_bytes": 16777216, "io_kbytes": 16384, "bw": 16384, "bw_bytes": 16777216,
        "iops": 4096.0, "runtime": 1000,
        "total_ios": 4096, "short_ios": 0, "drop_ios": 0,
        "slat_ns": {"min": 500, "max": 20_000, "mean": 1500.0, "stddev": 250.0},
        "clat_ns": {"min": 24_000, "max": 18_000_000, "mean": 312_500.0, "stddev": 938_000.0,
                    "percentile": {"50.000000": 69_000, "95.000000": 2_057_000,
                                   "99.000000": 4_228_000, "99.900000": 10_159_000}},
        "lat_ns": {"min": 25_000, "max": 18_000_000, "mean": 314_000.0, "stddev": 938_250.0},
    }  # fmt: skip
    printed = (DATA / "fio/printed.txt").read_text(encoding="utf-8")
    # The first of the jobs that it shows, reads only.
    job = printed[: printed.index("\nmix: (groupid", printed.index("\nmix: (groupid") + 1)]
    job = re.sub(r"  write: IOPS(?:.*\n)+?(?=  lat \(usec\) )", "", job) + "\n"
    job = job.replace("total=4096,4160", "total=4096,0").replace("short=0,1", "short=0,0")
    document = {"fio version": "fio-3.33", "jobs": [{"jobname": "mix", "read": direction}]}
    (wanted,) = read_text(tmp_path, json.dumps(document, indent=1))[2]["fio_result"]
    (found,) = read_text(tmp_path, job)[2]["fio_result"]
    assert without([found]) == without([wanted])


#: Columns of a log of JMeter, and the attributes that are the same.
JTL_COLUMNS = {
    "timeStamp": "ts", "elapsed": "t", "label": "lb", "responseCode": "rc", "responseMessage": "rm",
    "threadName": "tn", "success": "s", "bytes": "by", "grpThreads": "ng", "allThreads": "na",
    "Latency": "lt", "Connect": "ct",
}  # fmt: skip


def test_a_log_of_jmeter_in_xml_is_that_in_csv(tmp_path: Path) -> None:
    rows = [
        [1468481400000 + 250 * n, 40 + n, "buy, & go", 200 if n % 3 else 500, "OK", "users 1-1",
         "true" if n % 3 else "false", 512 + n, 5, 7, 20 + n, n]
        for n in range(40)
    ]  # fmt: skip
    table = ",".join(JTL_COLUMNS) + "\n"
    document = '<?xml version="1.0" encoding="UTF-8"?>\n<testResults version="1.2">\n'
    for row in rows:
        table += ",".join(f'"{cell}"' if "," in str(cell) else str(cell) for cell in row) + "\n"
        cells = (str(cell).replace("&", "&amp;") for cell in row)
        named = zip(JTL_COLUMNS.values(), cells, strict=True)
        attributes = " ".join(f'{name}="{cell}"' for name, cell in named)
        document += f"<httpSample {attributes}/>\n"
    wanted = without(read_text(tmp_path, table)[2]["jtl_sample"], "depth", "is_transaction")
    found = read_text(tmp_path, document + "</testResults>\n")[2]["jtl_sample"]
    assert len(wanted) == 40
    assert without(found, "depth", "is_transaction") == wanted


# --- one thing, written otherwise -----------------------------------------------------------


def is_told(after: Reading, *before: Reading) -> bool:
    """Whether more is said of a file than of those that it was made of."""
    return any(
        count(after) > sum(map(count, before))
        for count in (
            lambda of: len(of.remarks),
            lambda of: len(of.repairs),
            lambda of: of.lines_not_understood,
        )
    )


def with_columns_changed(content: bytes) -> list[bytes]:
    """A table with a header, each two neighbouring columns changed for each other; or nothing."""
    lines = content.splitlines()
    for separator in (b",", b";", b"\t"):
        cells = [line.split(separator) for line in lines]
        columns = len(cells[0])
        if columns > 2 and b'"' not in content and {len(row) for row in cells} == {columns}:
            if re.search(rb"\d", cells[0][0]) or b"" in cells[0]:
                return []  # no header
            return [
                b"".join(
                    separator.join([*row[:at], row[at + 1], row[at], *row[at + 2 :]]) + b"\n"
                    for row in cells
                )
                for at in range(columns - 1)
            ]
    return []


TABLES = [path for path in READABLE if with_columns_changed(path.read_bytes())]


@pytest.mark.parametrize("path", TABLES, ids=short)
def test_columns_are_known_by_their_names(path: Path, tmp_path: Path) -> None:
    _, before, rows = read_rows(path)
    same = 0
    for content in with_columns_changed(path.read_bytes()):
        try:
            _, after, found = read_rows(stored(tmp_path, content))
        except Refused:
            continue
        assert found == rows or is_told(after, before)
        same += found == rows
    assert same or path.parent.name == "sar", "in some order it is read"


def numbers(rows: Rows) -> dict[tuple[str, str], set[str]]:
    """The numbers of each column; not what is kept as it was printed."""
    found = values(rows)
    number = re.compile(r"-?[\d.]+(e[-+]?\d+)?|None")
    return {
        column: {text for text in texts if number.fullmatch(text)}
        for column, texts in found.items()
    }


def test_decimal_commas_are_points_or_no_numbers(tmp_path: Path) -> None:
    """As tools print in most of Europe: no number becomes another, in any format."""
    tried = 0
    for path in READABLE:
        content = path.read_bytes()
        changed = re.sub(rb"(?<![\w.,])(\d+)\.(\d+)(?![\w.,])", rb"\1,\2", content)
        if b"," in content or changed == content:
            continue  # a comma means something else
        known, _, rows = read_rows(path)
        try:
            _, _, found = read_rows(stored(tmp_path, changed), known=known)
        except Refused:
            continue
        tried += 1
        whole = numbers(rows)
        for column, each in numbers(found).items():
            assert each <= whole.get(column, set()) | {"None"}, (short(path), column)
    assert tried > 20


def test_one_export_behind_another_gives_the_rows_of_both(tmp_path: Path) -> None:
    """Of one format: what counts them begins anew, or goes on; what they say is the same."""
    tried = 0
    for name in ONE_OF_EACH:
        for one, other in pairwise(p for p in READABLE if expected_of(p)["format"] == name):
            content = one.read_bytes().rstrip(b"\n") + b"\n" + other.read_bytes()
            (_, first, rows), (_, second, more) = read_rows(one), read_rows(other)
            try:
                _, reading, found = read_rows(stored(tmp_path, content))
            except Refused:
                continue
            if is_told(reading, first, second):
                continue
            tried += 1
            for table in found:
                both = len(rows.get(table, [])) + len(more.get(table, []))
                assert table in GOING_ON or len(found[table]) == both, (
                    short(one),
                    short(other),
                    table,
                )
            said, also = values(rows), values(more)
            for column, each in values(found).items():
                if column[1].endswith(("_no", "read_line")) or column in OF_THE_FILE:
                    continue
                left = each - said.get(column, set()) - also.get(column, set()) - {"None"}
                assert not left, (short(one), short(other), column, left)
    assert tried > 60


#: What may go on where the next export begins, or begin anew where it goes on.
GOING_ON = {"sar_section", "prometheus_scrape"}
#: What is concluded of the file as a whole.
OF_THE_FILE = {("iostat_report", "date_known"), ("netperf_test", "error")}
