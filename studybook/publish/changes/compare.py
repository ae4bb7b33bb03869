"""What two builds do not say alike: titles, numbers, verdicts; and what that follows from."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from studybook.engine.csv_table import UNIT
from studybook.engine.stale import differences, differences_of_words
from studybook.publish.changes.builds import Build, Rows
from studybook.text import counted, few, minus

#: The column of what a chart draws, beside the ends of its interval.
VALUE, LOW, HIGH = "value", "low", "high"

#: What verdicts are on, by the key of the record that holds them.
_JUDGED = {"goals": "goal", "judgements": "claim"}

#: Columns that say of a row how it came to be, and not what it is of.
_NOT_TOLD = {"origin", "label", "claim", "test", "given_as", UNIT}

#: Numbers that are equal to so many parts of themselves differ by the order of their sums only.
_EQUAL = 1e-8

#: Names of one kind that are told one by one; the others are counted.
_FEW = 3

#: Significant digits of two numbers: as few of these as tell them apart.
_DIGITS = range(3, 16)

#: What a figure follows from, by the key of its record.
_FOLLOWS = {
    "inputs": "raw file", "models": "model", "formats": "reader", "model": "model of the testbed",
    "modules": "code",
}  # fmt: skip


@dataclass(frozen=True)
class Moved:
    """A number of a figure's data that is another one.

    Attributes
    ----------
    column, of : str
        Its column, and what its row is of.
    before, now : float
        The number.
    outside : bool
        Whether it has left the interval that its row had.
    end : bool
        Whether it is an end of the interval of another number of its row.
    """

    column: str
    of: str
    before: float
    now: float
    outside: bool = False
    end: bool = False

    @property
    def share(self) -> float:
        """By which part of itself it has moved; infinite where it was 0."""
        return (self.now - self.before) / abs(self.before) if self.before else math.inf

    def __str__(self) -> str:
        before, now = _told_apart(self.before, self.now)
        by = "" if math.isinf(self.share) else f" ({_in_digits(100 * self.share, 2, sign='+')} %)"
        of = f" of {self.of}" if self.of else ""
        return f"{self.column}{of}: {minus(f'{before} → {now}{by}')}"


@dataclass(frozen=True)
class Turned:
    """A verdict that is another one.

    Attributes
    ----------
    what, name : str
        ``goal`` or ``claim``, and which.
    before, now : str
        The verdict; ``none`` where there was, or is, no such goal or claim.
    data, data_now : str
        What the data said: a value, its interval, and the setup, as far as there are.
    """

    what: str
    name: str
    before: str
    now: str
    data: str
    data_now: str

    def __str__(self) -> str:
        before, now = (
            f"{verdict} ({data})" if data else verdict
            for verdict, data in ((self.before, self.data), (self.now, self.data_now))
        )
        return f"{self.what} {self.name}: {before} → {now}"


@dataclass(frozen=True)
class Change:
    """A figure that says something else, is new, or is gone.

    Attributes
    ----------
    figure, title : str
        Its id and title.
    kind : str
        ``new``, ``gone``, or ``changed``.
    said : tuple of str
        What it said before, and now: the title of its chart, its sentence, or why there is none.
    verdicts : tuple of Turned
        Verdicts that are others.
    numbers : int
        How many numbers stand in both, but for ends of intervals.
    moved : tuple of Moved
        Those of them that are others: what is drawn first, then by how far they moved; ends of
        intervals come last.
    lines : tuple of str
        What else differs: numbers of rows, columns, intervals.
    why : tuple of str
        What it follows from and is not what it was.
    """

    figure: str
    title: str
    kind: str
    said: tuple[str, str] = ("", "")
    verdicts: tuple[Turned, ...] = ()
    numbers: int = 0
    moved: tuple[Moved, ...] = ()
    lines: tuple[str, ...] = ()
    why: tuple[str, ...] = ()

    @property
    def moved_alone(self) -> list[Moved]:
        """Those that moved and are no ends of intervals, by which nobody learns more."""
        return [each for each in self.moved if not each.end]

    def told(self) -> str:
        """How many of its numbers moved, and which the farthest."""
        if not self.moved:
            return ""
        alone = self.moved_alone
        if not alone:
            return (
                f"0 of {self.numbers:,} moved; {counted(len(self.moved), 'end')} of intervals did"
            )
        outside = sum(each.outside for each in alone)
        beyond = f", {outside} out of the interval that it had" if outside else ""
        return f"{len(alone)} of {self.numbers:,} moved{beyond}; farthest {alone[0]}"

    def record(self) -> dict[str, Any]:
        """All of it, as JSON has it."""
        return asdict(self)


def changes(before: Build, now: Build) -> list[Change]:
    """The figures of which two builds do not say the same.

    Parameters
    ----------
    before, now : Build
        The builds.

    Returns
    -------
    list of Change
        Those with other verdicts first, then in the order of their ids; those that say what they
        said are not in it.
    """
    found = []
    for id_ in sorted({*before.records, *now.records}):
        was, new = before.records.get(id_), now.records.get(id_)
        if was is None or new is None:
            there = was or new or {}
            kind = "new" if was is None else "gone"
            said = (_said(was, was) if was else "", _said(new, new) if new else "")
            found.append(Change(id_, _title(id_, there), kind, said))
        elif change := _change(id_, was, new, before.rows(id_), now.rows(id_)):
            found.append(change)
    return sorted(found, key=lambda each: not each.verdicts)


def _change(
    id_: str, was: Mapping[str, Any], now: Mapping[str, Any], rows: Rows, rows_now: Rows
) -> Change | None:
    numbers, moved, lines = _compare(rows, rows_now)
    verdicts, unknown = _verdicts(was, now)
    lines += unknown
    if was.get("origins") != now.get("origins"):
        origins = (", ".join(each.get("origins", ())) or "none" for each in (was, now))
        lines.append(f"origin of its data: {' → '.join(origins)}")
    said = (_said(was, now), _said(now, was))
    if not (verdicts or moved or lines or said[0] != said[1]):
        return None
    # What a chart draws comes before what it is computed from.
    moved.sort(key=lambda each: (each.end, each.column != VALUE, -abs(each.share)))
    return Change(
        id_, _title(id_, now), "changed", said, tuple(verdicts), numbers, tuple(moved),
        tuple(lines), tuple(_why(was, now)),
    )  # fmt: skip


def _said(record: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """The title of a figure's chart, or its sentence; where there is none, what became of it."""
    if record["state"] == "ok":
        # Earlier builds wrote no sentence down: it is no other one for that.
        return str(record["finding"] or ("answer" in other and record.get("answer")) or "")
    return f"{record['state']}: {(record['message'].splitlines() or [''])[0]}"


