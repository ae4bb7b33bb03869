"""The binary files of ``sadc`` (``/var/log/sa/saDD``), read by the ``sadf`` of this machine.

Their layout changes with the release of sysstat and is known to sysstat alone, so ``sadf -j``
makes JSON of them, and the reader of that reads it. The first bytes name the release that wrote
the file: magic D596 (in the byte order of the host), the number of the layout, the release.
"""

from __future__ import annotations

import lzma
import os
import re
import shutil
import subprocess
import zlib
from collections import defaultdict
from pathlib import Path

from backports import zstd

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.raw import Head, RawFile
from studybook.formats.sar import sadf_json
from studybook.process.scratch import scratch

_LITTLE, _BIG = b"\x96\xd5", b"\xd5\x96"

#: The longest that sadf may take, in seconds: it makes 30 MB/s of a file.
PATIENCE = 1800.0

#: Columns that came with a release: of a file of an older one, sadf says 0 of each.
#: Source: the history of sysstat (its file CHANGES).
SINCE: dict[tuple[int, ...], dict[str, tuple[str, ...]]] = {
    (12, 1, 1): {"sar_hugepages": ("reserved_kib", "surplus_kib")},
    (12, 1, 2): {"sar_disk": ("discard_kib_s",),
                 "sar_io": ("discards_per_s", "discard_kib_s")},
    (12, 6, 0): {"sar_softnet": ("backlog_packets",)},
    (12, 7, 5): {"sar_paging": ("promoted_pages_per_s", "demoted_pages_per_s")},
    (12, 7, 8): {"sar_memory": ("shmem_kib",)},
}  # fmt: skip

_DAMAGE = (OSError, EOFError, lzma.LZMAError, zlib.error, zstd.ZstdError)
_THERE = (
    "export it on the host that recorded it, with its own sysstat: sadf -d FILE -- -A > FILE.csv"
    " (or LC_ALL=C sar -A -f FILE > FILE.txt)"
)


def recognise(head: Head) -> bool:
    """Whether the file starts with sysstat's magic number, in either byte order."""
    return head.data[:2] in (_LITTLE, _BIG)


def release(data: bytes) -> str:
    """The release of sysstat that wrote a file, by its first eight bytes."""
    return ".".join(str(part) for part in data[4:8]).removesuffix(".0")


def read(raw: RawFile, out: Reading) -> None:
    """Have sadf export the file, and read the export; lines are those of the export.

    Raises
    ------
    Refused
        If there is no sadf, if it cannot read the file, or finds nothing in it.
    """
    data = raw.head.data
    written = f"a binary file of sadc, sysstat {release(data)}"
    if data[:2] == _BIG:
        written += ", of a big-endian host (s390x)"
    sadf = shutil.which("sadf")
    if sadf is None:
        raise Refused(
            f"is {written}; sadf is needed to read it, and is not installed here",
            f"install the package sysstat, or {_THERE}",
        )
    here = installed(sadf)
    with scratch() as folder:
        export = folder / "export.json"
        said = _export(sadf, _plain(raw, folder), export, f"is {written}")
        if not export.stat().st_size:
            reason = f"is {written}; the sadf installed here ({here}) cannot read it: {said}"
            convert = "convert it: sadf -c FILE > NEW, and give NEW instead; or "
            raise Refused(reason, f"{convert if 'convert' in said else ''}{_THERE}")
        out.unrecorded = unrecorded(release(data))
        try:
            sadf_json.read(RawFile(export), out)
        except Refused as refusal:
            raise Refused(
                f"is {written}; what sadf -j ({here}) makes of it cannot be read: {refusal.reason}",
                _THERE,
            ) from refusal
    if not out.rows.keys() - {"sar_report", "sar_mark", "sar_section"}:
        newer = _parts(release(data)) > _parts(here)
        raise Refused(
            f"is {written}; the sadf installed here ({here}) "
            + ("is older and finds no sample in it" if newer else "finds fewer than two samples"),
            f"install a newer sysstat, or {_THERE}" if newer else _THERE,
        )
    out.remark(1, f"{written}; lines are those of sadf -j of sysstat {here}")
    if said:
        out.remark(1, f"sadf says: {said}")


def unrecorded(written: str) -> dict[str, list[str]]:
    """The columns of each table that a release of sysstat did not record."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for since, columns in SINCE.items():
        if tuple(_parts(written)) < since:
            for table, names in columns.items():
                found[table] += names
    return found


def installed(sadf: str) -> str:
    """The release of a sadf.

    Raises
    ------
    Refused
        If it does not say.
    """
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command
            [sadf, "-V"], capture_output=True, text=True, timeout=20, check=False,
            env=_environment(),
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Refused(f"cannot be read: {sadf} does not run: {error}", _THERE) from error
    match = re.search(r"version (\d[\w.]{0,30})", done.stdout + done.stderr, re.ASCII)
    return match[1] if match else "of unknown release"


def _environment() -> dict[str, str]:
    """English messages and decimal points, dates in ISO, times in UTC."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}


def _plain(raw: RawFile, folder: Path) -> Path:
    """The file, no longer compressed.

    Raises
    ------
    Refused
        If it is cut or damaged.
    """
    with raw.path.open("rb") as stream:
        if stream.read(2) in (_LITTLE, _BIG):
            return raw.path.resolve()
    plain = folder / "file.sa"
    try:
        with raw.open() as packed, plain.open("wb") as stream:
            shutil.copyfileobj(packed, stream)
    except _DAMAGE as error:
        raise Refused(
            f"is cut or damaged: {error}", "copy it again from where it was recorded"
        ) from error
    return plain


def _export(sadf: str, path: Path, export: Path, what: str) -> str:
    """Run sadf; return what it says besides: the first lines of its errors."""
    errors = export.with_suffix(".errors")
    command = [sadf, "-j", "-C", str(path), "--", "-A"]
    with export.open("wb") as output, errors.open("wb") as said:
        try:
            done = subprocess.run(  # noqa: S603 - a fixed command, and a file's absolute path
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=said,
                timeout=PATIENCE, check=False, env=_environment(),
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise Refused(f"{what}; sadf did not end within {PATIENCE:.0f} s", _THERE) from error
    with errors.open("rb") as stream:
        lines = stream.read(4000).decode(errors="replace").replace(str(path), "FILE").splitlines()
    told = list(dict.fromkeys(line.strip() for line in lines if line.strip()))
    if done.returncode < 0:
        told.insert(0, f"it was ended by signal {-done.returncode}")
    return "; ".join(told[:4]) or (f"it ended with {done.returncode}" if done.returncode else "")


def _parts(name: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d{1,6}", name, re.ASCII)]
