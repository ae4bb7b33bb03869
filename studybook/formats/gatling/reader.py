"""The log of Gatling to release 3.12: one record per line, tabs between its fields.

Three layouts are known, told by the number of fields and by where the numbers stand:

* 2.2 and 2.3: scenario and user in front of each record; of a request
  ``REQUEST scenario user groups name start end status message``;
* 3.0 to 3.3: the user only, ``REQUEST user groups name start end status message``;
* 3.4 to 3.12: neither, ``REQUEST groups name start end status message``.

Since release 3.13 it is binary, and of a layout that is its own affair.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading, Table, tables
from studybook.formats.quoted_rows import END_S, EPOCH, FIRST_S
from studybook.formats.raw import LONGEST_LINE, Head, RawFile

TABLES = RUN, REQUEST, GROUP, USER, ERROR = tables("""
gatling_run: one run of a simulation
    time_utc TIMESTAMP, simulation VARCHAR, simulation_id VARCHAR, description VARCHAR,
    -- Of release 2: 2.0, the version of the log.
    version VARCHAR, line BIGINT

gatling_request: one request; a redirect is one of its own
    time_utc TIMESTAMP, end_utc TIMESTAMP, elapsed_ms BIGINT,
    -- Scenario of release 2; number of the virtual user to 3.3.
    scenario VARCHAR, user_no VARCHAR,
    -- Outer to inner, with commas between them.
    group_path VARCHAR, name VARCHAR, success BOOLEAN, message VARCHAR, line BIGINT

gatling_group: one pass of a virtual user through a group of requests
    time_utc TIMESTAMP, end_utc TIMESTAMP,
    -- From first to last, with pauses; and the response times of its requests together.
    duration_ms BIGINT, elapsed_ms BIGINT, scenario VARCHAR, user_no VARCHAR, group_path VARCHAR,
    success BOOLEAN, line BIGINT

gatling_user: the start or the end of one virtual user
    time_utc TIMESTAMP, starts BOOLEAN, scenario VARCHAR, user_no VARCHAR, line BIGINT

gatling_error: one error of a scenario: a request that could not be made
    time_utc TIMESTAMP, message VARCHAR, line BIGINT
""")

#: What stands in front of the groups, by layout.
_BEFORE: tuple[tuple[str, ...], ...] = (("scenario", "user_no"), ("user_no",), ())
_SUCCESS = {"OK": True, "KO": False}
_RECORDS = ("RUN", "REQUEST", "USER", "GROUP", "ERROR", "ASSERTION")

#: No group has taken longer than three years.
_LONGEST_MS = 10**11
_WHOLE = re.compile(r"\d{1,15}", re.A)

Found = tuple[Table, dict[str, Any]]


def recognise(head: Head) -> bool:
    """Whether the file begins with a record of Gatling's; assertions may stand in front."""
    lines = [line for line in head.text.split("\n") if line.strip()]
    first = next((each for each in lines if not each.startswith("ASSERTION\t")), "")
    return _record(first.lstrip("\ufeff").removesuffix("\r")) is not None


def read(raw: RawFile, out: Reading) -> None:
    """Read the records of the log.

    Raises
    ------
    Refused
        If there is no request in it.
    """
    requests = assertions = old = 0
    for number, line in raw.lines():
        if not line.strip():
            out.heading()
        elif line.startswith("ASSERTION\t"):
            assertions += 1
            out.heading()
        elif found := _record(line):
            table, row = found
            out.record(table.name, **row, line=number)
            out.used()
            requests += table is REQUEST
            old += table is REQUEST and "scenario" in row
        else:
            out.unknown(number, line)
    if not requests:
        raise Refused(
            "is a log of Gatling without a request",
            "take the simulation.log of a run that made requests, below results/<run>/",
            line=out.first_unknown,
        )
    if assertions:
        out.remark(1, f"{assertions} assertions are not kept: they are encoded")
    if old:
        out.certainty = "inferred"


def _record(line: str) -> Found | None:
    """Read a record; None if it is none."""
    fields = line.split("\t")
    # A line of that length may be cut off.
    if fields[0] not in _RECORDS or len(line) >= LONGEST_LINE // 4:
        return None
    if fields[0] == "RUN":
        return _run(fields)
    if fields[0] == "USER":
        return _user(fields)
    if fields[0] == "ERROR":
        return _error(fields)
    for before in _BEFORE:
        rest = fields[1 + len(before) :]
        row = _request(rest) if fields[0] == "REQUEST" else _group(rest)
        if row is not None:
            given = dict(zip(before, fields[1:], strict=False))
            return (REQUEST if fields[0] == "REQUEST" else GROUP), {**given, **row}
    return None


