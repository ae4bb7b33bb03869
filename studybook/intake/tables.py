"""Tables of no known format: what a study says of them, so that each run's are known."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

import yaml

from studybook.dataset.definition import Definition
from studybook.units import METRICS, unit_of

#: So many names are listed; of more, their ends.
_MOST = 8

#: Units of times, of which less is better.
_TIMES = {"ns", "µs", "ms", "s", "min", "h"}


def like_one_another(offers: Sequence[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """The lines that map tables, those of the same columns once, each with the names of the files.

    Parameters
    ----------
    offers : sequence of (str, str)
        Names of files, and the lines that map each. Units that are near to the numbers may differ
        between tables that are alike.
    """
    alike: dict[tuple[str, ...], tuple[str, list[str]]] = {}
    for name, lines in offers:
        columns = tuple(each["column"] for each in yaml.safe_load(lines)["metrics"])
        alike.setdefault(columns, (lines, []))[1].append(name)
    return [*alike.values()]


def _patterns(paths: Sequence[str]) -> str:
    """What fits the names of some files, with a star for numbers that differ; as YAML has it."""
    by_words: dict[str, set[str]] = {}
    for path in paths:
        name = PurePosixPath(path).name
        # Of a day one star, not three.
        words = re.sub(r"\*([-_.:T]?\*)+", "*", re.sub(r"\d+", "*", name))
        by_words.setdefault(words, set()).add(name)
    found = [words if len(names) > 1 else min(names) for words, names in sorted(by_words.items())]
    if len(found) > _MOST:
        found = sorted({f"*{PurePosixPath(each).suffix}" for each in found})
    quoted = [json.dumps(each, ensure_ascii=False) for each in found]
    return quoted[0] if len(quoted) == 1 else f"[{', '.join(quoted)}]"


def lines_of(tables: Sequence[tuple[str, Sequence[str]]], words: Definition) -> Iterator[str]:
    """The lines of ``study.yml`` that tables need, and their metrics, but for those it has.

    Parameters
    ----------
    tables : sequence of (str, sequence of str)
        The lines that map tables, and the names of the files.
    words : Definition
        What the study has already.
    """
    yield "tables:"
    metrics: dict[str, None] = {}
    for lines, names in tables:
        yield f"  - path: {_patterns(names)}"
        yield "    table:"
        yield from (f"      {line}" for line in lines.split("\n"))
        metrics |= dict.fromkeys(each["name"] for each in yaml.safe_load(lines)["metrics"])
    new = [name for name in metrics if name not in METRICS and name not in words.metrics]
    if new:
        yield "metrics:"
    for name in new:
        front, unit = unit_of(name)
        better = "lower" if unit in _TIMES else "higher" if unit.endswith("/s") else "neither"
        label = front.replace("_", " ").capitalize()
        said = f', unit: "{unit}"' if unit else ""
        yield f"  {name}: {{label: {label}{said}, better: {better}, decimals: 1}}"
