"""What is special to the captures of a host's network devices."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studybook.formats.captures.shell import host_of, split_prompt
from studybook.formats.linux.reader import command_line
from studybook.formats.linux.tables import COUNTERS
from tests.conftest import REPOSITORY
from tests.support.reading import Rows, read_rows, read_text
from tests.support.scratch import empty
from tests.support.work import in_one_pass

FIXTURES = REPOSITORY / "tests/data" / "linux"

BIGGEST = 2**64 - 1


# --- the commands of this machine -------------------------------------------------------


def output(folder: Path, *command: str) -> Rows:
    """Run a command and read what it prints; every line must be understood."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    program = shutil.which(command[0], path=path)
    assert program, f"{command[0]} is needed: apt-get install iproute2 net-tools"
    done = subprocess.run(
        (program, *command[1:]),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "LC_ALL": "C"},
    )
    _, reading, rows = read_text(folder, done.stdout)
    assert reading.lines_not_understood == 0, reading.not_understood
    assert reading.remarks == []
    return rows


def by_interface(rows: Rows, table: str, *columns: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    """The rows of a table by the interface and other columns."""
    return {tuple(row[name] for name in ("interface", *columns)): row for row in rows[table]}


SAME = ("interface_index", "parent", "kind", "mac", "mtu_bytes", "state", "flags", "queue_length")


def assert_between(before: Rows, found: Rows, after: Rows) -> None:
    """Hold counters to what they were before and are afterwards, where all three are known."""
    first, now, last = (
        by_interface(rows, "linux_interface_counter", "direction")
        for rows in (before, found, after)
    )
    assert first.keys() == now.keys() == last.keys()
    compared = 0
    for key, row in now.items():
        for name in COUNTERS:
            values = (first[key][name], row[name], last[key][name])
            if None not in values:
                assert values[0] <= values[1] <= values[2], (key, name, values)
                compared += 1
    assert compared >= 8


@pytest.mark.parametrize("more", [(), ("-s",), ("-d",), ("-s", "-d")])
def test_text_and_json_of_ip_agree(tmp_path: Path, more: tuple[str, ...]) -> None:
    before = output(tmp_path, "ip", "-s", *more, "addr")
    as_json = output(tmp_path, "ip", "-s", *more, "-j", "addr")
    pretty = output(tmp_path, "ip", "-s", *more, "-j", "-p", "addr")
    in_one_line = output(tmp_path, "ip", "-o", "-s", *more, "link")
    after = output(tmp_path, "ip", "-s", *more, "addr")
    text = by_interface(before, "linux_interface")
    assert ("lo",) in text
    for other in (as_json, pretty, in_one_line):
        found = by_interface(other, "linux_interface")
        assert found.keys() == text.keys()
        for key, row in found.items():
            assert {name: row[name] for name in SAME} == {name: text[key][name] for name in SAME}
        assert_between(before, other, after)
    if "-s" in more:
        # The same counters are printed either way.
        filled = [
            {name for name in COUNTERS if rows["linux_interface_counter"][0][name] is not None}
            for rows in (before, as_json)
        ]
        assert filled[0] == filled[1]
    addresses = ("address", "prefix_length", "broadcast", "scope", "flags")
    for rows in (as_json, pretty):
        assert (
            by_interface(rows, "linux_address", *addresses).keys()
            == by_interface(before, "linux_address", *addresses).keys()
        )


def test_ifconfig_and_ip_agree(tmp_path: Path) -> None:
    before = output(tmp_path, "ip", "-s", "-s", "link")
    whole = output(tmp_path, "ifconfig", "-a")
    after = output(tmp_path, "ip", "-s", "-s", "link")
    # Some counters are sums of other kinds: see COUNTERS.
    for rows in (before, whole, after):
        for row in rows["linux_interface_counter"]:
            row |= {"overruns": None, "dropped": None, "frame_errors": None, "carrier_errors": None}
    assert_between(before, whole, after)
    link = by_interface(before, "linux_interface")
    for key, row in by_interface(whole, "linux_interface").items():
        assert row["mtu_bytes"] == link[key]["mtu_bytes"]
        assert row["up"] == link[key]["up"]


def test_the_short_table_of_ifconfig(tmp_path: Path) -> None:
    before = output(tmp_path, "ifconfig")
    short = output(tmp_path, "ifconfig", "-s")
    after = output(tmp_path, "ifconfig")
    assert_between(before, short, after)
    mtus = {key: row["mtu_bytes"] for key, row in by_interface(before, "linux_interface").items()}
    for key, row in by_interface(short, "linux_interface").items():
        assert row["mtu_bytes"] == mtus[key]


# --- any numbers ------------------------------------------------------------------------

NUMBER = st.integers(0, BIGGEST)
ANY = settings(max_examples=40, deadline=None, derandomize=True, database=None)
NAMES = st.lists(
    st.from_regex(r"[a-z][a-z0-9.]{0,7}", fullmatch=True), min_size=1, max_size=4, unique=True
)
OLD = """{name:<9} Link encap:Ethernet  HWaddr 02:00:00:00:00:01
          UP BROADCAST  MTU:{mtu}  Metric:1
          RX packets:{0} errors:{1} dropped:{2} overruns:{3} frame:{4}
          TX packets:{5} errors:{6} dropped:{7} overruns:{8} carrier:{9}
          collisions:{10} txqueuelen:1000
          RX bytes:{11} (1.0 B)  TX bytes:{12} (1.0 B)

"""
NEW = """{name}: flags=4163<UP,BROADCAST>  mtu {mtu}
        ether 02:00:00:00:00:01  txqueuelen 1000  (Ethernet)
        RX packets {0}  bytes {11} (1.0 B)
        RX errors {1}  dropped {2}  overruns {3}  frame {4}
        TX packets {5}  bytes {12} (1.0 B)
        TX errors {6}  dropped {7} overruns {8}  carrier {9}  collisions {10}

"""
IP = """{no}: {name}: <UP,BROADCAST> mtu {mtu} qdisc mq state UP group default qlen 1000
    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff
    RX: bytes packets errors dropped overrun mcast
    {11} {0} {1} {2} {3} 0
    RX errors: length crc frame fifo missed
    0 0 {4} 0 0
    TX: bytes packets errors dropped carrier collsns
    {12} {5} {6} {7} {9} {10}
"""
PLACES = {
    "rx": ("packets", "errors", "dropped", "overruns", "frame_errors"),
    "tx": ("packets", "errors", "dropped", "overruns", "carrier_errors", "collisions"),
}


@pytest.mark.parametrize("layout", [OLD, NEW, IP])
@ANY
@given(names=NAMES, mtu=st.integers(0, 2**31 - 1), data=st.data())
def test_counters_come_back(
    tmp_path_factory: pytest.TempPathFactory, layout: str, names: list[str], mtu: int, data: Any
) -> None:
    numbers = [data.draw(st.lists(NUMBER, min_size=13, max_size=13)) for _ in names]
    text = "".join(
        layout.format(*each, name=name, mtu=mtu, no=no)
        for no, (name, each) in enumerate(zip(names, numbers, strict=True), 1)
    )
    # Twice: two outputs pasted one after another, of which the second is not the first again.
    both = f"{text}\n{text} \n"
    _, reading, rows = read_text(tmp_path_factory.getbasetemp(), both)
    assert reading.lines_not_understood == 0
    assert [row["interface"] for row in rows["linux_interface"]] == names + names
    assert {row["mtu_bytes"] for row in rows["linux_interface"]} == {mtu}
    assert {row["capture_no"] for row in rows["linux_interface"]} == {1, 2}
    found = {
        (row["capture_no"], row["interface"], row["direction"]): row
        for row in rows["linux_interface_counter"]
    }
    for name, each in zip(names, numbers, strict=True):
        expected = dict(zip(PLACES["rx"], each, strict=False)) | {"bytes": each[11]}
        sent = dict(zip(PLACES["tx"], each[5:], strict=False)) | {"bytes": each[12]}
        if layout is IP:
            del sent["overruns"]
        for number in (1, 2):
            received = found[number, name, "rx"]
            assert {column: received[column] for column in expected} == expected
            row = found[number, name, "tx"]
            assert {column: row[column] for column in sent} == sent


@pytest.mark.parametrize("layout", [OLD, NEW, IP])
@pytest.mark.parametrize("bad", ["9" * 30, str(2**64), "nan", "-1", "٣", "1e3", "3.5G", ""])
def test_a_number_that_is_none_is_not_understood(tmp_path: Path, layout: str, bad: str) -> None:
    words = [str(number) for number in range(13)]
    words[5] = bad
    _, reading, rows = read_text(tmp_path, layout.format(*words, name="eth0", mtu=9000, no=1))
    assert reading.lines_not_understood >= 1
    [sent] = [row for row in rows["linux_interface_counter"] if row["direction"] == "tx"] or [{}]
    assert sent.get("packets") is None
    [received] = [row for row in rows["linux_interface_counter"] if row["direction"] == "rx"]
    assert received["packets"] == 0


@pytest.mark.parametrize("layout", [OLD, NEW, IP])
@pytest.mark.parametrize("place", [1, 2])
def test_lines_never_count_for_the_interface_before(
    tmp_path: Path, layout: str, place: int
) -> None:
    """The second interface's first line is cut: what follows belongs to nobody."""
    first, second = (
        layout.format(*range(start, start + 13), name=name, mtu=9000, no=no)
        for no, (name, start) in enumerate((("eth0", 0), ("eth1", 100)), 1)
    )
    head, _, rest = second.partition("\n")
    _, reading, rows = read_text(tmp_path, first + head[: 8 * place] + "\n" + rest)
    assert [row["interface"] for row in rows["linux_interface"]] == ["eth0"]
    assert {row["interface"] for row in rows["linux_interface_counter"]} == {"eth0"}
    assert max(row["packets"] for row in rows["linux_interface_counter"]) < 100
    assert reading.lines_not_understood >= rest.count("\n") - 4


def test_rounded_numbers_are_refused_with_a_word(tmp_path: Path) -> None:
    text = IP.format(*["0"] * 11, "3.5G", "12k", name="eth0", mtu=1500, no=1)
    _, reading, _ = read_text(tmp_path, text)
    assert reading.lines_not_understood == 2
    assert "without -h" in reading.remarks[0][1]


def test_counters_of_a_virtual_function_are_its_own(tmp_path: Path) -> None:
    text = IP.format(*range(13), name="eth0", mtu=1500, no=1) + (
        "    vf 0     link/ether 02:00:00:00:01:00 brd ff:ff:ff:ff:ff:ff, spoof checking on\n"
        "    RX: bytes  packets  mcast   bcast   dropped\n    700 70 7 8 9\n"
    )
    _, reading, rows = read_text(tmp_path, text)
    assert reading.lines_not_understood == 0
    counters = by_interface(rows, "linux_interface_counter", "direction")
    assert counters["eth0", "rx"]["bytes"] == 11
    assert counters["eth0 vf 0", "rx"]["bytes"] == 700
    assert counters["eth0 vf 0", "rx"]["broadcast"] == 8


def test_a_name_of_nine_characters_may_be_cut(tmp_path: Path) -> None:
    text = OLD.format(*range(13), name="bond0.123", mtu=1500)
    assert "may be cut" in read_text(tmp_path, text)[1].remarks[0][1]


@pytest.mark.parametrize(
    "text",
    [
        '[{"ifindex":1,"ifname":"lo","mtu":1,"x":' + "[" * 5000 + "]" * 5000 + "}]\n",
        '[{"ifindex":1,"ifname":"lo","mtu":' + "9" * 6000 + "}]\n",
        '[{"ifindex":1,"ifname":"lo","mtu":NaN,"operstate":"\\ud800"}]\n',
        '[{"ifindex":1,"ifname":{"a":1},"flags":{"b":2},"addr_info":7,"stats64":[1]}]\n',
        '[{"ifindex":true,"ifname":"lo","flags":[1,null],"addr_info":[3,{}],"stats64":{"rx":3}}]\n',
        '[{"ifindex":1,"ifname":"lo"},{"ifname":"lo"},5]\n',
        '[{"ifindex":1,' + '"ifname":"lo",\n' * 50 + "# ifconfig\n",
    ],
)
def test_hostile_json_is_accounted_for(tmp_path: Path, text: str) -> None:
    text += OLD.format(*range(13), name="eth0", mtu=1500)
    with in_one_pass(len(text)):
        _, reading, _ = read_text(tmp_path, text)
    assert reading.lines == text.count("\n")


# --- commands, prompts and other files --------------------------------------------------


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("[root@nfs1 ~]# ip link", "nfs1"),
        ("root@nfs1:~# ip link", "nfs1"),
        ("nfs1:~ # ip link", "nfs1"),
        ("nfs1.harbour.lab:/tmp # ip link", "nfs1.harbour.lab"),
        ("# ip link", None),
        ("$ sudo ip link", None),
    ],
)
def test_the_host_is_that_of_the_prompt(text: str, host: str | None) -> None:
    assert host_of(split_prompt(text)[0]) == host
    found = command_line(text, lambda repair: None)
    assert found is not None
    assert (found.name, found.host) == ("ip", host)


