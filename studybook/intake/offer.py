"""An unknown table: what would map it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from studybook.formats.mapped.conversion import conversion
from studybook.formats.raw import Head
from studybook.intake.first_rows import CLOCK, DAY, MOMENT, NUMBER, Found, first_rows, last_of
from studybook.units import unit_of

#: Words by which columns tell that they are times, hosts or labels.
_TIME = re.compile(r"time|date|timestamp|^ts$|^when$|^epoch$", re.I)
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
#: What stands behind a time of day and belongs to it.
_OF_TIME = re.compile(r"[AP]M|[A-Z]{3,4}|[-+]\d{2}:?\d{2}", re.A)

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

#: Columns that are offered.
_MOST = 40


def offered(head: Head) -> dict[str, Any] | None:
    """What would map a table, as YAML has it; None of what looks like no table.

    Parameters
    ----------
    head : Head
        Its first lines.
    """
    found = first_rows(head)
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
    time = _time({key: columns[key] for key in _timed(found, columns)}, made_up=found.made_up)
    told = _seconds(columns, numbers) if found.way else {}
    metrics = told or {
        key: said
        for key in numbers
        if key not in time
        and not (_LABEL.match(last_of(key)) or _PARAMETER.search(key))
        and found.is_of_rows(key)
        and (said := _metric(key, found.short(key), columns))
    }
    if found.is_document and (told := {k: said for k, said in metrics.items() if len(said) > 1}):
        metrics = told  # what has a unit is a result; others count how it was found
    if not metrics:
        return None
    host, label = (
        next((each for each in found.nearest(columns) if pattern.match(last_of(each))), None)
        for pattern in (_HOST, _LABEL)
    )
    if found.way and not label:
        label = next((each for each in columns if last_of(each) == "*"), None)
    if label and f"{label[: -len(last_of(label))]}fullname" in columns:
        label = f"{label[: -len(last_of(label))]}fullname"  # of several files
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
            if last_of(key) == "run_type" and "iteration" in cells
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
    units = {cell for key, cells in columns.items() if last_of(key) == "unit" for cell in cells}
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
    front, last = column[: -len(last_of(column))], last_of(column)
    for units, cells in columns.items():
        what = re.fullmatch("(.*?)_?unit", last_of(units), re.I)
        of_it = what and (
            what[1].lower() in last.lower() if what[1] else _STATISTIC.fullmatch(last)
        )
        if of_it and front == units[: -len(last_of(units))]:
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


def _timed(found: Found, columns: Iterable[str]) -> list[str]:
    """Columns that may say when a row was measured, those of the rows themselves first."""
    if not found.way:
        return [*columns]
    of_rows = [each for each in found.nearest(columns) if _TIME.search(last_of(each))]
    return of_rows + [each for each in columns if _WHEN.fullmatch(each)]


def _printed(value: Any) -> str:
    return "" if value is None else str(value).strip()


def _telling_apart(
    columns: dict[str, list[str]], others: set[str | None], *, once: bool
) -> str | None:
    """The only column of words, if rows have others, and some the same or each its own (once)."""
    words = [name for name in columns if name not in others]
    cells = columns[words[0]] if len(words) == 1 and not _NAMES.match(words[0]) else []
    are_words = all(cell[:1].isalpha() for cell in cells)
    return words[0] if are_words and 1 < len(set(cells)) < len(cells) + once else None


def _time(columns: dict[str, list[str]], *, made_up: bool) -> list[str]:
    """The column of times, or that of days and that of the time of day behind it; none."""
    are = {pattern: [name for name, cells in columns.items() if all(map(pattern.fullmatch, cells))]
           for pattern in (DAY, CLOCK, _UNIX_TIME)}  # fmt: skip
    names = [*columns]
    for day in are[DAY]:
        if (behind := names[names.index(day) + 1 :][:1]) and behind[0] in are[CLOCK]:
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
        and name not in are[DAY]  # a day alone is no time
    ]
    dated = [name for name, cells in columns.items() if all(map(MOMENT.match, cells))]
    # Counters have as many digits: only what rises, and has no name, may be seconds since 1970.
    rising = [
        name
        for name in are[_UNIX_TIME]
        if made_up and sorted(set(map(float, columns[name]))) == [*map(float, columns[name])]
    ]
    return (called or dated or rising)[:1]


def _all_numbers(cells: list[str]) -> bool:
    there = [cell for cell in cells if cell]
    return bool(there) and all(NUMBER.fullmatch(cell) for cell in there)


def _time_format(cells: list[str]) -> str:
    first = next((cell for cell in cells if cell), "")
    digits = re.match(r"\d*", first)
    whole = digits[0] if digits else ""
    if NUMBER.fullmatch(first):
        return next((how for length, how in _UNIX if len(whole) == length), "")
    return ""
