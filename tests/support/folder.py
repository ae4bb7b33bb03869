"""A folder of raw exports such as people have: load drivers and sar, nothing said of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from random import Random

from studybook.intake.look import Seen

#: When the first run begins.
BEGIN = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)

_HEAD = "timeStamp,elapsed,label,responseCode,success,bytes,grpThreads,allThreads\n"


def write_jtl(path: Path, begin: datetime, minutes: float = 4, users: int = 20) -> None:
    """Write a JMeter log: two requests in a second, of two labels."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rng = Random(users)  # noqa: S311 - invented load
    rows = [
        f"{int((begin.timestamp() + each / 2) * 1000)},{rng.randint(20, 60) + users},"
        f"{'checkout' if each % 3 else 'browse'},200,true,512,{users},{users}"
        for each in range(int(minutes * 120))
    ]
    path.write_text(_HEAD + "\n".join(rows) + "\n", encoding="utf-8")


def write_sar(
    path: Path, begin: datetime, host: str, minutes: int = 4, busy: float = 40, date: str = ""
) -> None:
    """Write what ``sar -u`` prints every ten seconds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    head = f"Linux 6.1.0 ({host}) \t{date or begin.strftime('%Y-%m-%d')} \t_x86_64_\t(4 CPU)\n\n"
    title = "        CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
    rows = [
        f"{begin + timedelta(seconds=10 * each):%H:%M:%S}        all {busy:9.2f}      0.00"
        f"      2.00      1.00      0.00 {97 - busy:9.2f}\n"
        for each in range(1, minutes * 6 + 1)
    ]
    path.write_text(f"{head}{begin:%H:%M:%S}{title}{''.join(rows)}", encoding="utf-8")


def write_runs(
    folder: Path,
    levels: tuple[int, ...] = (10, 20, 40, 80),
    repetitions: int = 3,
    hosts: tuple[str, ...] = ("web1", "db1"),
) -> Path:
    """Write runs with several levels of users, and repetitions of each: a folder for each run."""
    for number, (users, repetition) in enumerate(product(levels, range(1, repetitions + 1))):
        begin = BEGIN + timedelta(minutes=10 * number)
        place = folder / f"users-{users}-rep{repetition}"
        write_jtl(place / "results.jtl", begin, users=users)
        for each in hosts:
            write_sar(place / f"sar-{each}.txt", begin, each, busy=users, date="11/02/2026")
    return folder


def seen(
    name: str,
    at: tuple[float, float] | None = None,
    source: str = "sar",
    host: str = "",
    clock: str = "UTC",
) -> Seen:
    """A file as a look at it found it; ``at`` are minutes since the beginning."""
    first, last = (
        (None, None)
        if at is None
        else ((BEGIN + timedelta(minutes=each)).replace(tzinfo=None) for each in at)
    )
    return Seen(
        Path(name), name, name, f"{source}-x", source, (host,) if host else (), first, last,
        clock if at else "",
    )  # fmt: skip