def test_a_session_with_both_is_one_of_spectrum_scale(tmp_path: Path) -> None:
    text = "# mmlsconfig pagepool\npagepool 2G\n# ifconfig\n" + OLD.format(
        *range(13), name="eth0", mtu=1500
    )
    name, reading, _ = read_text(tmp_path, text)
    assert name == "scale-text"
    # '# ifconfig' and the lines below it.
    assert reading.lines_not_understood == 7


# --- the view ---------------------------------------------------------------------------


def database(*files: tuple[str, Rows, str | None]) -> duckdb.DuckDBPyConnection:
    """A database with all views and the rows of some files: name, rows, host in run.yml."""
    connection = empty()
    connection.execute("INSERT INTO run (run_id, time_zone) VALUES ('r', 'UTC')")
    for file_id, (name, rows, host) in enumerate(files, 1):
        connection.execute(
            "INSERT INTO raw_file (file_id, run_id, name, host, source) VALUES (?, 'r', ?, ?,"
            " 'linux')",
            [file_id, name, host],
        )
        for table, each in rows.items():
            for row in each:
                names = ", ".join(["file_id", *row])
                marks = ", ".join(["?"] * (len(row) + 1))
                connection.execute(
                    f"INSERT INTO {table} ({names}) VALUES ({marks})", [file_id, *row.values()]
                )
    return connection


