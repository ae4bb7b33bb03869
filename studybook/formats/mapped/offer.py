"""An unknown table: what would map it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

from studybook.formats.mapped.conversion import conversion
from studybook.formats.mapped.reader import Columns, cells_of
from studybook.formats.raw import Head
from studybook.units import unit_of

#: Words by which columns tell that they are times, hosts or labels.
_TIME = re.compile(r"time|date|timestamp|^ts$|^when$|^epoch$", re.I)
#: A moment, by which a column tells it that has another name.
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d", re.A)
_DAY, _CLOCK = re.compile(r"\d{4}-\d\d-\d\d", re.A), re.compile(r"\d\d:\d\d(:\d\d(\.\d+)?)?", re.A)
#: What a time has in whatever pattern: seconds since 1970, or day, month and year.
_DATED = re.compile(r"\d{9,}|\w{1,4}([-/. ]+)\w{1,9}\1\w{1,4}", re.A)
_HOST = re.compile(r"^(host(name)?|node|machine|server|instance)$", re.I)
#: A column whose cells are other metrics: a long table, of which names and values are to be told.
_NAMES = re.compile(r"^(metric|measure|measurement|quantity|key)s?$", re.I)
_LABEL = re.compile(
    r"^(label|endpoint|url|path|op(eration)?|request|transaction|name|command|benchmark|query)$",
    re.I,
)
#: A moment between 2001 and 2033, in seconds or parts of them.
_UNIX_TIME = re.compile(r"1\d{9}(\d{3}|\d{6}|\d{9}|\.\d+)?", re.A)
_UNIX = ((10, "unix"), (13, "unix-ms"), (16, "unix-us"), (19, "unix-ns"))
#: Rates as headers spell them: their end, the end of the metric's name, and the unit in the file.
#: Bits have a small b; of the prefix, K and k are 1000, as nothing says that they are 1024.
_RATES = tuple((re.compile(rf"\W*(?:{pattern})\W*$"), name, unit) for pattern, name, unit in (
    (r"(?<![A-Za-z])[kK](?:b|bits?)(?:/s(?:ec)?|ps)|_[kK]bit_s", "mbit_s", "kbit/s"),
    (r"(?<![A-Za-z])([MG])(?:b|bits?)(?:/s(?:ec)?|ps)", "mbit_s", r"\1bit/s"),
    (r"(?<![A-Za-z])[kK]B(?:/s(?:ec)?|ps)|_[kK][bB]_s", "mb_s", "kB/s"),
    (r"(?<![A-Za-z])([GT]iB|TB)(?:/s(?:ec)?|ps)", "mib_s", r"\1/s"),
    (r"(?<![A-Za-z])B(?:/s(?:ec)?|ps)", "mib_s", "B/s"),
    (r"(?<=\w)(?:/|[\W_]per[\W_])\s*min(?:ute)?", "per_s", "1/min"),
    (r"(?<![kKMGT]B)(?<![KMGT]iB)/\s*s(?:ec|econd)?", "per_s", "1/s"),
))  # fmt: skip
#: Shares: 95% is a percentile of something else, and so is what has another unit.
_PERCENT = re.compile(r"\W*([A-Za-z][A-Za-z_ ]{0,60}?)[\s(\[]*%\W*|%\s*([A-Za-z][A-Za-z_ ]{0,60})")
#: What stands behind a time of day and belongs to it; and cells that another mark would part.
_OF_TIME = re.compile(r"[AP]M|[A-Z]{3,4}|[-+]\d{2}:?\d{2}", re.A)
#: What parts JSON; strings hold marks that do not.
_MARKS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{},]')
_MIXED = re.compile(r"\d\s*[;\t|]|\d \d")
_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?(e[-+]?\d+)?", re.A | re.I)

#: Members of JSON that say how something was measured, and are no results.
_ABOUT = re.compile(r"(^|\.)(metadata|context|options|params|\w+_info)(\.|$)", re.I)
#: What a benchmark was run with, such as ``params.size`` of JMH, and what it was to measure.
_PARAMETER = re.compile(r"(^|\.)params\.[^.]+$|^mode$")
#: What pytest-benchmark, hyperfine and pyperf tell in seconds, without saying so.
_IN_SECONDS = re.compile(
    r"(?:benchmarks\.stats|results)\.(mean|median|min|max|user|system)"
    r"|(?:benchmarks\.(?:stats\.data|runs\.values)|results\.times)"
)
_OF_SECONDS = ((1, "s"), (1e-3, "ms"), (0, "us"))

#: What a unit beside it is of, in whatever object both stand.
_STATISTIC = re.compile(r"mean|median|min|max|std_?dev|values?|samples|times|p\d+", re.I)
#: Ends of names of metrics in whose unit numbers in others may be.
_ENDS = (("us", "us"), ("per_s", "1/s"), ("bytes", "bytes"))

#: Where a document of JSON says when it was written, such as ``context.date``; a commit is older.
_WHEN = re.compile(r"(context\.)?(date_?time|date|timestamp|time)", re.I)

#: Rows and lines that are looked at, and columns that are offered.
_ROWS, _LINES, _MOST = 20, 100, 40

#: How deeply objects may be nested.
_DEEPEST = 60


def offered(head: Head) -> dict[str, Any] | None:
    """What would map a table, as YAML has it; None of what looks like no table.

    Parameters
    ----------
    head : Head
        Its first lines.
    """
    found = _found(head)
    if not found:
        return None
    names = dict.fromkeys(key for row in found.rows for key in row)
    columns = {key: [_printed(row.get(key)) for row in found.rows] for key in names}
    texts = {key for row in found.rows for key, cell in row.items() if isinstance(cell, str)}
    numbers = [
        key
        for key, cells in columns.items()
        if _all_numbers(cells) and not (found.way and key in texts)
    ]
    time = _time({key: columns[key] for key in found.timed(columns)}, made_up=found.made_up)
    told = _seconds(columns, numbers) if found.way else {}
    metrics = told or {
        key: said
        for key in numbers
        if key not in time
        and not (_LABEL.match(_last(key)) or _PARAMETER.search(key))
        and found.is_of_rows(key)
        and (said := _metric(key, found.short(key), columns))
    }
    if found.is_document and (told := {k: said for k, said in metrics.items() if len(said) > 1}):
        metrics = told  # what has a unit is a result; others count how it was found
    if not metrics:
        return None
    host, label = (
        next((each for each in found.nearest(columns) if pattern.match(_last(each))), None)
        for pattern in (_HOST, _LABEL)
    )
    if found.way and not label:
        label = next((each for each in columns if _last(each) == "*"), None)
    if label and f"{label[: -len(_last(label))]}fullname" in columns:
        label = f"{label[: -len(_last(label))]}fullname"  # of several files
    if not found.way:
        label = label or _telling_apart(columns, {*numbers, *time, host}, once=not (time or host))
    labels = [label, *(key for key in columns if _PARAMETER.search(key))] if label else []
    commas = any("," in cell for key in metrics for cell in columns[key])
    table = {
        "rows": found.way,
        "skip": found.skip,
        "header": [*columns] if found.made_up else [],
        "time": time[0] if len(time) == 1 else time,
        "time_format": _time_format(columns[time[0]]) if time else "",
        "host": host,
        "label": labels[0] if len(labels) == 1 else labels,
        "where": {
            key: "iteration"
            for key, cells in columns.items()
            if _last(key) == "run_type" and "iteration" in cells
        },
        "delimiter": found.delimiter if found.delimiter != "," else "",
        "decimal": "," if commas else "",
        "metrics": [{"column": key, **said} for key, said in metrics.items()][:_MOST],
    }
    return {key: said for key, said in table.items() if said}


def _seconds(columns: dict[str, list[str]], numbers: list[str]) -> dict[str, dict[str, str]]:
    """Metrics for columns of tools that are known to tell seconds, in a unit near to the first.

    Of these tools, all others are no results. Where they have measured anything else, they say so.
    """
    known = {key: match for key in numbers if (match := _IN_SECONDS.fullmatch(key))}
    units = {cell for key, cells in columns.items() if _last(key) == "unit" for cell in cells}
    if not known or units - {"", "second"}:
        return {}
    first = min(abs(float(cell)) for cell in columns[next(iter(known))] if cell)
    unit = next(name for size, name in _OF_SECONDS if first >= size)
    return {
        key: {"name": "_".join(filter(None, ("time", match[1], unit))), "unit": "s"}
        for key, match in known.items()
    }


def _metric(column: str, short: str, columns: dict[str, list[str]]) -> dict[str, str]:
    """The metric of a column, with what says in which unit its numbers are.

    Nothing, where rows are in units that have no other in common: times and rates have no mean.
    """
    front, last = column[: -len(_last(column))], _last(column)
    for units, cells in columns.items():
        what = re.fullmatch("(.*?)_?unit", _last(units), re.I)
        of_it = what and (
            what[1].lower() in last.lower() if what[1] else _STATISTIC.fullmatch(last)
        )
        if of_it and front == units[: -len(_last(units))]:
            name = _named(last if what and what[1] else short)[0]
            for end, unit in _ENDS:
                if all(conversion(cell, unit) is not None for cell in cells):
                    return {"name": f"{name}_{end}", "units": units}
            if len({*cells}) > 1:
                return {}
    name, unit = _named(short)
    return {"name": name, "unit": unit} if unit else {"name": name}


def _named(column: str) -> tuple[str, str]:
    """The name of a metric for a column, with a unit at its end, and that of its numbers.

    What looks like a unit and is none is spelt otherwise: ``rtt_min`` is hardly in minutes.
    """
    found = column = column[:200]
    unit = ""
    for pattern, name, of_file in _RATES:
        if match := pattern.search(column):
            front = column[: match.start()] or "rate"
            found, unit = f"{front} {name}", match.expand(of_file)
            break
    if not unit and (match := _PERCENT.fullmatch(column)):
        found, unit = f"{match[1] or match[2]} percent", "%"
    metric = re.sub("[^a-z0-9]+", "_", found.lower()).strip("_") or "value"
    metric = metric if metric[0].isalpha() else f"value_{metric}"
    metric = re.sub("(?<![a-z0-9])min$", "minimum", metric)
    if not unit_of(f"_{metric}")[0]:
        metric = f"rate_{metric}" if metric.endswith("_s") else f"value_{metric}"
    return metric, unit or unit_of(metric)[1]


@dataclass(frozen=True)
class _Found:
    """The first rows of a table, by the names of their columns.

    There is no delimiter in JSON, and a way where rows are within its objects; ``skip`` lines stand
    before the table; names are made up where it has none.
    """

    rows: list[dict[str, Any]]
    delimiter: str = ""
    skip: int = 0
    made_up: bool = False
    way: str = ""
    is_document: bool = False

    def is_of_rows(self, column: str) -> bool:
        """Whether a column is of the rows themselves, and may be a result."""
        return not self.way or (
            f"{column}.".startswith(f"{self.way}.") and not _ABOUT.search(self.short(column))
        )

    def timed(self, columns: Iterable[str]) -> list[str]:
        """Columns that may say when a row was measured, those of the rows themselves first."""
        if not self.way:
            return [*columns]
        of_rows = [each for each in self.nearest(columns) if _TIME.search(_last(each))]
        return of_rows + [each for each in columns if _WHEN.fullmatch(each)]

    def short(self, column: str) -> str:
        """The name of a column within its row."""
        if not self.way:
            return column
        return column.removeprefix(f"{self.way}.") if column != self.way else _last(column)

    def nearest(self, columns: Iterable[str]) -> list[str]:
        """Columns that may tell rows apart, those of the rows themselves first."""
        outer = self.way.split(".")[0]
        tell = [each for each in columns if not outer or each.split(".")[0] == outer]
        return sorted(tell, key=lambda each: not each.startswith(f"{self.way}."))


def _found(head: Head) -> _Found | None:
    # As files are read: other marks that part lines are within them.
    lines = [each for each in enumerate(re.split("\r\n|\r|\n", head.text)) if each[1].strip()]
    if lines and lines[0][1].lstrip("\ufeff ").startswith("{"):
        rows = [*filter(None, (_object(line) for _, line in lines[: _ROWS + 1]))]
        within = _document(head.text) if len(rows) < 2 else None
        return within or (_Found([*map(Columns().flat, rows)]) if rows else None)
    if lines and lines[0][1].lstrip("\ufeff ").startswith("[") and (found := _document(head.text)):
        return found
    parted = [each for each in (_parted(lines[:_LINES], mark) for mark in ",;\t|") if each]
    # Other marks stand within cells, too; a blank is in all texts, and counts where no other does.
    best = max(parted, key=lambda each: (not each.made_up, len(each.rows[0])), default=None)
    return best or _parted(lines[:_LINES], " ")


def _document(text: str) -> _Found | None:
    """The rows of a document of JSON, of which the end may be missing."""
    value = _begun(text)
    if isinstance(value, list):
        rows = [Columns().flat(each) for each in value[:_ROWS] if isinstance(each, dict)]
        return _Found(rows, is_document=True) if rows else None
    ways = [*_ways(value)] if isinstance(value, dict) else []
    if not ways:
        return None
    way = next((way for way, of_objects in ways if of_objects), ways[0][0])
    return _Found(
        [*islice(Columns().rows(value, way.split(".")), _ROWS)], way=way, is_document=True
    )


def _ways(value: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Where results stand in an object: arrays of numbers, and of objects that have some."""
    below = [("", value)]
    while below:  # those nearest to the outermost object come first
        (name, outer), *below = below
        for key, inner in outer.items():
            within = f"{name}.{key}" if name else key
            if _ABOUT.search(within) or "." in key:
                continue
            entries = inner if isinstance(inner, list) else [inner]
            if alike := isinstance(inner, dict) and _alike([*inner.values()]):
                within, entries = f"{within}.*", [*inner.values()][:1]
            if isinstance(inner, list) and any(map(_is_number, inner)):
                yield within, False
            for entry in [each for each in entries[:_ROWS] if isinstance(each, dict)]:
                if (alike or isinstance(inner, list)) and any(
                    _is_number(each) and not _ABOUT.search(of)
                    for of, each in Columns().flat(entry).items()
                ):
                    yield within, True
                below.append((within, entry))