def _request(fields: list[str]) -> dict[str, Any] | None:
    """Read ``groups name start end status message``; release 2 may add fields of one's own."""
    if len(fields) < 5 or fields[4] not in _SUCCESS:
        return None
    span = _span(fields[2], fields[3])
    if span is None:
        return None
    begin, end, elapsed = span
    return {
        "group_path": fields[0] or None, "name": fields[1], "time_utc": begin, "end_utc": end,
        "elapsed_ms": elapsed, "success": _SUCCESS[fields[4]],
        "message": " ".join(fields[5:]).strip() or None,
    }  # fmt: skip


def _group(fields: list[str]) -> dict[str, Any] | None:
    """Read ``groups start end cumulated status``."""
    if len(fields) != 5 or fields[4] not in _SUCCESS or not _WHOLE.fullmatch(fields[3]):
        return None
    span = _span(fields[1], fields[2])
    if span is None or int(fields[3]) > _LONGEST_MS:
        return None
    begin, end, duration = span
    return {
        "group_path": fields[0] or None, "time_utc": begin, "end_utc": end,
        "duration_ms": duration, "elapsed_ms": int(fields[3]), "success": _SUCCESS[fields[4]],
    }  # fmt: skip


def _user(fields: list[str]) -> Found | None:
    """Read ``scenario user START|END start end``, or since 3.4 ``scenario START|END time``."""
    user: dict[str, Any] = {"scenario": fields[1]} if len(fields) > 1 else {}
    if len(fields) == 6:
        user["user_no"] = fields[2]
        event, time = fields[3], fields[4] if fields[3] == "START" else fields[5]
    elif len(fields) == 4:
        event, time = fields[2], fields[3]
    else:
        return None
    at = _time(time)
    if event not in ("START", "END") or at is None:
        return None
    return USER, {**user, "starts": event == "START", "time_utc": at}


def _run(fields: list[str]) -> Found | None:
    """Read ``class id start description version``; release 2 has two names for the id."""
    names = fields[1:-3]
    at = _time(fields[-3]) if len(fields) in (6, 7) else None
    if at is None:
        return None
    return RUN, {
        "simulation": names[0], "simulation_id": next(filter(None, reversed(names[1:])), None),
        "time_utc": at, "description": fields[-2].strip() or None, "version": fields[-1] or None,
    }  # fmt: skip


def _error(fields: list[str]) -> Found | None:
    """Read ``message time``; the message may have tabs of its own."""
    at = _time(fields[-1]) if len(fields) > 2 else None
    return (ERROR, {"message": " ".join(fields[1:-1]), "time_utc": at}) if at else None


def _span(first: str, last: str) -> tuple[datetime, datetime, int] | None:
    begin, end = _time(first), _time(last)
    if begin is None or end is None or end < begin:
        return None
    return begin, end, int(last) - int(first)


def _time(text: str) -> datetime | None:
    """A time in milliseconds since 1970, in UTC."""
    if not _WHOLE.fullmatch(text) or not 1000 * FIRST_S <= int(text) < 1000 * END_S:
        return None
    return EPOCH + timedelta(milliseconds=int(text))


#: The record of the run comes first: its kind, which is 0, and the release as a string, whose
#: length stands in front of it.
_BINARY = re.compile(rb"\x00\x00\x00\x00[\x03-\x40](\d+\.\d+[\w.-]*)")


def recognise_binary(head: Head) -> bool:
    """Whether the file begins with the record of a run."""
    return _BINARY.match(head.data) is not None


def refuse_binary(raw: RawFile, out: Reading) -> None:
    """Refuse the file, always."""
    match = _BINARY.match(raw.head.data)
    release = match[1].decode("ascii", "replace") if match else "3.13 or later"
    raise Refused(
        f"is the binary log of Gatling {release}: newer releases (3.13 and later) no longer write"
        " simulation.log as text, and its layout may change with each of them",
        "run the test with a release that still writes text (3.12 or earlier); the HTML report"
        " beside the log holds sums only, and cannot be read instead",
    )