def _title(id_: str, record: Mapping[str, Any]) -> str:
    return str(record.get("title") or id_)


def _verdicts(was: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[list[Turned], list[str]]:
    """Verdicts that are others; and that there are some of which nobody can tell."""
    turned, lines = list[Turned](), list[str]()
    for key, what in _JUDGED.items():
        pair = [each.get(key, {}) for each in (was, now)]
        if key in was and key in now:
            for name in sorted({*pair[0], *pair[1]}):
                (before, data), (after, data_now) = (_judged(each.get(name)) for each in pair)
                if before != after:
                    turned.append(Turned(what, name, before, after, data, data_now))
        elif any(pair) and was.get("outputs") != now.get("outputs"):
            many = counted(len(pair[0] or pair[1]), what)
            lines.append(f"verdicts on {many}: only one of the builds wrote them down")
    return turned, lines


def _judged(texts: Mapping[str, str] | None) -> tuple[str, str]:
    """The verdict on a goal or claim, and what the data say."""
    if texts is None:
        return "none", ""
    data = [texts.get(name, "") for name in ("data", "interval", "setup")]
    return texts["verdict"], ", ".join(each for each in data if each not in ("", "–"))


def _compare(before: Rows, now: Rows) -> tuple[int, list[Moved], list[str]]:
    """Numbers that stand in both, those of them that moved, and what else differs.

    A row is known by the columns in which nothing has changed: what was measured, and how.
    """
    columns = [[*rows[0]] if rows else [] for rows in (before, now)]
    lines = []
    if before and now and {*columns[0]} != {*columns[1]}:
        # A unit that is written down now is no other number; earlier builds had no such column.
        gone, added = ({*columns[0]} - {*columns[1]}), ({*columns[1]} - {*columns[0], UNIT})
        lines += [f"its data have no column {name} any more" for name in sorted(gone)]
        lines += [f"its data have a column {name} now" for name in sorted(added)]
    if len(before) != len(now):
        return 0, [], [*lines, f"{counted(len(before), 'row')} of data → {len(now)}"]
    both = [name for name in columns[0] if name in {*columns[1]}]
    same = [n for n in both if Counter(r[n] for r in before) == Counter(r[n] for r in now)]
    others = [name for name in both if name not in same]

    def key(row: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(row[name] or "" for name in same)

    told = _told(before, same)
    numbers, moved, came, went = 0, list[Moved](), set[int](), set[int]()
    # Rows of one key stay in their order.
    pairs = list(zip(sorted(before, key=key), sorted(now, key=key), strict=True))
    if any(key(row) != key(row_now) for row, row_now in pairs):
        return 0, [], [*lines, "rows of its data belong to other rows than before"]
    # An equal number in another unit is another value.
    units = Counter((row[UNIT], new[UNIT]) for row, new in pairs) if UNIT in others else Counter()
    lines += [
        f"unit of {counted(rows, 'row')}: {was or 'none'} → {is_now or 'none'}"
        for (was, is_now), rows in sorted(units.items())
        if was != is_now
    ]
    for place, (row, row_now) in enumerate(pairs):
        of, ends = " ".join(_of(row, told)), {*_ends(row), *_ends(row_now)}
        numbers += sum(_number(row[name]) is not None for name in same if name not in ends)
        for name in others:
            pair = _number(row[name]), _number(row_now[name])
            if pair[0] is None or pair[1] is None:
                if (pair[0] is None) != (pair[1] is None):
                    if name in ends:
                        (went if pair[1] is None else came).add(place)
                        continue
                    where = f"{name} of {of}" if of else name
                    lines.append(f"{where}: {row[name] or 'empty'} → {row_now[name] or 'empty'}")
                continue
            numbers += name not in ends
            if not math.isclose(pair[0], pair[1], rel_tol=_EQUAL, abs_tol=1e-300):
                outside = name == VALUE and _outside(row, pair[1])
                moved.append(Moved(name, of, pair[0], pair[1], outside, name in ends))
    for rows, how in ((came, "an interval now"), (went, "no interval any more")):
        lines += [f"{counted(len(rows), 'row')} with {how}"] if rows else []
    return numbers, moved, lines


def _ends(row: Mapping[str, str]) -> Sequence[str]:
    """The columns of a row that are ends of an interval; of a bound alone, it is what is told."""
    there = {LOW, HIGH} <= row.keys() and (VALUE not in row or _number(row[VALUE]) is not None)
    return (LOW, HIGH) if there else ()


def _told(rows: Rows, same: Sequence[str]) -> list[str]:
    """The columns that say what a row is of: those of words, and more while rows read alike."""
    varied = [n for n in same if n not in _NOT_TOLD and len({row[n] for row in rows}) > 1]
    words = [
        name for name in varied if any(row[name] and _number(row[name]) is None for row in rows)
    ]
    for name in varied:
        if name not in words and len({_of(row, words) for row in rows}) < len(rows):
            words.append(name)
    return words


def _of(row: Mapping[str, str], told: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        row[name] if _number(row[name]) is None else f"{name}={row[name]}"
        for name in told
        if row[name]
    )


def _outside(row: Mapping[str, str], now: float) -> bool:
    low, high = _number(row.get(LOW)), _number(row.get(HIGH))
    return low is not None and high is not None and not low <= now <= high


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _told_apart(*numbers: float) -> list[str]:
    """Numbers in as many digits as show that they are not the same."""
    for digits in _DIGITS:
        told = [_in_digits(each, digits) for each in numbers]
        if len({*told}) == len(told):
            break
    return told


def _in_digits(number: float, digits: int, sign: str = "") -> str:
    magnitude = math.floor(math.log10(abs(number))) if number else 0
    if -digits - 2 < magnitude < max(_DIGITS):
        return f"{number:{sign},.{max(0, digits - 1 - magnitude)}f}"
    return f"{number:{sign}.{digits}g}"


def _why(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """What a figure follows from that is not what it was, each kind in a line."""
    lines = [
        line
        for key, what in _FOLLOWS.items()
        for line in differences(what, was.get(key, {}), now.get(key, {}))
    ]
    lines += differences_of_words(was.get("published", {}), now.get("published", {}))
    if was.get("code") != now.get("code"):
        lines.append("notebook changed: its cells")
    parameters = (
        {name: repr(value) for name, value in each.get("parameters", {}).items()}
        for each in (was, now)
    )
    lines += differences("parameter", *parameters, values=True)
    lines += differences("library", was["versions"], now["versions"], values=True)
    if was["package"] != now["package"]:
        lines.append(f"library changed: studybook {was['package']} → {now['package']}")
    kinds: dict[str, list[str]] = {}
    for line in lines:
        kind, _, name = line.partition(": ")
        kinds.setdefault(kind, []).append(name)
    for kind, names in kinds.items():
        yield f"{kind}: {few(names, _FEW)}"
    if not lines:
        yield "nothing that its record names: it may say something else each time that it runs"
