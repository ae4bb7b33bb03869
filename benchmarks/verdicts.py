"""Verdicts beside those of other tools, on the same numbers; the page ``docs/verdicts.md``.

``compare`` stands against benchstat and pyperf, ``history`` against Apache Otava. None of them is
needed by this project. ``python -m benchmarks.verdicts`` is told where they are: ``--benchstat``,
the program; ``--python``, one that has pyperf and apache-otava; ``--sample``, Otava's own
(``examples/csv/data/local_sample.csv`` of its repository).
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.change_points import BESIDE, NOISES
from studybook.frames.verdicts import ALPHA
from studybook.statistics.change import changes
from studybook.statistics.difference import of_repetitions

PAGE = Path(__file__).resolve().parent.parent / "docs/verdicts.md"

#: Histories of each kind that Otava and ``history`` judge.
HISTORIES = 200

Values = npt.NDArray[np.float64]

#: Runs within a history, and after how many a change of a tenth begins; none is 0.
KINDS = {
    "20 runs, normal noise, no change": ("normal", 20, 0),
    "50 runs, normal noise, no change": ("normal", 50, 0),
    "50 runs, heavy tails (t3), no change": ("heavy tails (t3)", 50, 0),
    "50 runs, log-normal noise, no change": ("skewed (log-normal)", 50, 0),
    "50 runs, one in twenty far out, no change": ("one in twenty far out", 50, 0),
    "20 runs, then five that are 10 % higher": ("normal", 25, 20),
    "30 runs, then five that are 10 % higher": ("normal", 35, 30),
}

_OTAVA = """
import json, sys
from otava.series import Metric, Series
told = []
for values in json.load(sys.stdin):
    n = len(values)
    series = Series("t", None, list(range(n)), {"m": Metric(1, 1.0)}, {"m": values}, {})
    found = series.analyze().change_points["m"]
    told.append([int(point.index) for point in found])
print(json.dumps(told))
"""


def pairs() -> dict[str, tuple[Values, Values]]:
    """Two sides each, around 100 ms with a deviation of 3: what they are, and their values."""
    random = np.random.default_rng(18)

    def side(n: int, mean: float = 100, deviation: float = 3) -> Values:
        return np.round(random.normal(mean, deviation, n), 3)

    skewed = [np.round(100 * np.exp(0.3 * random.standard_normal(12)), 3) for _ in range(2)]
    far = side(10)
    far[4] = 150
    return {
        "ten and ten, no difference": (side(10), side(10)),
        "ten and ten, 2 % more": (side(10), side(10, 102)),
        "ten and ten, 10 % more": (side(10), side(10, 110)),
        "three and three, 10 % more": (side(3), side(3, 110)),
        "three and three, 50 % more": (side(3), side(3, 150)),
        "four and four, 50 % more": (side(4), side(4, 150)),
        "two and two, 50 % more": (side(2), side(2, 150)),
        "twenty and five, the five scatter six times as much": (side(20), side(5, 104, 18)),
        "five and twenty, the five scatter six times as much": (side(5, 104, 18), side(20)),
        "ten and ten, 10 % more, one run of the first far out": (far, side(10, 110)),
        "twelve and twelve, log-normal, no difference": (skewed[0], skewed[1]),
        "three and three, all alike (50.6 and 0.5)": (np.full(3, 50.6), np.full(3, 0.5)),
    }


def _said(command: list[str | Path], folder: str | None = None, given: str = "") -> str:
    """What a program prints, that whoever runs this has named."""
    return subprocess.run(  # noqa: S603 - what the caller names
        command, cwd=folder, input=given, check=True, capture_output=True, text=True
    ).stdout


def by_us(first: Values, second: Values) -> tuple[bool, str]:
    """Whether ``compare`` tells a difference, and by what."""
    found = of_repetitions(list(first), list(second))
    return bool(found.p < ALPHA), f"p {found.p:.2g}, {found.test}"


def by_benchstat(program: Path, first: Values, second: Values) -> tuple[bool, str]:
    """The same of benchstat: the Mann-Whitney U test."""
    with tempfile.TemporaryDirectory() as folder:
        for name, values in {"a": first, "b": second}.items():
            lines = [f"BenchmarkX 1 {value * 1e6:.0f} ns/op\n" for value in values]
            (Path(folder) / name).write_text("".join(lines), encoding="utf-8")
        said = _said([program, "-format", "csv", "a", "b"], folder)
    row = next(each for each in csv.reader(said.splitlines()) if each and each[0] == "X")
    return row[-2] != "~", row[-1].split()[0].replace("=", " ")


def by_pyperf(python: Path, first: Values, second: Values) -> tuple[bool, str]:
    """The same of ``pyperf compare_to``: Student's t test of 95 %."""
    with tempfile.TemporaryDirectory() as folder:
        for name, values in {"a": first, "b": second}.items():
            runs = [{"values": [float(value) / 1000]} for value in values]
            made = {"version": "1.0", "metadata": {"name": "x", "unit": "second"},
                    "benchmarks": [{"runs": runs}]}  # fmt: skip
            (Path(folder) / f"{name}.json").write_text(json.dumps(made), encoding="utf-8")
        said = _said([python, "-m", "pyperf", "compare_to", "-v", "a.json", "b.json"], folder)
    if "ERROR when testing" in said:
        return True, "its test fails, and it says: significant"
    statistic = re.search(r"t=(-?[\d.]+)", said)
    return "Not significant" not in said, f"t {statistic[1]}" if statistic else "t test"