def _alike(members: list[Any]) -> bool:
    """Whether members of an object are as entries of an array: objects with the same keys."""
    keys = [[*each] if isinstance(each, dict) else [] for each in members]
    return len(keys) > 1 and bool(keys[0]) and all(each == keys[0] for each in keys)


def _begun(text: str) -> Any:
    """What a text of JSON holds, up to the last member that is whole where its end is missing."""
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    closing: list[str] = []
    whole = 0
    open_then = ""
    for match in _MARKS.finditer(text):
        mark = match[0]
        if mark in "[{":
            closing.append("]" if mark == "[" else "}")
        elif mark in "]}" and closing:
            closing.pop()
        if len(closing) > _DEEPEST:
            return None
        if mark in ",]}":
            whole, open_then = match.start() + (mark != ","), "".join(reversed(closing))
    with suppress(ValueError, RecursionError):
        return json.loads(text[:whole] + open_then)
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _printed(value: Any) -> str:
    return "" if value is None else str(value).strip()


def _last(column: str) -> str:
    """The last part of a name such as ``results.command``."""
    return column.rpartition(".")[2]


def _parted(lines: list[tuple[int, str]], delimiter: str) -> _Found | None:
    """The table that ends a head, if its rows have as many cells as one another."""
    split = [
        [cell.strip() for cell in cells_of(line.lstrip("\ufeff"), delimiter) or ()]
        for _, line in lines
    ]
    if len(split) < 2:
        return None
    if len(split) > 2 and len(split[-1]) != len(split[-2]):
        split.pop()  # the last may be cut
    first = len(split) - 1
    while first > 0 and len(split[first - 1]) == len(split[-1]):
        first -= 1
    # Lines above it that have values are rows, of this table or of another.
    if any(len(row) > 1 and any(map(_is_value, row)) for row in split[:first]):
        return None
    block = split[first : first + _ROWS + 1]
    if not any(map(_is_value, block[0])):  # a header may stand there again
        block = [block[0], *(row for row in block[1:] if row != block[0])]
    if len(block) < 2 or len(block[0]) < 2:
        return None
    begin = next((place for place, row in enumerate(block) if _is_header(row, block)), -1) + 1
    names = block[begin - 1] if begin else []
    made_up = not names or not all(names) or len(set(names)) < len(names)
    rows = block[begin:]
    if any(_MIXED.search(cell) and not _MOMENT.match(cell) for row in rows for cell in row):
        return None  # another mark parts them
    skip = lines[first + begin - (not made_up)][0]
    values = max((sum(map(_is_value, row)) for row in rows), default=0)
    # Words of a text may be as many in each line, and some of them numbers.
    if made_up or skip or delimiter == " ":
        fewest = 3 if delimiter == " " else 2
        if len(rows) < max(2, skip) or not fewest <= len(rows[0]) <= 2 * values:
            return None
    if made_up:
        names = [f"c{number}" for number in range(1, len(block[0]) + 1)]
    return _Found([dict(zip(names, row, strict=True)) for row in rows], delimiter, skip, made_up)


