"""Load drivers that print a summary of each execution: the tables that they have in common.

Such a driver keeps no samples: what it prints of an execution as a whole is all that there is. Its
percentiles can neither be put together with those of another execution nor cut to a phase.
"""

from __future__ import annotations

from studybook.formats.contract import Table, never_negative, tables

_TABLES = """
{source}_run: one execution of {tool}, as it sums it up
    run_no BIGINT, version VARCHAR, url VARCHAR,
    -- When the first request was sent, where that is told.
    time_utc TIMESTAMP,
    -- Asked for.
    threads BIGINT, connections BIGINT, asked_s DOUBLE, asked_per_s DOUBLE,
    duration_s DOUBLE,
    -- Responses of any status; of which so many say that the request failed.
    responses BIGINT, bad_responses BIGINT,
    -- Of another length than the first, which ab counts as failed.
    other_length BIGINT,
    -- Requests, or attempts at a connection, that got no response.
    no_response BIGINT, timeouts BIGINT,
    requests_per_s DOUBLE, mean_ms DOUBLE, sd_ms DOUBLE, min_ms DOUBLE, max_ms DOUBLE,
    received_bytes DOUBLE,
    -- complete; percentiles where the file has nothing else; cut or failed where the summary ends
    -- before its counts do: of such an execution nothing is used.
    status VARCHAR, error VARCHAR, {more} line BIGINT

{source}_percentile: the response time that a share of the requests of an execution did not exceed
    run_no BIGINT,
    -- response time; of wrk2 it is corrected for requests that were sent late, and uncorrected is
    -- the time without that.
    measure VARCHAR, percent DOUBLE, response_ms DOUBLE, requests BIGINT, line BIGINT
"""

#: Numbers as these tools print them, none longer than a double can hold.
COUNT = r"(\d{1,15})"
NUMBER = r"(\d{1,15}(?:\.\d{1,12})?)"

_MS = {
    "ns": 1e-6, "us": 1e-3, "µs": 1e-3, "μs": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4, "h": 3.6e6,
}  # fmt: skip
_BINARY = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}


def load_tables(source: str, tool: str, more: str = "") -> tuple[Table, Table]:
    """The tables of a load driver: executions, and their percentiles.

    Parameters
    ----------
    source : str
        The kind of raw export, which the names of the tables begin with.
    tool : str
        The driver's name, for people.
    more : str, optional
        Columns of executions that no other driver has, as ``CREATE TABLE`` has them.
    """
    listed = _TABLES.format(source=source, tool=tool, more=more and f"{more},")
    runs, percentiles = never_negative(tables(listed))
    return runs, percentiles


def ms_of(number: str, unit: str) -> float:
    """A time in milliseconds, of a number and a unit from ns to h."""
    return float(number) * _MS[unit]


def bytes_of(number: str, unit: str) -> float:
    """A size in bytes; K, M, G, … are powers of 1024."""
    return float(number) * 1024.0 ** _BINARY[unit]
