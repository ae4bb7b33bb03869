"""Requests and responses over TCP, on connections that stay open and on new ones."""

from __future__ import annotations

import socket
import zlib
from pathlib import Path

from studybook.errors import StudyBookError
from studybook.measure.command import Command, Experiment, Service
from studybook.measure.scale import Scale
from studybook.measure.tools import Tool, missing

NAME = "tcp-transactions"
_HERE = "127.0.0.1"

#: Beside netperf's own, at which a netserver may be running.
_FIRST_PORT = 12866
_PORTS = 1000

#: So long netserver goes on after a test of new connections, in seconds (seen, 2.7.0).
_CLOSING_S = 4.5


def experiment(scale: Scale, host: str | None, target: Path) -> Experiment | list[Tool]:
    """The experiment over loopback, or to the netserver of a host; or the tools that it lacks."""
    if lacking := missing("netperf", *(() if host else ("netserver",))):
        return lacking[:1]  # one package has both
    port = None if host else free_port(target)
    where = ("-H", host) if host else ("-H", f"{_HERE},4", "-p", str(port))
    service = (
        Service(("netserver", "-D", "-N", "-L", f"{_HERE},4", "-p", str(port)), port)
        if port
        else None
    )
    many = scale.connections
    commands = (
        _test("rr-200-1000-1.txt", where, "TCP_RR", "200,1000", scale, 1),
        _test(f"rr-200-1000-{many}.txt", where, "TCP_RR", "200,1000", scale, many),
        _test(f"crr-64-8k-{many}.txt", where, "TCP_CRR", "64,8192", scale, many),
    )
    way = (
        f"To the netserver of {host}."
        if host
        else "Over loopback: both ends are this machine, no network hardware takes part, and what"
        " netperf calls local and remote CPU are the same processors."
    )
    return Experiment(
        NAME,
        "TCP transactions by size and number of connections",
        commands,
        ("netperf",),
        (
            way,
            "The results in one file were measured at once, one connection each: the rate is their"
            " sum. The CPU use of each is that of the whole machine, so the service demand of all"
            " is the inverse of the sum of the inverses of theirs.",
            "After a test of new connections netserver goes on for some seconds, which it counts"
            " into the remote CPU use, but not into the time: of CRR, only the local one is right.",
        ),
        service,
    )


def free_port(target: Path) -> int:
    """A port on which nothing of this machine listens; the same each time, as long as that is so.

    Where the search begins depends on what is written: two that measure at once do not meet.

    Raises
    ------
    StudyBookError
        If all of them are taken.
    """
    begin = zlib.crc32(bytes(target))
    for number in range(_PORTS):
        port = _FIRST_PORT + (begin + number) % _PORTS
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind((_HERE, port))
            except OSError:
                continue
            return port
    raise StudyBookError(
        f"no port of {_FIRST_PORT} to {_FIRST_PORT + _PORTS - 1} is free for netserver\n"
        "  → stop what listens there, or leave tcp-transactions out: --experiments"
    )


def _test(
    file: str, where: tuple[str, ...], test: str, sizes: str, scale: Scale, connections: int
) -> Command:
    seconds = str(scale.tcp_s)
    return Command(
        file,
        ("netperf", *where, "-t", test, "-l", seconds, "-c", "-C", "--", "-r", sizes),
        proof=r"^\d+ +\d+ +\d+ +\d+ +\d+\.\d+ +\d+\.\d+ ",
        seconds=scale.tcp_s + (_CLOSING_S if test == "TCP_CRR" else 0.5),
        at_once=connections,
    )