def _is_header(row: list[str], block: list[list[str]]) -> bool:
    """Whether a row is the last one above values: it has words where all behind it have values."""
    behind = block[block.index(row) + 1 :]
    return bool(behind) and any(
        not _is_value(cell) and all(_is_value(each[place]) or not each[place] for each in behind)
        and any(each[place] for each in behind)
        for place, cell in enumerate(row)
    )  # fmt: skip


def _telling_apart(
    columns: dict[str, list[str]], others: set[str | None], *, once: bool
) -> str | None:
    """The only column of words, if rows have others, and some the same or each its own (once)."""
    words = [name for name in columns if name not in others]
    cells = columns[words[0]] if len(words) == 1 and not _NAMES.match(words[0]) else []
    are_words = all(cell[:1].isalpha() for cell in cells)
    return words[0] if are_words and 1 < len(set(cells)) < len(cells) + once else None


def _is_value(cell: str) -> bool:
    return bool(_MOMENT.match(cell)) or any(
        pattern.fullmatch(cell) for pattern in (_NUMBER, _DAY, _CLOCK)
    )


def _object(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _time(columns: dict[str, list[str]], *, made_up: bool) -> list[str]:
    """The column of times, or that of days and that of the time of day behind it; none."""
    are = {pattern: [name for name, cells in columns.items() if all(map(pattern.fullmatch, cells))]
           for pattern in (_DAY, _CLOCK, _UNIX_TIME)}  # fmt: skip
    names = [*columns]
    for day in are[_DAY]:
        if (behind := names[names.index(day) + 1 :][:1]) and behind[0] in are[_CLOCK]:
            # What follows may be of the time, too: then nobody knows how it is written.
            after = names[names.index(day) + 2 :][:1]
            return (
                [] if after and all(map(_OF_TIME.fullmatch, columns[after[0]])) else [day, *behind]
            )
    called = [
        name
        for name in names
        if _TIME.search(name)
        and any(map(_DATED.match, columns[name]))
        and name not in are[_DAY]  # a day alone is no time
    ]
    dated = [name for name, cells in columns.items() if all(map(_MOMENT.match, cells))]
    # Counters have as many digits: only what rises, and has no name, may be seconds since 1970.
    rising = [
        name
        for name in are[_UNIX_TIME]
        if made_up and sorted(set(map(float, columns[name]))) == [*map(float, columns[name])]
    ]
    return (called or dated or rising)[:1]


def _all_numbers(cells: list[str]) -> bool:
    there = [cell for cell in cells if cell]
    return bool(there) and all(_NUMBER.fullmatch(cell) for cell in there)


def _time_format(cells: list[str]) -> str:
    first = next((cell for cell in cells if cell), "")
    digits = re.match(r"\d*", first)
    whole = digits[0] if digits else ""
    if _NUMBER.fullmatch(first):
        return next((how for length, how in _UNIX if len(whole) == length), "")
    return ""
