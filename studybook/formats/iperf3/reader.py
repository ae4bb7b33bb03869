"""iperf3, as ``-J`` prints it: a document for each test; or ``--json-stream``: one for each event.

Outputs of release 3.12 were recorded, and public ones to 3.21 seen. Rates are in bits a second,
10^6 of which are a Mbit. Seconds that were omitted (``-O``) are in the intervals, marked, and not
in the result. A test that failed has the key ``error``. With ``--bidir`` there are two results: the
one of the way back is not read. A server prints 0 for what only the client has counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from studybook.formats.contract import Reading, never_negative, tables
from studybook.formats.json_documents import Document, count, documents, members, number, text
from studybook.formats.raw import Head, RawFile

TABLES = never_negative(
    tables("""
iperf3_test: one test of iperf3, all its streams together
    test_no BIGINT, version VARCHAR,
    -- When it began.
    time_utc TIMESTAMP, remote VARCHAR, local VARCHAR, protocol VARCHAR, streams BIGINT,
    -- Of one write.
    message_bytes BIGINT, asked_s DOUBLE, omitted_s DOUBLE, asked_mbit_s DOUBLE,
    -- Whether the server sent.
    reverse BOOLEAN,
    elapsed_s DOUBLE, sent_bytes BIGINT, received_bytes BIGINT, sent_mbit_s DOUBLE,
    received_mbit_s DOUBLE, retransmits BIGINT,
    -- Of UDP.
    jitter_ms DOUBLE, lost_packets BIGINT, packets BIGINT,
    local_cpu_percent DOUBLE, remote_cpu_percent DOUBLE, error VARCHAR, line BIGINT

iperf3_interval: what all streams of a test moved in an interval
    test_no BIGINT, start_s DOUBLE, end_s DOUBLE,
    -- Seconds at the beginning that do not count.
    omitted BOOLEAN, moved_bytes BIGINT, rate_mbit_s DOUBLE, retransmits BIGINT, line BIGINT
""")
)

_TEST, _INTERVAL = (table.name for table in TABLES)


def recognise(head: Head) -> bool:
    """Whether the file has the keys that a document of iperf3 begins with."""
    start = head.text[:20_000]
    return '"start"' in start and '"version"' in start and '"iperf 3' in start


def read(raw: RawFile, out: Reading) -> None:
    """Read every document of the file."""
    test_no = 0
    for document in _tests(documents(raw, out, "iperf3")):
        found = members(document.value)
        start, end = members(found.get("start")), members(found.get("end"))
        if not (text(start.get("version")) or "").startswith("iperf 3"):
            out.remark(document.line, "this document is none of iperf3")
            for line in range(document.line, document.line + document.lines):
                out.unknown(line, "")
            continue
        error = text(found.get("error"))
        test = _test(start) | _result(end) | {"error": error}
        if "accepted_connection" in start:
            _leave_out_what_a_server_does_not_know(test)
        if error:
            out.remark(document.line, f"this test of iperf3 failed: {error}")
        elif test["sent_mbit_s"] is None and test["received_mbit_s"] is None:
            out.remark(document.line, "this test of iperf3 has no result")
        if "sum_sent_bidir_reverse" in end:
            out.remark(document.line, "the way back of this test (--bidir) is not read")
        out.record(_TEST, test_no=test_no, line=document.line, **test)
        intervals = found.get("intervals")
        for each in intervals if isinstance(intervals, list) else []:
            summed = members(members(each).get("sum"))
            if (rate := number(summed.get("bits_per_second"))) is not None:
                omitted = summed.get("omitted")
                out.record(
                    _INTERVAL, test_no=test_no, start_s=number(summed.get("start")),
                    end_s=number(summed.get("end")),
                    omitted=omitted if isinstance(omitted, bool) else None,
                    moved_bytes=count(summed.get("bytes")), rate_mbit_s=rate / 1e6,
                    retransmits=count(summed.get("retransmits")), line=document.line,
                )  # fmt: skip
        out.used(document.lines)
        test_no += 1


def _tests(found: Iterator[Document]) -> Iterator[Document]:
    """Documents of tests, those of a stream of events put together."""
    events: list[Document] = []
    for each in found:
        event = members(each.value).get("event")
        if events and event in (None, "start"):
            yield _of_events(events)
            events = []
        if event is None:
            yield each
        else:
            events.append(each)
    if events:
        yield _of_events(events)


def _of_events(events: list[Document]) -> Document:
    """The document of a test that its events make up."""
    whole: dict[str, Any] = {"intervals": []}
    for each in events:
        event, data = each.value.get("event"), each.value.get("data")
        if event == "interval":
            whole["intervals"].append(data)
        elif event in ("start", "end", "error"):
            whole[event] = data
    return Document(events[0].line, sum(each.lines for each in events), whole)


def _leave_out_what_a_server_does_not_know(test: dict[str, Any]) -> None:
    """Take zeros out of the results of a server for bytes that went over its connection."""
    for side, other in (("sent", "received"), ("received", "sent")):
        if test[f"{side}_bytes"] == 0 and test[f"{other}_bytes"]:
            test[f"{side}_bytes"] = test[f"{side}_mbit_s"] = None


def _test(start: dict[str, Any]) -> dict[str, Any]:
    """What was asked of a test."""
    asked = members(start.get("test_start"))
    peers = start.get("connected")
    peer = members(peers[0]) if isinstance(peers, list) and peers else {}
    seconds = number(members(start.get("timestamp")).get("timesecs"))
    # 0 stands for as fast as it goes.
    wanted = number(asked.get("target_bitrate"))
    reverse = count(asked.get("reverse"))
    return {
        "version": text(start.get("version")), "time_utc": _instant(seconds),
        "remote": text(peer.get("remote_host"))
        or text(members(start.get("connecting_to")).get("host")),
        "local": text(peer.get("local_host")), "protocol": text(asked.get("protocol")),
        "streams": count(asked.get("num_streams")), "message_bytes": count(asked.get("blksize")),
        "asked_s": number(asked.get("duration")) or None, "omitted_s": number(asked.get("omit")),
        "asked_mbit_s": wanted / 1e6 if wanted else None,
        "reverse": None if reverse is None else reverse != 0,
    }  # fmt: skip


def _result(end: dict[str, Any]) -> dict[str, Any]:
    """What came of a test."""
    sent, received = members(end.get("sum_sent")), members(end.get("sum_received"))
    # Of UDP, older releases have one sum, of what was sent, with the loss that the receiver saw.
    datagrams = received if "jitter_ms" in received else members(end.get("sum"))
    sent = sent or datagrams
    processors = members(end.get("cpu_utilization_percent"))
    of_sent, of_received = (number(each.get("bits_per_second")) for each in (sent, received))
    return {
        "elapsed_s": number(sent.get("seconds")), "sent_bytes": count(sent.get("bytes")),
        "received_bytes": count(received.get("bytes")),
        "sent_mbit_s": None if of_sent is None else of_sent / 1e6,
        "received_mbit_s": None if of_received is None else of_received / 1e6,
        "retransmits": count(sent.get("retransmits")),
        "jitter_ms": number(datagrams.get("jitter_ms")),
        "lost_packets": count(datagrams.get("lost_packets")),
        "packets": count(datagrams.get("packets")),
        "local_cpu_percent": number(processors.get("host_total")),
        "remote_cpu_percent": number(processors.get("remote_total")),
    }  # fmt: skip


def _instant(seconds: float | None) -> datetime | None:
    """Seconds since 1970 as a UTC instant."""
    if seconds is None or not 0 < seconds < 4e9:
        return None
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
