"""What netperf prints in its tables: names of tests, columns, units."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from studybook.formats.contract import tables
from studybook.formats.names import pairs

TABLES = tables(
    """
netperf_test: one test of netperf
    test_no BIGINT, title VARCHAR, form VARCHAR, protocol VARCHAR, kind VARCHAR, direction VARCHAR,
    local VARCHAR, remote VARCHAR, request_bytes BIGINT, response_bytes BIGINT, message_bytes
    BIGINT, local_send_socket_bytes BIGINT, local_receive_socket_bytes BIGINT,
    remote_send_socket_bytes BIGINT, remote_receive_socket_bytes BIGINT, elapsed_s DOUBLE,
    rate_printed DOUBLE, unit VARCHAR, transactions_per_s DOUBLE, throughput_mbit_s DOUBLE,
    received_printed DOUBLE, received_mbit_s DOUBLE, messages_sent BIGINT, send_errors BIGINT,
    messages_received BIGINT, local_cpu_percent DOUBLE, remote_cpu_percent DOUBLE,
    local_service_demand_us DOUBLE, remote_service_demand_us DOUBLE, service_demand_per VARCHAR,
    round_trip_us DOUBLE, mean_latency_us DOUBLE, p50_latency_us DOUBLE, p90_latency_us DOUBLE,
    p99_latency_us DOUBLE, sd_latency_us DOUBLE, confidence_reached BOOLEAN,
    confidence_width_percent DOUBLE, error VARCHAR, line BIGINT

netperf_interim: one rate printed while a test ran (-D)
    test_no BIGINT, rate_printed DOUBLE, unit VARCHAR, transactions_per_s DOUBLE, throughput_mbit_s
    DOUBLE, duration_s DOUBLE, time_utc TIMESTAMP, line BIGINT

netperf_value: one value of an omni test, under the name that netperf gives it
    test_no BIGINT, name VARCHAR, value VARCHAR, number DOUBLE, line BIGINT
""",
    shares=("local_cpu_percent", "remote_cpu_percent"),
    most_percent=105,  # ticks of a second or two, divided by another clock's time
)

#: Columns of omni by the names of KEY=VALUE and those of CSV.
NAMES = pairs("""
    THROUGHPUT=rate_printed; Throughput=rate_printed; THROUGHPUT_UNITS=unit;
    Throughput Units=unit; PROTOCOL=protocol; Protocol=protocol; DIRECTION=direction;
    Direction=direction; ELAPSED_TIME=elapsed_s; Elapsed Time (sec)=elapsed_s;
    REQUEST_SIZE=request_bytes; Request Size Bytes=request_bytes; RESPONSE_SIZE=response_bytes;
    Response Size Bytes=response_bytes; LOCAL_SEND_SIZE=message_bytes;
    Local Send Size=message_bytes; LSS_SIZE_END=local_send_socket_bytes;
    LSR_SIZE_END=local_receive_socket_bytes; RSS_SIZE_END=remote_send_socket_bytes;
    RSR_SIZE_END=remote_receive_socket_bytes; LOCAL_CPU_UTIL=local_cpu_percent;
    Local CPU Util %=local_cpu_percent; REMOTE_CPU_UTIL=remote_cpu_percent;
    Remote CPU Util %=remote_cpu_percent; LOCAL_SD=local_service_demand_us;
    Local Service Demand=local_service_demand_us; REMOTE_SD=remote_service_demand_us;
    Remote Service Demand=remote_service_demand_us; SD_UNITS=service_demand_per;
    RT_LATENCY=round_trip_us; MEAN_LATENCY=mean_latency_us;
    Mean Latency Microseconds=mean_latency_us; P50_LATENCY=p50_latency_us;
    50th Percentile Latency Microseconds=p50_latency_us; P90_LATENCY=p90_latency_us;
    90th Percentile Latency Microseconds=p90_latency_us; P99_LATENCY=p99_latency_us;
    99th Percentile Latency Microseconds=p99_latency_us; STDDEV_LATENCY=sd_latency_us;
    Stddev Latency Microseconds=sd_latency_us
""")
TEXTS = {"unit", "protocol", "direction", "service_demand_per"}

OMNI_HEADER = (
    "Local Remote Local Elapsed Throughput Throughput Send Socket Recv Socket Send Time Units "
    "Size Size Size (sec) Final Final"
)
OMNI_COLUMNS = (
    "local_send_socket_bytes", "remote_receive_socket_bytes", "message_bytes", "elapsed_s",
    "rate_printed",
)  # fmt: skip

_CPU = (
    "local_cpu_percent", "remote_cpu_percent", "local_service_demand_us",
    "remote_service_demand_us",
)  # fmt: skip
_STREAM = (
    "remote_receive_socket_bytes", "local_send_socket_bytes", "message_bytes", "elapsed_s",
    "rate_printed",
)  # fmt: skip
_EXCHANGE = (
    "local_send_socket_bytes", "local_receive_socket_bytes", "request_bytes", "response_bytes",
    "elapsed_s", "rate_printed",
)  # fmt: skip
_SENT = (
    "local_send_socket_bytes", "message_bytes", "elapsed_s", "messages_sent", "send_errors",
    "rate_printed",
)  # fmt: skip
_RECEIVED = ("remote_receive_socket_bytes", "elapsed_s", "messages_received", "received_printed")

_KINDS = pairs("""
    STREAM=stream MAERTS=maerts SENDFILE=sendfile REQUEST/RESPONSE=rr CONNECT/REQUEST/RESPONSE=crr
    CONNECT/CLOSE=cc
