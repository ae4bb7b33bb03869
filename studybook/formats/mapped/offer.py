"""An unknown table: the lines for run.yml that would map it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from studybook.formats.mapped.reader import cells_of
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
_LABEL = re.compile(r"^(label|endpoint|url|path|operation|request|transaction|name)$", re.I)
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
_MIXED = re.compile(r"\d\s*[;\t|]|\d \d")
_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?(e[-+]?\d+)?", re.A | re.I)

#: Words that are no text in YAML.
_NO_TEXT = re.compile("y|n|yes|no|on|off|true|false|null", re.I)

#: Rows and lines that are looked at, and columns that are offered.
_ROWS, _LINES, _MOST = 20, 100, 40


def offered(name: str, head: Head) -> str:
    """Lines for ``files`` in a run.yml that would map a table; empty if it looks like none.

    Parameters
    ----------
    name : str
        Its path in the run's folder.
    head : Head
        Its first lines.
    """
    found = _found(head)
    if not found:
        return ""
    columns = {key: [str(row.get(key, "")).strip() for row in found.rows] for key in found.rows[0]}
    numbers = [key for key, cells in columns.items() if _all_numbers(cells)]
    time = _time(columns, made_up=found.made_up)
    metrics = [key for key in numbers if key not in time and not _LABEL.match(key)][:_MOST]
    if not metrics:
        return ""
    table: list[str] = []
    if found.skip:
        table.append(f"skip: {found.skip}")
    if found.made_up:
        table.append(f"header: [{', '.join(columns)}]  # they have none: names of your own")
    if time:
        said = _said(time[0]) if len(time) == 1 else f"[{', '.join(map(_said, time))}]"
        table.append(f"time: {said}")
        if how := _time_format(columns[time[0]]):
            table.append(f"time_format: {how}")
    host, label = (
        next((each for each in columns if pattern.match(each)), None) for pattern in (_HOST, _LABEL)
    )
    label = label or _telling_apart(columns, {*numbers, *time, host}, once=not (time or host))
    table += [f"{key}: {_said(name)}" for key, name in (("host", host), ("label", label)) if name]
    if found.delimiter not in ("", ","):
        table.append(f"delimiter: {json.dumps(found.delimiter)}")
    if any("," in cell for key in metrics for cell in columns[key]):
        table.append("decimal: ','")
    lines = [f"- path: {_said(name)}", "  table:", *(f"    {each}" for each in table)]
    lines.append("    metrics:")
    for key in metrics:
        metric, unit = _metric(key)
        said = f", unit: {_said(unit)}" if unit else ""
        lines.append(f"      - {{column: {_said(key)}, name: {metric}{said}}}")
    return "\n".join(lines)


def _metric(column: str) -> tuple[str, str]:
    """The name of a metric for a column, with a unit at its end, and the unit of its numbers.

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

    There is no delimiter in JSON; ``skip`` lines stand before the table; names are made up where it
    has none.
    """

    rows: list[dict[str, Any]]
    delimiter: str = ""
    skip: int = 0
    made_up: bool = False


def _found(head: Head) -> _Found | None:
    # As files are read: other marks that part lines are within them.
    lines = [each for each in enumerate(re.split("\r\n|\r|\n", head.text)) if each[1].strip()]
    if lines and lines[0][1].lstrip().startswith("{"):
        rows = [*filter(None, (_object(line) for _, line in lines[: _ROWS + 1]))]
        return _Found(rows) if rows else None
    found = [each for each in (_parted(lines[:_LINES], mark) for mark in ",;\t|") if each]
    # Other marks stand within cells, too; a blank is in all texts, and counts where no other does.
    best = max(found, key=lambda each: (not each.made_up, len(each.rows[0])), default=None)
    return best or _parted(lines[:_LINES], " ")


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
        name for name in names if _TIME.search(name) and any(map(_DATED.match, columns[name]))
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


def _said(text: str) -> str:
    """A text as a value of YAML."""
    plain = re.fullmatch(r"[A-Za-z_][\w./]*", text) and not _NO_TEXT.fullmatch(text)
    return text if plain else json.dumps(text, ensure_ascii=False)