def by_otava(python: Path, histories: list[Values]) -> list[list[int]]:
    """The places of the changes that Otava tells in each history, as it comes."""
    given = json.dumps([[float(value) for value in each] for each in histories])
    return list(json.loads(_said([python, "-c", _OTAVA], given=given)))


def made(noise: str, runs: int, change: int) -> list[Values]:
    """Histories of a kind, from a fixed seed."""
    random = np.random.default_rng([7, runs, change])
    found = [NOISES[noise](random, runs) for _ in range(HISTORIES)]
    for each in found:
        if change:
            each[change:] *= 1.1
    return found


def share(told: list[list[int]], change: int) -> str:
    """Of how many histories a change was told: any, or the one that there is."""
    hits = [any(not change or abs(at - change) <= BESIDE for at in each) for each in told]
    return f"{100 * sum(hits) / len(hits):.1f} %"


#: Why a verdict is another one than ours: by the pair and the tool.
REASONS = {
    ("three and three, 10 % more", "benchstat"): "of three and three no U test can have p < 0.05",
    ("three and three, 50 % more", "benchstat"): "of three and three no U test can have p < 0.05",
    ("three and three, all alike (50.6 and 0.5)", "benchstat"): (
        "of three and three no U test can have p < 0.05"
    ),
    ("two and two, 50 % more", "benchstat"): "of two and two no U test can have p < 0.05",
}


def page(benchstat: Path, python: Path, sample: Path) -> str:
    """Write the page."""
    rows = []
    for name, (first, second) in pairs().items():
        ours, how = by_us(first, second)
        cells = [f"{'differ' if ours else 'no evidence'} ({how})"]
        for tool, (told, words) in {
            "benchstat": by_benchstat(benchstat, first, second),
            "pyperf": by_pyperf(python, first, second),
        }.items():
            why = "" if told == ours or "fails" in words else _why(name, tool, told)
            why = f"; **other**: {why}" if why else ""
            cells.append(f"{'differ' if told else 'no evidence'} ({words}{why})")
        rows.append(f"| {name} | {' | '.join(cells)} |")
    shares = []
    for name, kind in KINDS.items():
        histories = made(*kind)
        mine = [[each.at for each in changes(list(values))] for values in histories]
        other = by_otava(python, histories)
        shares.append(f"| {name} | {share(mine, kind[2])} | {share(other, kind[2])} |")
    columns = _columns(sample)
    places = by_otava(python, list(columns.values()))
    own = []
    for (name, values), theirs in zip(columns.items(), places, strict=True):
        ours_at = [each.at for each in changes(list(values))]
        own.append(f"| {name} | {len(values)} | {_places(ours_at)} | {_places(theirs)} |")
    text = (Path(__file__).with_suffix(".md")).read_text(encoding="utf-8")
    for name, lines in {"pairs": rows, "shares": shares, "sample": own}.items():
        text = text.replace(f"<!-- {name} -->", "\n".join(lines))
    return text


def _why(pair: str, tool: str, told: bool) -> str:
    if (pair, tool) in REASONS:
        return REASONS[pair, tool]
    if tool == "pyperf":
        return "it takes both sides to scatter alike (Student's t with one variance)"
    return "it goes by ranks: how far a value lies out does not matter" if told else "ranks overlap"


def _columns(sample: Path) -> Mapping[str, Values]:
    with sample.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    found = {}
    for name in rows[0]:
        try:
            found[name] = np.array([float(row[name]) for row in rows])
        except ValueError:  # a time, a commit
            continue
    return found


def _places(told: list[int]) -> str:
    return ", ".join(f"with run {at + 1}" for at in told) or "none"


def main() -> None:
    """Write ``docs/verdicts.md`` anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("benchstat", "python", "sample"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    given = parser.parse_args()
    PAGE.write_text(page(given.benchstat, given.python, given.sample), encoding="utf-8")


if __name__ == "__main__":
    main()
