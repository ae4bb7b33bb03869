"""Tables of no known format: what a study says of them, so that each run's are known."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from glob import escape
from itertools import combinations
from pathlib import PurePosixPath
from typing import Any

import yaml

from studybook.dataset.definition import Definition
from studybook.units import METRICS, unit_of

#: So many names are listed; of more, their ends.
_MOST = 8

#: Units of times, of which less is better.
_TIMES = {"ns", "µs", "ms", "s", "min", "h"}

#: What maps a table, as YAML has it, and the names of the files that it is of.
Offer = tuple[dict[str, Any], list[str]]


def like_one_another(offers: Sequence[tuple[str, dict[str, Any]]]) -> list[Offer]:
    """What maps tables, once for those that are alike, the most special names first.

    Files of one name are alike if they differ in their metrics alone: what some lack is optional.

    Parameters
    ----------
    offers : sequence of (str, dict)
        Names of files, and what maps each. Units that are near to the numbers may differ between
        tables that are alike.
    """
    alike: dict[str, Offer] = {}
    for name, table in offers:
        metrics = [{**each, "name": unit_of(each["name"])[0]} for each in table["metrics"]]
        same = json.dumps({**table, "metrics": metrics})
        alike.setdefault(same, (table, []))[1].append(name)
    # One pattern fits files of one name, and they differ in their metrics alone.
    of_name: dict[tuple[str, frozenset[str]], list[Offer]] = {}
    for table, names in alike.values():
        key = json.dumps({**table, "metrics": []}), frozenset(map(_words, names))
        of_name.setdefault(key, []).append((table, names))
    joined: list[Offer] = []
    for (_, words), own in of_name.items():
        while len(words) == 1 and (
            pair := next((two for two in combinations(own, 2) if _share(*two)), None)
        ):
            own = [each for each in own if each not in pair] + [_joined(*pair)]
        joined += own
    # Of one name, the first is that of the study: most files have it.
    return sorted(joined, key=lambda each: (*min(map(_special, _patterns(each[1]))), -len(each[1])))


def of_study_and_of_files(tables: Sequence[Offer]) -> tuple[list[Offer], list[Offer]]:
    """What maps files by their names, and what maps those whose names fit another one before it.

    Only the run.yml of their runs can say it of these: of several tables the first counts.
    """
    of_study: list[Offer] = []
    of_files: list[Offer] = []
    before: list[str] = []
    for table, names in tables:
        fit = [
            name
            for name in names
            if any(fnmatchcase(PurePosixPath(name).name, pattern) for pattern in before)
        ]
        if others := [name for name in names if name not in fit]:
            of_study.append((table, others))
            before += _patterns(others)
        if fit:
            of_files.append((table, fit))
    return of_study, of_files


def lines_of_file(offer: Offer) -> list[str]:
    """What stands of the first file of a table below ``files`` in its run.yml."""
    table, names = offer
    return _yaml([{"path": PurePosixPath(names[0]).name, "table": table}])


def _share(one: Offer, other: Offer) -> bool:
    """Whether two tables have a metric in common."""
    first, second = ({m["column"] for m in each[0]["metrics"]} for each in (one, other))
    return not first.isdisjoint(second)


def _joined(one: Offer, other: Offer) -> Offer:
    """What maps the files of both: a metric that only one of them has is optional."""
    first, second = ({m["column"]: m for m in each[0]["metrics"]} for each in (one, other))
    metrics = [
        said if column in first and column in second else {**said, "optional": True}
        for column, said in (first | second | first).items()
    ]
    return {**one[0], "metrics": metrics}, one[1] + other[1]


def _special(pattern: str) -> tuple[bool, int]:
    return "*" in pattern, -len(pattern)


def _patterns(paths: Sequence[str]) -> list[str]:
    """What fits the names of some files, with a star for numbers that differ."""
    by_words: dict[str, set[str]] = {}
    for path in paths:
        by_words.setdefault(_words(path), set()).add(escape(PurePosixPath(path).name))
    found = [words if len(names) > 1 else min(names) for words, names in sorted(by_words.items())]
    return (
        found
        if len(found) <= _MOST
        else sorted({f"*{PurePosixPath(each).suffix}" for each in found})
    )


def _words(path: str) -> str:
    """The name of a file, with a star for each number in it, and one for those of a day."""
    name = escape(PurePosixPath(path).name)
    return re.sub(r"\*([-_.:T]?\*)+", "*", re.sub(r"\d+", "*", name))


def lines_of(
    tables: Sequence[Offer], of_files: Sequence[Offer], words: Definition
) -> Iterator[str]:
    """The lines of ``study.yml`` that tables need, and their metrics, but for those it has.

    Parameters
    ----------
    tables : sequence of (dict, list of str)
        What maps tables, and the names of the files.
    of_files : sequence of (dict, list of str)
        The same, where run.yml says it: only metrics are of the study.
    words : Definition
        What the study has already.
    """
    entries = []
    new: dict[str, dict[str, Any]] = {}
    for table, names in tables:
        patterns = _patterns(names)
        entries.append({"path": patterns[0] if len(patterns) == 1 else patterns, "table": table})
    for table, _ in (*tables, *of_files):
        for name in (each["name"] for each in table["metrics"]):
            if name not in METRICS and name not in words.metrics:
                front, unit = unit_of(name)
                better = (
                    "lower" if unit in _TIMES else "higher" if unit.endswith("/s") else "neither"
                )
                new[name] = {"label": front.replace("_", " ").capitalize()}
                new[name] |= {"unit": unit} if unit else {}
                new[name] |= {"better": better, "decimals": 1}
    for key, content in (("tables", entries), ("metrics", new)):
        if content:
            yield from _yaml({key: content})


def _yaml(content: object) -> list[str]:
    text = yaml.safe_dump(
        content, sort_keys=False, allow_unicode=True, width=10**6, default_flow_style=None
    )
    return text.rstrip().split("\n")
