"""The tables of dd, and what its command line says."""

from __future__ import annotations

import re
from typing import Any

from studybook.formats.contract import tables

TABLES = tables("""
dd_run: one report of dd
    run_no BIGINT, command VARCHAR, input VARCHAR, output VARCHAR, flags VARCHAR, count BIGINT,
    block_size_bytes BIGINT, block_size_of VARCHAR, records_in BIGINT, partial_records_in BIGINT,
    records_out BIGINT, partial_records_out BIGINT, truncated_records BIGINT, copied_bytes BIGINT,
    elapsed_s DOUBLE, rate_printed VARCHAR, rate_bytes_s DOUBLE, intermediate BOOLEAN, exit_status
    BIGINT, status VARCHAR, error VARCHAR, line BIGINT

dd_progress: one line of status=progress
    run_no BIGINT, copied_bytes BIGINT, elapsed_s DOUBLE, line BIGINT
""")

_OPTION = re.compile(r"\b(if|of|bs|ibs|obs|count|conv|iflag|oflag|status|skip|seek)=(\S+)")
_SIZE = re.compile(r"(\d{1,12})(c|w|b|[KMGTPE]?i?B|kB|[kKMGTPE])?$")
_PREFIXES = "KMGTPE"


def option_values(command: str) -> dict[str, Any]:
    """Input, output, count, flags and block size of a command line; none if it is not one of dd.

    dd reads and writes 512 bytes at a time unless ``bs``, or ``obs``, says otherwise.
    """
    if not re.search(r"(?:^|[ /])dd ", command):
        return {}
    options = dict(_OPTION.findall(command))
    if not options:
        return {}
    flags = " ".join(
        f"{name}={options[name]}" for name in ("conv", "iflag", "oflag") if name in options
    )
    found = {
        "input": options.get("if"), "output": options.get("of"),
        "count": size(options["count"]) if "count" in options else None, "flags": flags or None,
    }  # fmt: skip
    block = size(options.get("bs") or options.get("obs") or "512")
    if block:
        found |= {"block_size_bytes": block, "block_size_of": "command"}
    return found


def size(cell: str) -> int | None:
    """Read ``64k``, ``1M``, ``2MB`` or ``1c``: K is 1024 bytes, kB and MB are powers of 1000."""
    match = _SIZE.match(cell)
    if not match:
        return None
    number, suffix = int(match[1]), match[2] or ""
    if suffix in ("", "c", "w", "b"):
        value = number * {"": 1, "c": 1, "w": 2, "b": 512}[suffix]
    elif suffix == "B":
        value = number
    else:
        base = 1000 if suffix.endswith("B") and "i" not in suffix else 1024
        value = number * base ** (_PREFIXES.index(suffix[0].upper()) + 1)
    return value if value < 2**63 else None


def block_size(run: dict[str, Any]) -> dict[str, Any]:
    """The block size that bytes and whole records give, where no command says it."""
    if "block_size_bytes" in run:
        return {}
    copied, records = run.get("copied_bytes"), run.get("records_out")
    if not copied or not records or run.get("partial_records_out") or copied % records:
        return {}
    return {"block_size_bytes": copied // records, "block_size_of": "bytes by records"}


def status(run: dict[str, Any]) -> str:
    """``failed``, ``no report``, ``check`` where less came out than went in, or ``complete``."""
    if "error" in run or run.get("exit_status"):
        return "failed"
    if "records_out" not in run:
        return "no report"
    sides = [
        (run.get(f"records_{side}"), run.get(f"partial_records_{side}")) for side in ("in", "out")
    ]
    if sides[0] != sides[1] and not re.search(r"\b[io]bs=", run.get("command", "")):
        return "check"
    return "complete"


def may_continue(run: dict[str, Any], later: dict[str, Any]) -> bool:
    """Whether a report goes on from an earlier one: same block size, more bytes, more time."""
    if not run.get("copied_bytes") or not later.get("copied_bytes"):
        return False
    return bool(
        run.get("block_size_bytes") == later.get("block_size_bytes")
        and later["copied_bytes"] > run["copied_bytes"]
        and later["elapsed_s"] > run["elapsed_s"]
    )
