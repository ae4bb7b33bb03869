"""A book of an invented study: tickets of a tram, asked of a service by JMeter."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import yaml

#: Start of the first run.
BEGIN = datetime(2031, 3, 3, 6, 0, tzinfo=UTC)


def write_jtl(path: Path, start: datetime, mean_ms: float, seed: int, *, seconds: int) -> None:
    """Write samples of ten users who ask ten times a second, with times around a mean."""
    random = np.random.default_rng(seed)
    first = int(start.timestamp() * 1000)
    lines = ["timeStamp,elapsed,label,responseCode,success,allThreads"]
    for number in range(seconds * 10):
        elapsed = max(1, round(float(random.gamma(8, mean_ms / 8))))
        label = ("Buy", "Look up")[number % 2]
        failed = random.random() < 0.002
        code = "500,false" if failed else "200,true"
        lines.append(f"{first + number * 100},{elapsed},{label},{code},10")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def add_run(
    root: Path, data_set: str, run: str, factors: Mapping[str, object], mean_ms: float,
    *, day: int = 0, seed: int = 0, seconds: int = 400,
) -> None:  # fmt: skip
    """Add a run to the study ``tram-tickets`` of a data set."""
    (root / "_config.yml").write_text("title: Trams\n", encoding="utf-8")
    folder = root / "data/raw" / data_set / "tram-tickets" / run
    folder.mkdir(parents=True)
    start = BEGIN + timedelta(days=day)
    write_jtl(folder / "tickets.jtl", start, mean_ms, seed, seconds=seconds)
    manifest = {
        "study": "tram-tickets", "run": run, "title": run, "origin": "simulated",
        "time_zone": "UTC", "start": start.strftime("%Y-%m-%dT%H:%M:%S"), "factors": dict(factors),
        "files": [{"path": "tickets.jtl", "provenance": "generated"}],
    }  # fmt: skip
    (folder / "run.yml").write_text(yaml.safe_dump(manifest), encoding="utf-8")
