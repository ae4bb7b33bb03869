"""What is special to the captures of Spectrum Scale commands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studybook.errors import Refused
from studybook.formats import read
from studybook.formats.captures.values import decimal, whole
from studybook.formats.raw import Head
from studybook.formats.scale.disks import server_list
from studybook.formats.scale.filesystems import split_value
from studybook.formats.scale.nodes import designation
from studybook.formats.scale.reader import command_line, kind_of
from studybook.formats.scale.settings import size_bytes
from tests.conftest import REPOSITORY
from tests.support.reading import read_text

FIXTURES = REPOSITORY / "tests/data" / "scale"

#: The characters that mmclidecode lists, and the percent sign itself.
ENCODED = "!#$&'()*+,/:;=?@[]%"


def encoded(text: str) -> str:
    """Encode as the commands do with -Y."""
    return "".join(f"%{ord(char):02X}" if char in ENCODED else char for char in text)


# --- -Y ---------------------------------------------------------------------------------


FIELD = st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S"]), min_size=1)


@settings(deadline=None, derandomize=True, database=None)
@given(st.lists(FIELD, min_size=1, max_size=6))
def test_fields_are_split_before_they_are_decoded(
    tmp_path_factory: pytest.TempPathFactory, fields: list[str]
) -> None:
    names = ":".join(f"name{number}" for number in range(len(fields)))
    values = ":".join(map(encoded, fields))
    text = f"mmx::HEADER:version:reserved:reserved:{names}:\nmmx::0:1:::{values}:\n"
    name, reading, rows = read_text(tmp_path_factory.getbasetemp(), text)
    assert name == "scale-y"
    assert reading.lines_not_understood == 0
    assert [row["value"] for row in rows["scale_y"]] == fields


def test_columns_go_by_the_header_of_the_section(tmp_path: Path) -> None:
    text = (
        "mmlsnsd:nsd:HEADER:version:reserved:reserved:diskName:volumeId:serverList:fileSystem:\n"
        "mmlsnsd:nsd:0:1:::d1:0011:n2,n1:fs:\n"
    )
    [row] = read_text(tmp_path, text)[2]["scale_nsd"]
    assert (row["file_system"], row["nsd"], row["first_server"]) == ("fs", "d1", "n2")


def test_a_name_that_stands_twice_in_a_header_hides_nothing(tmp_path: Path) -> None:
    text = "mmx:s:HEADER:version:reserved:reserved:a:a:\nmmx:s:0:1:::1:2:\n"
    rows = read_text(tmp_path, text)[2]["scale_y"]
    assert [(row["name"], row["value"]) for row in rows] == [("a", "1"), ("a_2", "2")]


def test_text_and_y_in_one_session_are_both_read(tmp_path: Path) -> None:
    text = (
        "# mmlsmount all\nFile system fs1 is mounted on 4 nodes.\n"
        "# mmlsfs fs1 -B -Y\n"
        "mmlsfs::HEADER:version:reserved:reserved:deviceName:fieldName:data:remarks:\n"
        "mmlsfs::0:1:::fs1:blockSize:4194304::\n"
        "# cat disks\n%nsd: nsd=d1 servers=n1\n"
    )
    name, reading, rows = read_text(tmp_path, text)
    assert name == "scale-text"
    # Only '# cat disks', which might as well be a comment.
    assert reading.lines_not_understood == 1
    assert rows["scale_mount"][0]["node_count"] == 4
    assert rows["scale_filesystem"][0]["value"] == "4194304"
    assert rows["scale_stanza"][0]["nsd"] == "d1"


# --- values -----------------------------------------------------------------------------


@given(st.integers(0, 2**30), st.sampled_from("kmgtKMGT"), st.sampled_from(["", "B", "iB"]))
def test_sizes_are_powers_of_1024(number: int, unit: str, rest: str) -> None:
    power = "kmgt".index(unit.lower()) + 1
    exact = number * 1024**power
    expected = exact if exact < 2**63 else None
    assert size_bytes("pagepool", f"{number}{unit}{rest}") == expected


@pytest.mark.parametrize(
    ("attribute", "value", "expected"),
    [
        ("pagepool", "3500m", 3_670_016_000),
        ("pagepool", "48g", 51_539_607_552),
        ("pagepool", "4294967296", 4_294_967_296),
        ("pagepool", "50%", None),
        ("pagepool", "9" * 30, None),
        ("pagepool", "9" * 12 + "P", None),
        ("pagepool", None, None),
        ("scatterBufferSize", "256k", 262_144),
        ("nsdMaxWorkerThreads", "1k", None),
        ("maxFilesToCache", "4M", None),
        ("maxMBpS", "14336", None),
        ("clusterId", "17920034411876540021", None),
    ],
)
def test_only_sizes_have_bytes(attribute: str, value: str | None, expected: int | None) -> None:
    assert size_bytes(attribute, value) == expected


def test_numbers_that_do_not_fit_are_none() -> None:
    assert whole("2147483647") == 2147483647
    assert whole("2147483648") is None
    assert whole("9223372036854775808", "BIGINT") is None
    assert whole("9" * 5000, "BIGINT") is None
    assert whole("²") is None
    assert decimal("0,207") == decimal("0.207") == 0.207
    assert decimal("1,0751e-05") == 1.0751e-05
    assert decimal("1e999") is None
    assert decimal("nan") is None


@pytest.mark.parametrize(
    "text",
    [
        "Configuration data for cluster a.b:\n-----------------------------------\n",
        "\n=== mmdiag: config ===\n",
    ],
    ids=["mmlsconfig", "mmdiag"],
)
def test_a_size_that_cannot_be_read_has_a_remark(tmp_path: Path, text: str) -> None:
    settings = "pagepool 4O96M\nmaxblocksize 4M\nseqDiscardThreshold 50%\ncipherList AUTHONLY\n"
    _, reading, rows = read_text(tmp_path, text + settings)
    found = {row["attribute"]: row["value_bytes"] for row in rows["scale_config"]}
    assert found["pagepool"] is None
    assert found["maxblocksize"] == 4 << 20
    assert [said for _, said in reading.remarks] == [
        "pagepool: '4O96M' is no size: no bytes are known of it"
    ]


def test_a_number_that_does_not_fit_is_told(tmp_path: Path) -> None:
    text = f"File system fs1 is mounted on {'9' * 30} nodes.\n"
    _, reading, rows = read_text(tmp_path, text)
    assert rows["scale_mount"][0]["node_count"] is None
    assert "too large" in reading.remarks[0][1]


# --- servers and roles ------------------------------------------------------------------

NODE_NAME = st.from_regex(r"[a-z][a-z0-9.-]{0,20}", fullmatch=True)


@given(st.lists(NODE_NAME, min_size=1, max_size=8))
def test_servers_keep_their_order(names: list[str]) -> None:
    found = server_list(",".join(names))
    assert found["servers"] == ",".join(names)
    assert found["first_server"] == names[0]
    assert found["second_server"] == (names[1] if len(names) > 1 else None)
    assert found["server_count"] == len(names)
    assert found["directly_attached"] is False


def test_cells_with_a_blank_in_them_are_one_cell(tmp_path: Path) -> None:
    heading = " File system   Disk name    NSD servers\n" + "-" * 60
    row = " (free disk)   d1   (directly attached)  "
    _, _, rows = read_text(tmp_path, f"{heading}\n{row}\n")
    assert [
        (row["file_system"], row["nsd"], row["directly_attached"]) for row in rows["scale_nsd"]
    ] == [(None, "d1", True)]


@pytest.mark.parametrize(
    ("printed", "quorum", "manager", "roles"),
    [
        (None, False, False, None),
        ("quorum", True, False, None),
        ("manager", False, True, None),
        ("quorum-manager", True, True, None),
        ("quorumManager", True, True, None),
        ("quorum-manager-ces-perfmon", True, True, "ces,perfmon"),
        ("perfmon", False, False, "perfmon"),
        ("nonquorum", False, False, None),
    ],
)
def test_designations(printed: str | None, quorum: bool, manager: bool, roles: str | None) -> None:
    found = designation(printed)
    assert (found["quorum"], found["manager"], found["roles"]) == (quorum, manager, roles)


def test_a_missing_node_is_told(tmp_path: Path) -> None:
    text = "File system fs1 is mounted on 3 nodes:\n  10.0.0.1  n1  c1\n  10.0.0.2  n2  c1\n"
    _, reading, rows = read_text(tmp_path, text)
    assert len(rows["scale_mount"]) == 2
    assert reading.remarks == [(1, "fs1: mounted on 3 nodes, but 2 are listed")]


# --- transcriptions ---------------------------------------------------------------------


def test_every_repair_is_recorded_with_its_line() -> None:
    reading = read(FIXTURES / "transcribed.txt", lambda table, batch: None)[1]
    assert reading.repairs == [
        (4, "mm1scluster is mmlscluster (transcribed)"),
        (8, "the rule under the heading is cut (transcribed)"),
        (16, "the rule above this line is lost (transcribed)"),
        (16, "columns are separated by TABs (transcribed)"),
        (20, "mm1sfs is mmlsfs (transcribed)"),
        (23, "the rule above this line is lost (transcribed)"),
        (23, "columns are separated by TABs (transcribed)"),
        (26, "rows that go on with a flag begin with a TAB (transcribed)"),
        (27, "--perfilesset-quota is --perfileset-quota (transcribed)"),
        (31, "mm1snsd is mmlsnsd (transcribed)"),
        (35, "the rule above this line is lost (transcribed)"),
        (35, "columns are separated by TABs (transcribed)"),
        (42, "mm1smount is mmlsmount (transcribed)"),
        (49, "mm1sconfig is mmlsconfig (transcribed)"),
        (53, "section and setting stand on one line (transcribed)"),
    ]


CLUSTER = """GPFS cluster information
========================
  GPFS cluster name:         BIG_3node
  GPFS UID domain:           BIG_3_node

 Node  Daemon node name  IP address   Admin node name  Designation
