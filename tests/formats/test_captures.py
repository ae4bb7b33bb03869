"""What holds for the captures of each source: their command lines, and texts that are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studybook.formats.linux.reader import command_line as linux_command
from studybook.formats.linux.reader import kind_of as linux_kind
from studybook.formats.raw import Head
from studybook.formats.scale.reader import command_line as scale_command
from studybook.formats.scale.reader import kind_of as scale_kind
from tests.conftest import REPOSITORY
from tests.support.reading import read_text
from tests.support.work import in_one_pass

COMMAND_LINES = {
    linux_command: [
        ("ifconfig eth1", "ifconfig"),
        ("/sbin/ifconfig", "ifconfig"),
        ("ip -s -s link", "ip"),
        ("ip addr show dev eth0", "ip"),
        ("lsqeth -p", "lsqeth"),
        ("ip addresses are listed below", None),
        ("lsqeth shows the device", None),
        ("ifconfig prints nine characters", None),
        ("# ipcalc 10.0.0.0", None),
        ("lsdasd -s -b", "lsdasd"),
        ("/sbin/lsdasd", "lsdasd"),
        ("pvs --units m -o +pv_uuid,dev_size", "pvs"),
        ("lvs -o lv_name,vg_name,devices --reportformat json", "lvs"),
        ("lvdisplay -m /dev/ECM_data_vg/ECM_data_lv", "lvdisplay"),
        ("multipath -ll", "multipath"),
        ("db2set -all", "db2set"),
        ("# db2set DB2_PARALLEL_IO=*:4", "db2set"),
        ("pvs lists physical volumes", None),
        ("multipath is a tool", None),
        ("db2set sets variables", None),
        ("lvs and pvs", None),
    ],
    scale_command: [
        ("# mmlscluster", "mmlscluster"),
        ("[root@nfs1 ~]# mmlsnsd -L", "mmlsnsd"),
        ("hal01:~ # /usr/lpp/mmfs/bin/mmlsfs all", "mmlsfs"),
        ("$ sudo mmdiag --iohist", "mmdiag"),
        ("mmlsconfig", "mmlsconfig"),
        ("mm1sfs", "mmlsfs"),
        ("mmlsmount FSData -L", "mmlsmount"),
        ("The mmlscluster command shows the nodes.", None),
        ("mmlscluster command output for the system under test", None),
        ("mmlsfs: No file systems were found.", None),
        ("# of threads", None),
        ("", None),
    ],
}
OTHER_TEXTS = {
    linux_kind: [
        "Device name : /dev/sda\nSerial number : 1\n",
        '[ {\n  "name": "x"\n} ]\n',
        '[{"dst":"default","dev":"eth0"}]\n',
        "2: the second point: <see below> is short\n",
        "Interface: eth0 mtu 1500\n",
        "",
        # The environment of a shell.
        "DB2INSTANCE=db2inst1\nDB2_HOME=/home/db2inst1\nDB2LIB=/lib\nPATH=/bin\n",
        '{\n  "report": [\n    {"name": "x"}\n  ]\n}\n',
        "PV panels were scanned [20.63 GiB]\n",
        "PV and VG are short for physical volume and volume group\n",
        "The results (360050763ffd200000) of tests, all of them\n",
        "size=10G features='0' hwhandler='0' wp=rw\n",
        "0.0.5200 active\n",
        "Bus-ID Status\n",
        "--- Logical volumes ---\n",
    ],
    scale_kind: [
        "mmpmon node 10.1.1.1 name n1 fs_io_s OK\n",
        "_fs_io_s_ _n_ 10.1.1.1 _nn_ n1 _rc_ 0 _t_ 1 _tu_ 2 _cl_ c _fs_ f\n",
        "root:x:0:0:root:/root:/bin/bash\n",
        "write 24780.20 23755.76 24231.24 306.19 EXCEL\n",
        "Filesystem 1K-blocks Used Available Use% Mounted on\n",
        "a,b,c\n1,2,3\n",
        "pagepool sizes were changed between the runs\n",
        "# of nodes: 4\n",
        "Command line used: ior\npagepool 2G\n",
        "",
    ],
}


@pytest.mark.parametrize(
    ("command_line", "text", "name"),
    [(each, *case) for each, cases in COMMAND_LINES.items() for case in cases],
)
def test_command_lines(command_line: Any, text: str, name: str | None) -> None:
    found = command_line(text, lambda repair: None)
    assert (found.name if found else None) == name


@pytest.mark.parametrize(
    ("kind_of", "text"), [(each, text) for each, texts in OTHER_TEXTS.items() for text in texts]
)
def test_other_texts_are_not_claimed(kind_of: Any, text: str) -> None:
    assert kind_of(Head(text)) is None


#: What a line may consist of, and the fixtures into which it is put.
PARTS = [
    (
        "linux", ["ifconfig-old.txt", "ip.txt", "ip.json", "lsqeth.txt"],
        [" ", "a ", "\t", "1: a", 'a="', "\\ ", ":", "9", "[{", '"a'],
    ),
    (
        "scale", ["session.txt", "mmdiag.txt", "mmlsfs.txt", "disks.stanza.txt"],
        [" ", "a ", "\t", "[", "[a ", 'a="', "- ", ":", "9", "%41"],
    ),
]  # fmt: skip
DISKS = (
    "lsdasd.txt", "pvscan.txt", "pvs.txt", "lvm.json", "lvdisplay.txt", "db2set.txt",
    "multipath.txt",
)  # fmt: skip


def costs_no_time(folder: Path, source: str, name: str, place: int, line: str) -> None:
    """Read a fixture with a line put in; in one pass, and every line is accounted for."""
    path = REPOSITORY / "tests/data" / source / name
    lines = path.read_text(encoding="utf-8").splitlines()
    lines.insert(place, line.replace("HEAD", lines[min(4, len(lines) - 1)]))
    text = "\n".join(lines)
    with in_one_pass(len(text)):
        _, reading, _ = read_text(folder, text)
    assert reading.lines == len(lines)


@pytest.mark.parametrize(
    ("source", "name", "part"),
    [(source, name, part) for source, names, parts in PARTS for name in names for part in parts],
)
def test_a_line_of_a_mebibyte_costs_no_time(
    tmp_path: Path, source: str, name: str, part: str
) -> None:
    costs_no_time(tmp_path, source, name, 12, f"{part * (2**20 // len(part) - 10)}x")


@pytest.mark.parametrize(
    "part", [" ", "a ", "\t", "1: a", 'a="', ":", "9", "[{", ".", "|-", "0.0."]
)
@pytest.mark.parametrize("name", DISKS)
def test_a_line_that_begins_well_costs_no_time(tmp_path: Path, name: str, part: str) -> None:
    costs_no_time(tmp_path, "linux", name, 5, "HEAD" + part * (2**20 // len(part)))
