"""Small runs of an invented lab, each with one thing wrong: a load driver's log, sar of a host.

A load begins a minute after sar, and ends as long before it; the host works as the load has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import yaml

BEGIN = datetime(2026, 11, 3, 9, 0, 0, tzinfo=UTC)
#: Of the load, in seconds.
LENGTH = 720
USERS = 20
PER_S = 3

_JTL = "timeStamp,elapsed,label,responseCode,success,bytes,grpThreads,allThreads\n"
_CPU = "        CPU     %user     %nice   %system   %iowait    %steal     %idle\n"

Requests = Iterator[tuple[float, float]]


def requests(
    from_s: float = 0, to_s: float = LENGTH, ms: Callable[[float, Random], float] | None = None
) -> Requests:
    """When requests begin, in seconds, and how long they take, in ms: three in a second."""
    noise = Random(int(from_s) + 1)  # noqa: S311 - invented load
    for number in range(int((to_s - from_s) * PER_S)):
        at = from_s + number / PER_S + noise.uniform(0, 0.2)
        yield at, ms(at, noise) if ms else noise.uniform(80, 120)


def jtl(
    sent: Sequence[tuple[float, float]] | Requests, users: int = USERS, begin: datetime = BEGIN
) -> str:
    """A log of JMeter; the users come within half a minute."""
    rows = []
    for at, ms in sent:
        there = min(users, 1 + int(at * users / 30))
        stamp = int(begin.timestamp() * 1000 + at * 1000)
        rows.append(f"{stamp},{ms:.0f},order,200,true,512,{there},{there}\n")
    return _JTL + "".join(rows)


def busy(at: float) -> float:
    """How busy a host is, in per cent, so many seconds after the load began."""
    return 60 + 5 * ((at // 10 * 7) % 5 - 2) if 0 < at <= LENGTH else 4 + at % 3


def sar(
    host: str = "web1",
    begin: datetime = BEGIN,
    *,
    shift: float = 0,
    at: Callable[[float], float] = busy,
    line: Callable[[float, str], str] | None = None,
    to_s: float = LENGTH + 60,
) -> str:
    """What ``sar -u 10`` prints, from a minute before the load on, by a clock that may be off.

    Parameters
    ----------
    host, begin
        Of the host, and of the load.
    shift : float
        Seconds by which its clock is ahead.
    at : callable
        How busy it is, by seconds since the load began.
    line : callable, optional
        What stands in the place of a line, by the seconds and the line.
    to_s : float
        When it ends.
    """
    printed = begin + timedelta(seconds=shift)
    first = printed - timedelta(seconds=60)
    lines = [f"Linux 6.1.0 ({host}) \t{first:%Y-%m-%d} \t_x86_64_\t(4 CPU)\n\n"]
    lines.append(f"{first:%H:%M:%S}{_CPU}")
    for seconds in range(-50, int(to_s) + 1, 10):
        work = at(seconds)
        text = (
            f"{printed + timedelta(seconds=seconds):%H:%M:%S}        all {work:9.2f}      0.00"
            f"      0.00      0.00      0.00 {100 - work:9.2f}\n"
        )
        lines.append(line(seconds, text) if line else text)
    return "".join(lines)


def disks(queue: float, await_ms: float) -> str:
    """What ``sar -d`` prints of a disk with 100 transfers in a second."""
    head = f"Linux 6.1.0 (web1) \t{BEGIN:%Y-%m-%d} \t_x86_64_\t(4 CPU)\n\n"
    names = ("DEV", "tps", "rkB/s", "wkB/s", "dkB/s", "areq-sz", "aqu-sz", "await", "%util")
    title = "".join(f"{name:>12}" for name in names) + "\n"
    values = (100, 400, 400, 0, 8, queue, await_ms, 40)
    row = f"{'sda':>12}" + "".join(f"{value:12.2f}" for value in values)
    rows = [
        f"{BEGIN + timedelta(seconds=10 * each):%H:%M:%S}{row}\n" for each in range(1, LENGTH // 10)
    ]
    return f"{head}{BEGIN:%H:%M:%S}{title}{''.join(rows)}"


def add_run(root: Path, run: str, files: Mapping[str, str | bytes], **said: Any) -> None:
    """Write a run of the study ``lab``, or of that which ``said`` names.

    Parameters
    ----------
    root : pathlib.Path
        The book.
    run : str
        Its name.
    files : mapping
        What its files hold.
    **said
        Keys of its manifest, in the place of those of a good run.
    """
    study = said.get("study", "lab")
    folder = root / "data/raw/mine" / study / run
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    manifest: dict[str, Any] = {
        "study": study, "run": run, "title": run, "origin": "measured", "time_zone": "UTC",
        "factors": {"users": USERS}, "hosts": [{"name": "web1", "role": "web"}],
        "files": [{"path": name} for name in files],
    }  # fmt: skip
    (folder / "run.yml").write_text(yaml.safe_dump(manifest | said), encoding="utf-8")
