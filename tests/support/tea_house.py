"""A study that the library does not know, of an invented name: a shop for tea, with small runs.

Each run has the results of a load driver (JMeter's CSV) and sar of two hosts. How slow the shop is,
and how busy its hosts are, is by the test's own numbers.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import yaml

STUDY = "tea-house"
START = datetime(2024, 6, 14, 12, 0, 0, tzinfo=UTC)
SECONDS = 600
HOSTS = {"samovar1": "kettle", "samovar2": "kettle", "till": "counter"}

#: The words of the study, with a metric of its own.
WORDS = """\
study: tea-house
factors:
  users: {meaning: virtual users, values: [100, 200]}
  blend: {meaning: kind of tea, values: [green, black]}
  repetition: {meaning: number of the repetition, whole_from: 1}
roles:
  kettle: boils water
  counter: {meaning: takes money}
metrics:
  orders_failed: {label: Orders that failed, better: lower, decimals: 0}
  order_mean_ms: {label: Mean time of an order, unit: ms, better: lower, decimals: 0}
  slowest_order_ms: {label: Slowest order, unit: ms, better: lower, decimals: 0}
"""

#: It needs nothing of the package but a table of records and the models.
OWN_METRIC = """\
WITH sample AS (SELECT f.run_id, s.* FROM jtl_sample s JOIN raw_file f USING (file_id))
SELECT run_id, 'orders_failed' AS metric, MAP {}::MAP(VARCHAR, VARCHAR) AS own,
    (count(*) FILTER (NOT success))::DOUBLE AS value
FROM sample GROUP BY run_id
UNION ALL
SELECT run_id, 'order_mean_ms', MAP {'label': label}, avg(elapsed_ms)
FROM sample GROUP BY run_id, label
UNION ALL
SELECT run_id, 'slowest_order_ms', MAP {}, max(elapsed_ms) FROM sample GROUP BY run_id
"""


def add_study(root: Path) -> None:
    """Write the words of the study and its own metrics into a project."""
    folder = root / "pipelines" / STUDY
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.yml").write_text(WORDS, encoding="utf-8")
    (folder / "own_metric.sql").write_text(OWN_METRIC, encoding="utf-8")
    said = "{meaning: Metrics of the shop alone., key: [run_id, metric, own]}"
    meaning = f"models:\n  own_metric: {said}\n"
    (folder / "schema.yml").write_text(meaning, encoding="utf-8")


def write_goals(root: Path, text: str, study: str = STUDY) -> Path:
    """Write the goals of a study; each entry of a list stands below the key goals."""
    path = root / "pipelines" / study / "goals.yml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def add_run(
    root: Path, run: str, factors: dict[str, Any], *, data_set: str = "mine", checkout_ms: float,
    busy: dict[str, float], failed: int = 0, seed: int = 1,
) -> None:  # fmt: skip
    """Write one run.

    Parameters
    ----------
    root : pathlib.Path
        The project.
    run, factors, data_set
        Its name, its factors and the data set that it is of.
    checkout_ms : float
        Mean time of the label checkout; that of search is half of it.
    busy : dict
        Mean share of their time that hosts are at work, in per cent.
    failed : int
        Requests that fail.
    seed : int
        Of the noise.
    """
    folder = root / "data/raw" / data_set / STUDY / run
    folder.mkdir(parents=True)
    noise = np.random.default_rng(seed)
    (folder / "results.jtl").write_text(_jtl(factors, checkout_ms, failed, noise), encoding="utf-8")
    for host in busy:
        (folder / f"{host}.txt").write_text(_sar(host, busy[host], noise), encoding="utf-8")
    manifest = {
        "study": STUDY, "run": run, "title": run, "origin": "measured", "time_zone": "UTC",
        "factors": factors, "hosts": [{"name": name, "role": HOSTS[name]} for name in busy],
        "files": [{"path": path, "provenance": "generated"}
                  for path in ("results.jtl", *(f"{host}.txt" for host in busy))],
    }  # fmt: skip
    (folder / "run.yml").write_text(yaml.safe_dump(manifest), encoding="utf-8")


def _jtl(
    factors: dict[str, Any], checkout_ms: float, failed: int, noise: np.random.Generator
) -> str:
    lines = ["timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,allThreads"]
    start_ms = int(START.timestamp() * 1000)
    for number in range(SECONDS * 4):
        label, mean = (("checkout", checkout_ms), ("search", checkout_ms / 2))[number % 2]
        elapsed = round(mean * float(noise.normal(1, 0.1)))
        good = "false" if number < failed else "true"
        users = factors.get("users", 10)
        lines.append(
            f"{start_ms + number * 250},{elapsed},{label},200,OK,buyers 1-1,{good},{users}"
        )
    return "\n".join(lines) + "\n"


def _sar(host: str, busy: float, noise: np.random.Generator) -> str:
    heading = "        CPU     %user     %nice   %system   %iowait    %steal     %idle"
    lines = [f"Linux 5.14.0-70.el9.x86_64 ({host}) \t2024-06-14 \t_x86_64_\t(4 CPU)", ""]
    lines.append(f"12:00:00{heading}")
    for number in range(1, SECONDS // 10 + 1):
        time = (START + timedelta(seconds=10 * number)).strftime("%H:%M:%S")
        user = busy * float(noise.normal(1, 0.03))
        none = "      0.00" * 4
        lines.append(f"{time}        all {user:9.2f}{none} {100 - user:9.2f}")
    return "\n".join(lines) + "\n"
