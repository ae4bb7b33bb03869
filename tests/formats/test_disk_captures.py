"""What is special to captures of disks and volumes, and what the testbed writes of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studybook.formats.captures.values import size_bytes
from testbed.filenet.guests import CE_PE, DATABASE_DISKS, DB, FILE_STORE
from testbed.filenet.storage import EXTENTS, STORAGE, Storage
from testbed.writers import disk_captures
from tests.formats.test_linux_captures import database, rows_of
from tests.support.reading import read_text

ANY = settings(max_examples=60, deadline=None, derandomize=True, database=None)
WRITERS: list[Callable[[str, Storage], Iterator[str]]] = [
    disk_captures.lsdasd, disk_captures.pvscan, disk_captures.lvdisplay, disk_captures.db2set,
]  # fmt: skip


def written(host: str) -> str:
    """Everything that the testbed writes of a guest, one capture after another."""
    storage = STORAGE[host]
    used = WRITERS if storage.db2 else WRITERS[:3] if storage.volumes else WRITERS[:1]
    return "".join(f"{line}\n" for writer in used for line in writer(host, storage))


# --- what the testbed writes comes back ---------------------------------------------------


@pytest.mark.parametrize("host", STORAGE)
def test_the_storage_of_a_guest_comes_back(tmp_path: Path, host: str) -> None:
    storage = STORAGE[host]
    _, reading, rows = read_text(tmp_path, written(host))
    assert reading.lines_not_understood == 0, reading.not_understood
    assert (reading.remarks, reading.repairs) == ([], [])
    assert {row["host"] for each in rows.values() for row in each} == {host}
    dasds = rows["linux_dasd"]
    assert [row["bus_id"] for row in dasds if row["status"] == "alias"] == [
        f"0.0.{number:04x}" for number in storage.aliases
    ]
    assert [
        (row["device"], row["bus_id"], row["blocks"]) for row in dasds if row["status"] == "active"
    ] == [(dasd.name, dasd.bus_id, dasd.blocks) for dasd in storage.dasds]
    assert [
        (row["device"], row["volume_group"]) for row in rows.get("linux_physical_volume", [])
    ] == [(f"/dev/{disk}1", volume.group) for volume in storage.volumes for disk in volume.disks]
    assert [
        (row["volume_group"], row["volume"], row["stripes"], row["stripe_size_bytes"])
        for row in rows.get("linux_logical_volume_segment", [])
    ] == [(volume.group, volume.name, len(volume.disks), 65536) for volume in storage.volumes]
    assert [row["device"] for row in rows.get("linux_logical_volume_stripe", [])] == [
        f"/dev/{disk}1" for volume in storage.volumes for disk in volume.disks
    ]
    assert {
        row["variable"]: row["value"] + (f" [{row['set_by']}]" if row["set_by"] else "")
        for row in rows.get("linux_db2_setting", [])
    } == storage.db2


def test_sizes_are_those_that_the_document_states() -> None:
    sizes = {
        volume.group: sum(
            EXTENTS[dasd.model] * 4 / 1024
            for dasd in STORAGE[host].dasds if dasd.name in volume.disks
        )
        for host in (CE_PE, DB) for volume in STORAGE[host].volumes
    }  # fmt: skip
    # Tables 2.1 and 3.1, in whole GiB.
    assert {name: int(gib) for name, gib in sizes.items()} == {
        "CE_filestor_vg": 195, "ECM_data_vg": 165, "DB_log_vg": 82, "ECM_backup_vg": 82,
    }  # fmt: skip
    assert [len(STORAGE[host].aliases) for host in (CE_PE, DB)] == [20, 20]
    assert len({number for host in (CE_PE, DB) for number in STORAGE[host].aliases}) == 40
    # No disk belongs to two guests, and a physical volume fits on its DASD.
    numbers = [dasd.number for storage in STORAGE.values() for dasd in storage.dasds]
    assert len(set(numbers)) == len(numbers)
    for storage in STORAGE.values():
        assert all(EXTENTS[each.model] * 1024 <= each.blocks for each in storage.dasds)


def test_disks_with_load_are_those_of_the_volumes() -> None:
    for host, shares in ((CE_PE, FILE_STORE), (DB, DATABASE_DISKS)):
        disks = {disk for volume in STORAGE[host].volumes for disk in volume.disks}
        assert {name for name, _ in shares} <= disks


# --- any numbers, and damage ---------------------------------------------------------------

BUS_IDS = st.from_regex(r"0\.0\.[0-9a-f]{4}", fullmatch=True)


@ANY
@given(
    dasds=st.lists(
        st.tuples(BUS_IDS, st.sampled_from(["active", "alias", "offline"]), st.integers(1, 2**40)),
        min_size=1, unique_by=lambda each: each[0],
    ),
    transcribed=st.booleans(),
)  # fmt: skip
def test_dasds_come_back(
    tmp_path_factory: pytest.TempPathFactory,
    dasds: list[tuple[str, str, int]],
    transcribed: bool,
) -> None:
    rows = []
    for place, (bus_id, status, blocks) in enumerate(dasds):
        cells = {
            "active": f"dasd{chr(97 + place % 26)} 94:{place} ECKD 4096 {blocks // 256}MB {blocks}",
            "alias": "ECKD",
            "offline": "",
        }[status]
        rows.append(f"{bus_id} {status} {cells}".rstrip())
    heading = ["# lsdasd", "Bus-ID Status Name Device Type BlkSz Size Blocks", "=" * 78]
    if transcribed:
        heading = ["#\tlsdasd\tBus-ID\tStatus\tName\tDevice\tType\tBlkSz\tSize\tBlocks"]
        rows = ["\t\t" + row.replace(" ", "\t") for row in rows]
        rows.insert(len(rows) // 2, "")
    folder = tmp_path_factory.getbasetemp()
    _, reading, found = read_text(folder, "\n".join([*heading, *rows, ""]))
    assert reading.lines_not_understood == 0, reading.not_understood
    assert bool(reading.repairs) == transcribed
    assert [(row["bus_id"], row["status"], row["blocks"]) for row in found["linux_dasd"]] == [
        (bus_id, status, blocks if status == "active" else None) for bus_id, status, blocks in dasds
    ]


NAMES = st.from_regex(r"[a-zA-Z0-9+_.][a-zA-Z0-9+_.-]{0,12}", fullmatch=True)


@ANY
@given(
    volumes=st.lists(
        st.tuples(
            st.from_regex(r"/dev/[a-z]{2,12}[0-9]{0,2}", fullmatch=True),
            st.one_of(st.none(), NAMES), st.integers(1, 2**63 - 1),
        ),
        min_size=1, max_size=8, unique_by=lambda each: each[0],
    )
)  # fmt: skip
def test_table_json_and_scan_agree(
    tmp_path_factory: pytest.TempPathFactory, volumes: list[tuple[str, str | None, int]]
) -> None:
    wide = [max(len(str(each[column] or "")) for each in volumes) for column in (0, 1)]
    wide[1] = max(wide[1], 2)
    size = max(len(str(each[2])) for each in volumes) + 1
    table = [f"  {'PV':<{wide[0]}} {'VG':<{wide[1]}} Fmt  Attr {'PSize':<{size}} PFree"]
    table += [
        f"  {device:<{wide[0]}} {group or '':<{wide[1]}} lvm2 a--  {f'{size_}B':>{size}} 0B"
        for device, group, size_ in volumes
    ]
    objects = [
        {"pv_name": device, "vg_name": group or "", "pv_fmt": "lvm2", "pv_attr": "a--",
         "pv_size": f"{bytes_}B", "pv_free": "0B"}
        for device, group, bytes_ in volumes
    ]  # fmt: skip
    scan = [
        f"  PV {device}   {f'VG {group}' if group else ''}   lvm2 [{bytes_} B / 0 B free]"
        for device, group, bytes_ in volumes
    ]
    report = json.dumps({"report": [{"pv": objects}]}, indent=2)
    for text in ("\n".join(table), report, "\n".join(scan)):
        _, reading, rows = read_text(tmp_path_factory.getbasetemp(), f"{text}\n")
        assert reading.lines_not_understood == 0, reading.not_understood
        assert [
            (row["device"], row["volume_group"], row["size_bytes"], row["free_bytes"])
            for row in rows["linux_physical_volume"]
        ] == [(*each, 0) for each in volumes]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("20.63 GiB", 22151293829), ("<19.00g", 20401094656), ("64,00k", 65536), ("0", 0),
        ("0 ", 0), ("12B", 12), ("442368S", 226492416), ("1.5 TiB", 1649267441664),
        ("19.51 GB", None), ("19.51G", None), ("12", None), ("many", None), ("", None),
        (None, None), ("99999999.99e", None), ("5Qi", None),
    ],
)  # fmt: skip
def test_sizes_in_bytes(text: str | None, size: int | None) -> None:
    assert size_bytes(text) == size


def test_capitals_are_binary_where_the_tool_says_so() -> None:
    assert size_bytes("1.0G", capitals_are_binary=True) == 2**30


def test_a_scan_that_is_cut_is_told(tmp_path: Path) -> None:
    text = "\n".join(disk_captures.pvscan(DB, STORAGE[DB]))
    cut = text.replace("  PV /dev/dasdk1", "  XX /dev/dasdk1")
    _, reading, _ = read_text(tmp_path, cut + "\n")
    assert "counts 10 physical volumes, but 9 stand above" in reading.remarks[0][1]
    assert reading.lines_not_understood == 1


def test_empty_cells_without_their_places_are_not_guessed(tmp_path: Path) -> None:
    text = (
        "LV VG Attr LSize Pool Origin Data%\n"
        "a vg -wi-ao---- 1.00g\nb vg -wi-ao---- 1.00g tp root 3.25\n"
    )
    _, reading, rows = read_text(tmp_path, text)
    assert [row["volume"] for row in rows["linux_logical_volume"]] == ["b"]
    assert reading.lines_not_understood == 1


@pytest.mark.parametrize("host", [CE_PE, DB])
def test_any_line_may_be_missing(tmp_path: Path, host: str) -> None:
    """Lines of one volume never count for another, whatever is lost."""
    lines = written(host).splitlines()
    whole = read_text(tmp_path, "\n".join(lines) + "\n")[2]
    devices = {row["device"]: row["volume"] for row in whole["linux_logical_volume_stripe"]}
    for place in range(len(lines)):
        left = [*lines[:place], *lines[place + 1 :]]
        _, reading, rows = read_text(tmp_path, "\n".join(left) + "\n")
        assert reading.lines == len(left)
        for row in rows.get("linux_logical_volume_stripe", []):
            assert row["volume"] in (devices[row["device"]], None) or "--- " in lines[place]
        for row in rows.get("linux_dasd", []):
            assert row in [
                {**each, "line": row["line"], "capture_no": row["capture_no"],
                 "host": row["host"], "base_only": row["base_only"]}
                for each in whole["linux_dasd"]
            ]  # fmt: skip


# --- commands and other files ------------------------------------------------------------


def test_what_rests_on_documentation_says_so(tmp_path: Path) -> None:
    old = "0.0.5200(ECKD) at ( 94:  0) is dasda : active at blocksize: 4096, 36 blocks, 1 MB\n"
    assert read_text(tmp_path, old)[1].certainty == "documented"
    assert read_text(tmp_path, "[i] DB2COMM=TCPIP\n")[1].certainty == "documented"
    assert read_text(tmp_path, "DB2COMM=TCPIP\n")[1].certainty == "seen"
    assert read_text(tmp_path, written(DB))[1].certainty == "seen"


# --- views -------------------------------------------------------------------------------


def test_the_views_are_there_without_any_file() -> None:
    connection = database()
    for view in ("dasd", "volume_group_disk", "logical_volume_stripes", "multipath_disk",
                 "db2_setting"):  # fmt: skip
        assert connection.execute(f"FROM {view}").fetchall() == []


def test_the_views_bring_disks_and_volumes_together(tmp_path: Path) -> None:
    rows = read_text(tmp_path, written(DB))[2]
    connection = database(("all.txt", rows, None), ("multipath.txt", rows_of("multipath.txt"), DB))
    found = connection.execute(
        "SELECT volume_group, count(*), count(bus_id), list_sort(list(DISTINCT control_unit))"
        " FROM volume_group_disk GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    assert found == [
        ("DB_log_vg", 4, 4, ["6e", "6f"]),
        ("ECM_backup_vg", 2, 2, ["68", "69"]),
        ("ECM_data_vg", 4, 4, ["6e", "6f"]),
    ]
    assert connection.execute(
        "SELECT status, count(*) FROM dasd GROUP BY ALL ORDER BY ALL"
    ).fetchall() == [("active", 11), ("alias", 20)]
    # Of mpathe the later output counts; one path of mpath1 has failed, and one disk has none.
    assert connection.execute(
        "SELECT map, adapters, ports FROM multipath_disk ORDER BY map"
    ).fetchall() == [
        ("360050763ffd2000000000000000010cd", 0, 0), ("mpath1", 1, 1), ("mpathe", 1, 1),
    ]  # fmt: skip


def test_the_control_unit_is_that_of_the_uid() -> None:
    connection = database(("lsdasd.txt", rows_of("lsdasd.txt"), "wharf03"))
    found: dict[str, Any] = dict(
        connection.execute("SELECT bus_id, control_unit FROM dasd").fetchall()
    )
    assert found["0.0.5200"] == "5200"
    # Without UID: that of the neighbours, or the first digits of the number.
    assert found["0.0.5201"] == "5200"
    assert found["0.0.6101"] == "61"
