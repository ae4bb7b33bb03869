"""``sadf -p``: one value a line, with tabs: host, interval, time, item, name, value.

The lines of one sample of one item follow each other; they are put together to a row as long
as one activity knows all their names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from studybook.formats.contract import KEPT_NAMES, Reading
from studybook.formats.raw import Head, RawFile
from studybook.formats.sar.activities import ACTIVITIES
from studybook.formats.sar.sadf_cells import STAMP, Names, Stamp, layout_for, number, stamp
from studybook.formats.sar.sadf_export import INTERRUPT, Export

_LINE = re.compile(rf"[^\s;#]+\t-?\d{{1,9}}\t{STAMP}\t[^\t]+(?:\t|$)", re.ASCII)
_PROCESSOR = re.compile(r"all|cpu(\d{1,6})", re.ASCII)
_ITEM = re.compile(r"(?:cpu|ttyS|fan|temp|in|bus)(\d{1,6})|i(\d{3,6})", re.ASCII)

#: What stands for no item.
_NONE = "-"


def recognise(head: Head) -> bool:
    """Whether the file starts as ``sadf -p`` does."""
    return bool(_LINE.match(head.text.lstrip("\n").split("\n", 1)[0]))


def read(raw: RawFile, out: Reading) -> None:
    """Read the values, and the restarts and comments between them."""
    reader = _Reader(Export(out))
    for line, text in raw.lines():
        if not text.strip():
            out.heading()
        elif reader.take(line, text.split("\t")):
            out.used()
        else:
            out.unknown(line, text)
    reader.close()
    reader.export.finish()


@dataclass
class _Row:
    """The values of one item at one time, while they come in."""

    key: list[str]
    when: Stamp
    line: int
    metrics: Names = ()
    values: list[str | None] = field(default_factory=list)


class _Reader:
    def __init__(self, export: Export) -> None:
        self.export = export
        self.row: _Row | None = None

    def take(self, line: int, fields: list[str]) -> bool:
        """Account for a line; False if it is not understood."""
        row = self.row
        if row is None or row.key != fields[:4] or len(fields) != 6:
            self.close()
            when = stamp(fields[2]) if len(fields) > 3 else None
            if when is None or not re.fullmatch(r"-1|\d{1,9}", fields[1], re.ASCII):
                return False
            if not fields[0] or not fields[3]:
                return False
            self.export.of_host(fields[0], line)
            if fields[1] == "-1":
                return self.export.mark(when, line, "\t".join(fields[3:]).rstrip())
            if len(fields) != 6:
                return False
            row = self.row = _Row(fields[:4], when, line)
        name, text = fields[4], fields[5]
        value = _value(name, text)
        if match := _PROCESSOR.fullmatch(name):
            # The matrix of interrupts: the item is the interrupt, the name is the processor.
            self.close()
            cells = (_item(fields[3]), match[1] or "all", text)
            return self.export.row(INTERRUPT, cells, row.when, float(row.key[1]), line)
        if row.metrics and not _names((*row.metrics, name), fields[3] != _NONE):
            self.close()
            row = self.row = _Row(fields[:4], row.when, line)
        row.metrics = (*row.metrics, name)
        row.values.append(value)
        return value is not None or text == "N/A"

    def close(self) -> None:
        """Keep the row that is complete."""
        row, self.row = self.row, None
        if row is None or not row.values:
            return
        item = row.key[3]
        names = _names(row.metrics, item != _NONE)
        values = row.values
        if item != _NONE:
            values = [_item(item), *values]
            names = names or ("ITEM", *row.metrics)
        self.export.row(
            names or row.metrics, values, row.when, float(row.key[1]), row.line
        )  # fmt: skip


def _value(name: str, text: str) -> str | None:
    """The text of a value, if it can be understood: a number, or the words of some columns."""
    if _is_text(name):
        return text
    try:
        return None if number(text) is None else text
    except ValueError:
        return None


@lru_cache(KEPT_NAMES)
def _is_text(name: str) -> bool:
    kinds = {each.columns[name].text for each in ACTIVITIES if name in each.columns}
    return True in kinds


@lru_cache(KEPT_NAMES)
def _item(item: str) -> str:
    """Name an item as ``sar`` does: cpu0 is 0, ttyS1 is 1, i024 is 24."""
    match = _ITEM.fullmatch(item)
    if not match:
        return item
    return str(int(match[1] or match[2]))


@lru_cache(KEPT_NAMES)
def _names(metrics: Names, has_item: bool) -> Names:
    """The heading in ``sar`` that has these names; empty if no activity has them all."""
    # With one sample in the file, memory and swap space stand together; they never were one
    # section since kbcommit is there.
    if "kbcommit" in metrics and "kbswpfree" in metrics:
        return ()
    for activity in ACTIVITIES:
        if bool(activity.item) == has_item:
            names = (*activity.item_names[:1], *metrics)
            layout = layout_for(names)
            if layout and layout.activity is activity:
                return names
    return ()