""")
_NOT_MEASURED = -1
_BITS = re.compile(r"10\^([0369])bits/s(?:ec)?$")
_BYTES = re.compile(r"([KMG]?)Bytes/s(?:ec)?$", re.I)
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3}
_UNIT = re.compile(r"(10\^\d+bits|[KMG]?Bytes) ?(/s(?:ec)?)")
_UNIT_WORD = re.compile(r"(?:10\^\d+bits|[KMG]?Bytes)(?:/s(?:ec)?)?|/s(?:ec)?")
_TEXT = (
    "recv send socket message elapsed size time throughput bytes secs. secs local remote /remote "
    "request resp. trans. trans rate per sec messages okay errors # utilization service demand "
    "alignment offset roundtrip latency usec/tran outbound inbound units (sec) final % us/kb us/tr "
    "s.dem s m i u n c method cpu sd sizes"
)
_WORDS = frozenset(_TEXT.split())


def is_heading(text: str) -> bool:
    """Whether a line has nothing but words of netperf's headings."""
    return all(word.lower() in _WORDS or _UNIT_WORD.fullmatch(word) for word in text.split())


def words(header: Sequence[str]) -> str:
    """The words of a heading of several lines, one blank between them."""
    return " ".join(" ".join(header).split())


def kind_of(title: str) -> dict[str, Any]:
    """Protocol and kind of the test, by its title."""
    protocol, _, rest = title.partition(" ")
    if protocol == "OMNI":
        return {"direction": rest or None}
    return {"protocol": protocol, "kind": _KINDS.get(rest.strip().upper(), rest.lower() or None)}


def kind_of_omni(test: dict[str, Any]) -> dict[str, Any]:
    """Kind of an omni test: by its direction and unit, for it has no name of its own."""
    if "kind" in test:
        return {}
    direction = test.get("direction") or ""
    if str(test.get("unit")).startswith("Trans") or direction in ("Send|Recv", "Recv|Send"):
        # Whether each exchange connects anew is in another key, which not all outputs have.
        return {"kind": "rr"}
    return {"kind": {"Send": "stream", "Recv": "maerts"}.get(direction)}


def classic(
    test: dict[str, Any], header: Sequence[str], numbers: Sequence[float | None], row: int
) -> dict[str, Any]:
    """Values of one row of a classic table; none if it is not of the test's shape."""
    kind, count = test.get("kind"), len(numbers)
    text = words(header)
    unit = match[1] + match[2] if (match := _UNIT.search(text)) else None
    if "Alignment" in text:
        # -v 2: alignments and offsets, then time and rate of one exchange.
        return {"round_trip_us": numbers[4]} if kind == "rr" and count == 8 else {}
    if kind in ("rr", "crr", "cc"):
        if row == 1 and count == 2:
            names: tuple[str, ...] = ("remote_send_socket_bytes", "remote_receive_socket_bytes")
            return cells(names, numbers)
        return _table(_EXCHANGE, numbers, "Trans/s", "us/Tr") if row == 0 else {}
    if test.get("protocol") == "UDP" and kind == "stream":
        if row == 1:
            if count not in (4, 6):
                return {}
            found = cells(_RECEIVED, numbers[:4])
            found.pop("elapsed_s", None)
            found |= cells(("remote_cpu_percent", "remote_service_demand_us"), numbers[4:])
            if (received := found.get("received_printed")) is not None:
                found["received_mbit_s"] = rate(received, unit or "").get("throughput_mbit_s")
            return found
        if row or count not in (6, 8):
            return {}
        more = cells(("local_cpu_percent", "local_service_demand_us"), numbers[6:])
        return cells(_SENT, numbers[:6]) | more | {"unit": unit}
    if row or kind is None:
        return {}
    return _table(_STREAM, numbers, unit, "us/KB")


def _table(
    names: tuple[str, ...], numbers: Sequence[float | None], unit: str | None, per: str
) -> dict[str, Any]:
    """A row of columns, with or without those of CPU use behind them."""
    if len(numbers) == len(names):
        return cells(names, numbers) | {"unit": unit}
    if len(numbers) == len(names) + len(_CPU):
        return cells(names + _CPU, numbers) | {"unit": unit, "service_demand_per": per}
    return {}


def cells(names: Sequence[str], numbers: Sequence[float | None]) -> dict[str, Any]:
    """Numbers by their columns, without those that were not measured."""
    found = {name: measured(name, number) for name, number in zip(names, numbers, strict=False)}
    return {name: number for name, number in found.items() if number is not None}


def measured(column: str, number: float | None) -> float | int | None:
    """A number as its column has it; None where netperf prints -1 for not measured."""
    if number is None or number == _NOT_MEASURED:
        return None
    return int(number) if TABLES[0].columns[column] == "BIGINT" else number


def number(cell: str) -> float | None:
    """The number in a cell; None for text, nan and numbers beyond reason."""
    if not re.fullmatch(r"-?\d{1,30}(?:\.\d{0,9})?", cell, re.ASCII):
        return None
    found = float(cell)
    return found if math.isfinite(found) else None


def rate(printed: float, unit: str) -> dict[str, float]:
    """The rate in transactions a second or in 10^6 bits a second; none if the unit is not known."""
    if unit.lower().startswith("trans"):
        return {"transactions_per_s": printed}
    if match := _BITS.match(unit):
        return {"throughput_mbit_s": printed * 10.0 ** (int(match[1]) - 6)}
    if match := _BYTES.match(unit):
        return {"throughput_mbit_s": printed * 1024 ** _POWERS[match[1].upper()] * 8 / 1e6}
    return {}


def instant(cell: str | None) -> datetime | None:
    """A time in seconds since 1970 as a UTC instant."""
    return datetime.fromtimestamp(float(cell), UTC).replace(tzinfo=None) if cell else None
