"""The tables of fio, and its values as we keep them."""

from __future__ import annotations

import json
import re
from typing import Any

from studybook.formats.contract import never_negative, tables
from studybook.formats.json_documents import count, number, text

TABLES = never_negative(
    tables("""
fio_run: one call of fio
    run_no BIGINT, version VARCHAR,
    -- When it was written, and that less the longest time that a job says it took.
    time_utc TIMESTAMP, began_utc TIMESTAMP, options VARCHAR, line BIGINT

fio_job: one job of a call; several processes are one job where they report as a group
    run_no BIGINT, job_no BIGINT, name VARCHAR, group_no BIGINT, host VARCHAR, error BIGINT,
    elapsed_s DOUBLE, pattern VARCHAR, engine VARCHAR, block_size VARCHAR, block_size_bytes BIGINT,
    depth BIGINT, processes BIGINT, direct BOOLEAN, user_cpu_percent DOUBLE, system_cpu_percent
    DOUBLE, context_switches BIGINT, options VARCHAR, line BIGINT

fio_result: what one job read, wrote or trimmed
    run_no BIGINT, job_no BIGINT, direction VARCHAR, moved_bytes BIGINT, rate_bytes_s DOUBLE,
    operations_per_s DOUBLE, runtime_ms DOUBLE, operations BIGINT, short_operations BIGINT,
    dropped_operations BIGINT, mean_latency_us DOUBLE, sd_latency_us DOUBLE, min_latency_us DOUBLE,
    max_latency_us DOUBLE, mean_submission_us DOUBLE, mean_completion_us DOUBLE, p50_completion_us
    DOUBLE, p95_completion_us DOUBLE, p99_completion_us DOUBLE, p999_completion_us DOUBLE, line
    BIGINT
"""),
    "error",
    "group_no",
)

_OPTIONS = {
    "pattern": ("rw", "readwrite"), "engine": ("ioengine",), "block_size": ("bs", "blocksize"),
}  # fmt: skip
_COUNTS = {"depth": "iodepth", "processes": "numjobs"}
_NUMBERS = (
    "io_bytes", "bw", "bw_bytes", "iops", "runtime", "total_ios", "short_ios", "drop_ios",
)  # fmt: skip
_LATENCIES = ("lat", "slat", "clat")
_STATISTICS = {"mean": "mean", "sd": "stddev", "min": "min", "max": "max"}
_PERCENTILES = {"p50": "50.000000", "p95": "95.000000", "p99": "99.000000", "p999": "99.900000"}
_SIZE = re.compile(r"(\d{1,12})([kKmMgG]?)[bB]?$", re.ASCII)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3}


def options(value: Any) -> dict[str, str]:
    """The options of a call or of a job: names and values, both text."""
    if not isinstance(value, dict):
        return {}
    pairs = ((text(name), text(given)) for name, given in value.items())
    return {name: given for name, given in pairs if name is not None and given is not None}


def job(found: dict[str, Any], own: dict[str, str]) -> dict[str, Any]:
    """The columns of a job, from its own entry and from the options that hold for it."""
    values: dict[str, Any] = {
        "name": text(found.get("jobname")), "group_no": count(found.get("groupid")),
        "host": text(found.get("hostname")), "error": count(found.get("error")),
        "elapsed_s": number(found.get("elapsed")), "user_cpu_percent": number(found.get("usr_cpu")),
        "system_cpu_percent": number(found.get("sys_cpu")),
        "context_switches": count(found.get("ctx")), "options": json.dumps(own) if own else None,
    }  # fmt: skip
    for column, names in _OPTIONS.items():
        values[column] = next((own[name] for name in names if name in own), None)
    for column, name in _COUNTS.items():
        given = own.get(name, "")
        whole = given.isascii() and given.isdigit() and len(given) < 10
        values[column] = int(given) if whole else None
    if own.get("direct") in ("0", "1"):
        values["direct"] = own["direct"] == "1"
    match = _SIZE.match(values["block_size"] or "")
    if match and own.get("kb_base", "1024") == "1024":
        size = int(match[1]) * 1024 ** _POWERS[match[2].lower()]
        values["block_size_bytes"] = size if size < 2**62 else None
    return values


def not_numbers(part: dict[str, Any]) -> list[str]:
    """Names of what a job did that should be numbers (of latencies: objects), and are not."""
    latencies = [name + unit for name in _LATENCIES for unit in ("", "_ns")]
    return [
        *(name for name in _NUMBERS if name in part and number(part[name]) is None),
        *(name for name in latencies if name in part and not isinstance(part[name], dict)),
        *(
            f"{name}.{statistic}"
            for name in latencies
            if isinstance(part.get(name), dict)
            for statistic in _STATISTICS.values()
            if statistic in part[name] and number(part[name][statistic]) is None
        ),
    ]


def result(part: dict[str, Any], version: str | None) -> dict[str, Any]:
    """The columns of what a job did in one direction; none if it did nothing."""
    moved, kib_s = count(part.get("io_bytes")), number(part.get("bw"))
    operations, exact = count(part.get("total_ios")), number(part.get("bw_bytes"))
    if not moved and not operations and not kib_s and not exact:
        return {}
    if "io_kbytes" not in part and moved is not None:
        # Up to 2.x the figure is of KiB, whatever its name says; of others it is not known.
        moved = moved * 1024 if (version or "").startswith("fio-2.") else None
    values: dict[str, Any] = {
        "moved_bytes": moved if moved is None or moved < 2**62 else None,
        "rate_bytes_s": exact if exact is not None else kib_s and kib_s * 1024,
        "operations_per_s": number(part.get("iops")), "runtime_ms": number(part.get("runtime")),
        "operations": operations, "short_operations": count(part.get("short_ios")),
        "dropped_operations": count(part.get("drop_ios")),
    }  # fmt: skip
    total = _latency(part, "lat")
    for statistic, name in _STATISTICS.items():
        values[f"{statistic}_latency_us"] = total(name)
    values["mean_submission_us"] = _latency(part, "slat")("mean")
    completion = _latency(part, "clat")
    values["mean_completion_us"] = completion("mean")
    for column, name in _PERCENTILES.items():
        values[f"{column}_completion_us"] = completion("percentile", name)
    return values


def _latency(part: dict[str, Any], name: str) -> Any:
    """Return a function that gives a statistic of a latency in microseconds."""
    nano = part.get(f"{name}_ns")
    found, scale = (nano, 1000.0) if isinstance(nano, dict) else (part.get(name), 1.0)

    def statistic(key: str, inner: str = "") -> float | None:
        value = found.get(key) if isinstance(found, dict) else None
        if inner:
            value = value.get(inner) if isinstance(value, dict) else None
        plain = number(value)
        return None if plain is None else plain / scale

    return statistic