def rows_of(name: str) -> Rows:
    """The rows of a fixture."""
    return read_rows(FIXTURES / name)[2]


def test_the_view_is_there_without_any_file() -> None:
    assert database().execute("SELECT * FROM network_interface").fetchall() == []


def test_the_view_brings_mtu_and_buffers_of_a_host_together() -> None:
    connection = database(
        ("ifconfig.txt", rows_of("ifconfig-old.txt"), "wharf03"),
        ("lsqeth.txt", rows_of("lsqeth.txt"), "wharf03"),
        ("ip.txt", rows_of("ip.txt"), None),
    )
    found = connection.execute(
        "SELECT host, interface, mtu_bytes, buffer_count, card_type, rx_dropped, addresses"
        " FROM network_interface ORDER BY host, interface, capture_no"
    ).fetchall()
    assert ("wharf03", "hsi0", 32768, 128, "HiperSockets", 0) in [row[:6] for row in found]
    assert ("wharf03", "bond0.210", 8992, None, None, 17) in [row[:6] for row in found]
    # Shown by lsqeth only; the last output counts.
    assert ("wharf03", "eth1", None, 64, "Virt.NIC QDIO", None, None) in found
    assert ("pier7", "vlan210", 1500, None, None, None, "10.9.0.2/32") in found
    assert len([row for row in found if row[:2] == ("pier7", "enc1000")]) == 2
    [(mtus,)] = connection.execute(
        "SELECT count(DISTINCT mtu_bytes) FROM network_interface WHERE run_id = 'r'"
    ).fetchall()
    assert mtus == 5


def test_files_of_unknown_hosts_are_not_joined(tmp_path: Path) -> None:
    interface = read_text(tmp_path, OLD.format(*range(13), name="eth1", mtu=9000))[2]
    qeth = read_text(tmp_path, "# lsqeth\nDevice name : eth1\n-------\ncard_type : OSD_1000\n")[2]
    apart = database(("a", interface, None), ("b", qeth, None))
    query = "SELECT mtu_bytes, card_type FROM network_interface ORDER BY ALL"
    assert apart.execute(query).fetchall() == [(9000, None), (None, "OSD_1000")]
    together = database(("a", interface | qeth, None))
    assert together.execute(query).fetchall() == [(9000, "OSD_1000")]