-------------------------------------------------------------------
   1   store1            10.28.81.14  store1           quorum
"""


def test_what_may_be_damage_but_cannot_be_repaired_is_remarked(tmp_path: Path) -> None:
    _, reading, rows = read_text(tmp_path, CLUSTER.replace("10.28.81.14", "10.xxx.xx.xxx"))
    assert rows["scale_cluster"][0]["cluster_name"] == "BIG_3node"
    assert rows["scale_node"][0]["ip_address"] == "10.xxx.xx.xxx"
    assert reading.repairs == []
    remarks = " ".join(text for _, text in reading.remarks)
    assert "differ in underscores only" in remarks
    assert "masked" in remarks


RULED = {
    "cluster": CLUSTER,
    "nsd": " File system   Disk name    NSD servers\n-----------------\n fs d1 n1\n",
    "config": "Configuration data for cluster c:\n---------\npagepool 2G\n",
    "devices": "File systems in cluster c:\n--------------\n/dev/fs1\n",
    "disk": (
        "disk driver sector failure holds holds storage\n"
        "name type size group metadata data status availability pool\n"
        "------------ -------- ------\nd1 nsd 512 1 Yes Yes ready up system\n"
    ),
    "fs": "flag value description\n------------ ------------\n -B 1048576 Block size\n",
    "titled fs": (
        "File system attributes for /dev/fs1:\n==========\nflag value description\n"
        "------------ ------------\n -B 1048576 Block size\n"
    ),
    "state": " Node number  Node name  GPFS state\n-----------------\n 1 n1 active\n",
    "license": (
        "Node name Required license Designated license\n---------------\nn1 server server\n"
    ),
}


@pytest.mark.parametrize("name", RULED)
def test_rules_that_are_cut_or_lost_are_recorded(tmp_path: Path, name: str) -> None:
    lines = RULED[name].splitlines()
    _, whole, rows = read_text(tmp_path, RULED[name])
    assert whole.repairs == []
    for number, line in enumerate(lines):
        if not line.startswith(("---", "===")):
            continue
        lost = [*lines[:number], *lines[number + 1 :]]
        cut = [*lines[:number], line[:5], *lines[number + 1 :]]
        _, reading, found = read_text(tmp_path, "\n".join(lost) + "\n")
        assert reading.repairs == [(number + 1, "the rule above this line is lost (transcribed)")]
        assert {table: len(each) for table, each in found.items()} == {
            table: len(each) for table, each in rows.items()
        }
        _, reading, _ = read_text(tmp_path, "\n".join(cut) + "\n")
        assert reading.repairs == [(number + 1, "the rule under the heading is cut (transcribed)")]


@pytest.mark.parametrize("wrong", ["mm1s", "mmIs", "mm|s"])
@pytest.mark.parametrize("rest", ["cluster", "nsd", "mount", "config", "fs", "disk"])
def test_misread_names_of_commands_are_put_right(wrong: str, rest: str) -> None:
    repairs: list[str] = []
    found = command_line(f"# {wrong}{rest} fs1", repairs.append)
    assert found is not None
    assert found.name == f"mmls{rest}"
    assert repairs == [f"{wrong}{rest} is mmls{rest} (transcribed)"]


def test_captures_as_printed_need_no_repair() -> None:
    for path in FIXTURES.glob("*.txt"):
        if path.name in ("transcribed.txt", "messages.txt", "y-known.txt"):
            continue
        reading = read(path, lambda table, batch: None)[1]
        assert reading.repairs == [], path.name


def test_flags_that_lost_their_blank_are_read_in_their_columns(tmp_path: Path) -> None:
    text = (
        "flag                value                    description\n"
        "------------------- ------------------------ -----------------------------------\n"
        "-B                 1048576                  Block size\n"
        "--create-time      Tue Mar 11 07:05:09 2025 File system creation time\n"
    )
    _, reading, rows = read_text(tmp_path, text)
    assert [row["value"] for row in rows["scale_filesystem"]] == [
        "1048576",
        "Tue Mar 11 07:05:09 2025",
    ]
    assert reading.repairs == [(3, "flags have lost their leading blank (transcribed)")]


@pytest.mark.parametrize(
    ("text", "value", "description"),
    [
        ("   524288 Minimum fragment size in bytes", "524288", "Minimum fragment size in bytes"),
        ("   15.01 (4.2.0.0) File system version", "15.01 (4.2.0.0)", "File system version"),
        ("   a;b;c;", "a;b;c;", ""),
        ("   a;b  Disks in file system", "a;b", "Disks in file system"),
    ],
)
def test_values_without_columns(text: str, value: str, description: str) -> None:
    assert split_value(text) == (value, description)


# --- commands, prose and other files ----------------------------------------------------


def test_a_capture_deep_in_a_document_is_not_enough() -> None:
    prose = "A line of the document.\n" * 500
    assert kind_of(Head(prose + "GPFS cluster information\n")) is None
    assert kind_of(Head(prose[:240] + "GPFS cluster information\n")) == "scale-text"


def test_headings_without_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no row"):
        read_text(tmp_path, "GPFS cluster information\n========================\n")


# --- state and capacity -----------------------------------------------------------------


def test_a_summary_is_of_the_command_that_its_labels_tell_of(tmp_path: Path) -> None:
    first = "Number of nodes defined in the cluster: 4\n"
    licence = "Number of nodes with server license designation: 2\n"
    quorum = "Number of quorum nodes defined in the cluster: 3\nQuorum = 2, Quorum achieved\n"
    title = " Summary information\n---------------------\n"
    table = " Node number  Node name  GPFS state\n-----------------\n 1 n1 active\n\n"
    text = table + title + first + licence + "\n" + title + first + quorum
    _, reading, rows = read_text(tmp_path, text)
    assert reading.lines_not_understood == 0
    assert [row["command"] for row in rows["scale_y"]] == [
        *["mmlslicense"] * 2,
        *["mmgetstate"] * 3,
    ]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("1 n1 2 3 7 active quorum node", ("active", 2, False, 3, 7, "quorum node")),
        ("1 n1 1* 2 2 active", ("active", 1, True, 2, 2, None)),
        ("1 n1 arbitrating quorum node", ("arbitrating", None, None, None, None, "quorum node")),
        ("1 n1 0 0 7 unknown", ("unknown", 0, False, 0, 7, None)),
        ("1 active 0 0 7 down", ("down", 0, False, 0, 7, None)),
    ],
)
def test_states(tmp_path: Path, row: str, expected: tuple[Any, ...]) -> None:
    text = f"Node number Node name Quorum Nodes up Total nodes GPFS state Remarks\n------\n{row}\n"
    [found] = read_text(tmp_path, text)[2]["scale_node_state"]
    columns = ("state", "quorum", "tiebreaker_disks", "nodes_up", "total_nodes", "remarks")
    assert tuple(found[column] for column in columns) == expected


SIZE = st.integers(0, 2**63 - 1)
PERCENT = st.integers(0, 100)


@settings(deadline=None, derandomize=True, database=None, max_examples=40)
@given(
    sizes=st.tuples(SIZE, SIZE, SIZE),
    percents=st.tuples(PERCENT, PERCENT),
    group=st.integers(-1, 4000),
)
def test_space_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    sizes: tuple[int, int, int],
    percents: tuple[int, int],
    group: int,
) -> None:
    size, blocks, fragments = sizes
    free = f"{blocks:20d} ({percents[0]:3d}%) {fragments:13d} ({percents[1]:2d}%)"
    text = (
        "disk disk size failure holds holds free in KB free in KB\n"
        "name in KB group metadata data in full blocks in fragments\n-------- -----\n"
        "Disks in storage pool: p1 (Maximum disk size allowed is 22 GB)\n"
        f"d1 {size:13d} {group:8d} Yes      No {free}\n\n(pool total) {size} {free}\n"
    )
    _, reading, rows = read_text(tmp_path_factory.getbasetemp(), text)
    assert (reading.lines_not_understood, reading.remarks, reading.repairs) == (0, [], [])
    expected = {
        "storage_pool": "p1",
        "size_kib": size,
        "free_blocks_kib": blocks,
        "free_blocks_percent": percents[0],
        "free_fragments_kib": fragments,
        "free_fragments_percent": percents[1],
    }
    for table in ("scale_space", "scale_space_total"):
        [row] = rows[table]
        assert {column: row[column] for column in expected} == expected
    assert rows["scale_space"][0]["failure_group"] == str(group)


def test_the_y_form_fills_the_tables_of_the_text(tmp_path: Path) -> None:
    text = (
        "mmlsfileset::HEADER:version:reserved:reserved:filesystemName:filesetName:id:rootInode:"
        "status:path:parentId:created:inodes:comment:inodeSpace:maxInodes:allocInodes:freeInodes:\n"
        "mmlsfileset::0:1:::quay:a:7:17255366659:Linked:%2Fgpfs%2Fa:0:Wed Mar 12 18%3A40%3A00 2025"
        ":-:note:2:70000:65920:61784:\n"
        "mmlsfileset::0:1:::quay:b:8:3:Unlinked:--:--:Wed Mar 12 18%3A41%3A00 2025:-::2:9:1:-:\n"
        "mmdiag:waiters:HEADER:version:reserved:reserved:threadId:threadAddr:threadName:"
        "waitStartTime:waitTime:isMonitored:condVarAddr:auxReason:\n"
        "mmdiag:waiters:0:1:::4411:00FF:NSDThread:2025-03-12_09%3A41%3A57+0100:0,0113:monitored::"
        "for I/O completion:\n"
        "mmhealth:State:HEADER:version:reserved:reserved:node:component:entityname:entitytype:"
        "status:laststatuschange:\n"
        "mmhealth:State:0:1:::n1:DISK:d1:NSD:DEGRADED:2025-03-12 09%3A35%3A21.8 CET:\n"
        "mmdf:metadata:HEADER:version:reserved:reserved:totalMetadata:freeBlocks:\n"
        "mmdf:metadata:0:1:::1000:250:\n"
    )
    _, reading, rows = read_text(tmp_path, text)
    assert reading.lines_not_understood == 0
    assert reading.remarks == []
    linked, unlinked = rows["scale_fileset"]
    assert (linked["path"], linked["parent_id"], linked["root_inode"]) == (
        "/gpfs/a",
        0,
        17255366659,
    )
    assert (linked["free_inodes"], linked["comment"]) == (61784, "note")
    assert (unlinked["path"], unlinked["parent_id"], unlinked["free_inodes"]) == (None, None, None)
    [waiter] = rows["scale_waiter"]
    assert (waiter["thread"], waiter["seconds_s"], waiter["monitored"]) == (4411, 0.0113, True)
    assert waiter["reason"] == "for I/O completion"
    [health] = rows["scale_health"]
    assert (health["entity"], health["entity_type"], health["status"]) == ("d1", "NSD", "DEGRADED")
    [total] = rows["scale_space_total"]
    assert (total["total_of"], total["size_kib"], total["free_blocks_kib"]) == (
        "metadata",
        1000,
        250,
    )


def test_health_of_all_nodes_and_of_the_cluster(tmp_path: Path) -> None:
    node = (
        "\nNode name:      {0}\nNode status:    HEALTHY\nStatus Change:  2 hours ago\n\n"
        "Component      Status        Status Change     Reasons\n------------------------\n"
        "GPFS           HEALTHY       2 hours ago       -\n"
    )
    event = (
        "\nEvent      Parameter  Severity  Active Since  Event Message\n-------------------------\n"
        "disk_down  d1         WARNING   1 hour ago    Disk d1 is down\n"
    )
    cluster = (
        "\n# mmhealth cluster show\n\n"
        "Component           Total         Failed       Degraded        Healthy          Other\n"
        "---------------------------------------------------------------------------\n"
        "NODE                    3              0              1              2              0\n"
    )
    text = node.format("n1") + event + node.format("n2") + cluster
    _, reading, rows = read_text(tmp_path, text)
    assert reading.lines_not_understood == 0
    assert [(row["node"], row["component"]) for row in rows["scale_health"]] == [
        ("n1", "NODE"), ("n1", "GPFS"), ("n2", "NODE"), ("n2", "GPFS"),
    ]  # fmt: skip
    [found] = [row for row in rows["scale_y"] if row["section"] == "Event"]
    assert (found["name"], found["value"].split()[0]) == ("disk_down", "d1")
    counts = {row["name"]: row["value"] for row in rows["scale_y"] if row["section"] == "cluster"}
    assert counts["component"] == "NODE"
    assert counts["degraded"] == "1"


def test_an_unknown_part_of_mmdiag_is_told(tmp_path: Path) -> None:
    text = '=== mmdiag: version ===\nCurrent GPFS build: "5.1.9.4 ".\n=== mmdiag: memory ===\nx 1\n'
    _, reading, _ = read_text(tmp_path, text)
    assert reading.lines_not_understood == 1
    assert "mmdiag --memory -Y" in reading.remarks[0][1]


@pytest.mark.parametrize(
    "remark", ["# was 2G", "// was 2G", "<-- changed", "<= changed", "(NSD servers)"]
)
@pytest.mark.parametrize("scope", ["", " [nsdnodes]"])
def test_a_remark_behind_a_setting_is_no_part_of_its_value(
    scope: str, remark: str, tmp_path: Path
) -> None:
    title = "Configuration data for cluster c:\n---------------------------------\n"
    text = f"{title}pagepool 4G{scope}   {remark}\nenvVar A=b C=d\ntiebreakerDisks n1;n2;n3\n"
    _, reading, rows = read_text(tmp_path, text)
    first, *others = rows["scale_config"]
    assert first["value"] == "4G"
    assert first["value_bytes"] == 4 * 2**30
    assert first["scope"] == (scope.strip(" []") or "common")
    assert [row["value"] for row in others] == ["A=b C=d", "n1;n2;n3"]
    assert [line for line, said in reading.remarks if remark in said] == [3]


def test_the_frame_about_licences_is_a_message(tmp_path: Path) -> None:
    frame = (
        f"\n{'=' * 79}\n| {'Warning:':75} |\n| {'  Nodes have no license.':75} |\n{'=' * 79}\n\n"
    )
    text = (REPOSITORY / "tests/data/scale/mmlsfs.txt").read_text(encoding="utf-8")
    _, before, rows = read_text(tmp_path, text)
    _, reading, framed = read_text(tmp_path, frame + text)
    assert reading.lines_not_understood == before.lines_not_understood
    assert {table: len(each) for table, each in framed.items()} == {
        table: len(each) for table, each in rows.items()
    }
    assert (5, "message of the command: Warning: Nodes have no license.") in reading.remarks
