"""What stands below the heading of a report: tables and labelled values."""

from __future__ import annotations

import re

from studybook.formats.contract import Reading
from studybook.formats.perfkit.cells import (
    Halves,
    Pair,
    colon,
    free,
    is_label,
    is_rule,
    is_value,
    words,
)
from studybook.formats.perfkit.columns import Columns, NotUnderstood, columns_below
from studybook.formats.perfkit.known import Remarks, known_report
from studybook.formats.perfkit.page import Clock, OutOfPeriod, Page, begins_with_time, is_time
from studybook.formats.perfkit.rows import Row, Rows

#: A heading of more lines is none.
_MOST_LINES = 12

_GROUP = re.compile(r"<[^<>]*>")
_PARTITION = re.compile(r"\s*LPAR Data, Collected in Partition (\S{1,8})\s*")
#: What divides a table into parts: ``User Class Data:``.
_PART = re.compile(r"\s*([A-Za-z]+(?: [A-Za-z]+){0,3}):")


class Body:
    """The content of one report, over all its pages; begun by the heading of the first one."""

    def __init__(self, out: Reading, rows: Rows, number: int, page: Page, remarks: Remarks) -> None:
        self.out = out
        self.kept = rows
        self.number = number
        self.page = page
        # As headings have it: a title below the first one may name the partition in addition.
        self.identity = page.identity
        self.pages = 1
        self.last_page = page.number
        self.known = known_report(page.values["report"])
        self.clock = Clock(page.values.get("from_local"), page.values.get("to_local"))
        self.columns: Columns | None = None
        self.halves: Halves | None = None
        self.pending: list[tuple[int, str]] = []
        self.after_blank = True
        self.section: str | None = None
        self.in_pairs = False
        self.rows = 0
        self.filled: dict[str, str] = {}
        self.remarks = remarks

    # --- lines --------------------------------------------------------------------------

    def line(self, number: int, text: str) -> None:
        """Account for one line that is not blank."""
        kinds = [self._row, self._free]
        # A line that begins with a time is nothing else, and most lines of a log are such.
        if self.known.pairs == "halves" or not begins_with_time(text):
            if is_rule(text):
                self.out.heading()
                self.after_blank = True
                return
            if self._title(text):
                self.after_blank = True  # a table of its own may follow
                return
            kinds = [self._halves, self._colon, *kinds]
        if not any(kind(number, text) for kind in kinds):
            self._heading(number, text)
        self.after_blank = False

    def blank(self) -> None:
        """Note a blank line: what follows may be of another kind."""
        self.after_blank = True

    def unknown(self, number: int, text: str) -> None:
        """Count a line that is not understood.

        It may have been the first row of a group, so what a group's first row says of the next
        rows is no longer known.
        """
        self.out.unknown(number, text)
        self.filled = {}

    def next_page(self, page: Page) -> bool:
        """Go on on the next page, with or without its heading; False if it is of another copy."""
        if page.identity != self.identity or not page.goes_on(self.last_page):
            return False
        self._drop_pending()
        self.pages += 1
        self.last_page = page.number
        self.after_blank = True
        return True

    def close(self) -> None:
        """Record the report."""
        self._drop_pending()
        values = {name: value for name, value in self.page.values.items() if value is not None}
        self.out.record(
            "perfkit_report", report_no=self.number, pages=self.pages, line=self.page.line,
            **{"name": self.known.name or None, **values},
        )  # fmt: skip
        for remark in self.page.remarks:
            self.remarks.once(self.page.line, remark[:20], remark)

    # --- kinds of lines -----------------------------------------------------------------

    def _title(self, text: str) -> bool:
        if match := _PARTITION.fullmatch(text):
            self.page.values["subject"] = match[1]
            self.out.used()
        elif match := _PART.fullmatch(text):
            self.section = match[1]
            self.out.heading()
        return match is not None

    def _halves(self, number: int, text: str) -> bool:
        if self.known.pairs != "halves":
            return False
        if Halves.is_heading(text):
            self.halves = Halves(text)
            self.out.heading()
            return True
        found = self.halves.row(text) if self.halves else None
        if found is None:
            self.unknown(number, text)
        elif len(found) == 1 and self.after_blank and "text" not in found[0]:
            self.section = found[0]["label"]
            self.out.used()
        else:
            self._pairs(number, found)
        return True

    def _colon(self, number: int, text: str) -> bool:
        first = words(text)[0].text
        pair = None if is_time(first) or is_label(first) else colon(text)
        if pair:
            self._drop_pending()
            self._pairs(number, [pair])
        return pair is not None

    def _free(self, number: int, text: str) -> bool:
        if self.known.pairs != "free" or not (self.after_blank or self.in_pairs):
            return False
        found = free(text)
        if found:
            self._drop_pending()
            self.columns, self.in_pairs = None, True
            self._pairs(number, found)
        return bool(found)

    def _pairs(self, number: int, found: list[Pair]) -> None:
        for pair in found:
            self.out.record(
                "perfkit_pair", report_no=self.number, section=self.section, line=number, **pair
            )
        self.out.used()

    def _heading(self, number: int, text: str) -> None:
        below_a_row = not self.pending and self.columns and not self.after_blank
        if below_a_row or any(is_value(word.text) for word in words(_GROUP.sub(" ", text))):
            self.unknown(number, text)
            return
        self.pending.append((number, text))
        if len(self.pending) > _MOST_LINES:
            self._drop_pending()

    def _drop_pending(self) -> None:
        """Count lines that could have been a heading and were none."""
        pending, self.pending = self.pending, []
        for number, text in pending:
            self.unknown(number, text)

    # --- rows ---------------------------------------------------------------------------

    def _row(self, number: int, text: str) -> bool:
        """Take a row of a table; False if the line is none."""
        if not begins_with_time(text) and not is_label(words(text)[0].text):
            row = words(_GROUP.sub(" ", text))
            values = sum(1 for word in row if is_value(word.text))
            if not values or 2 * values < len(row):
                return False
        choices = [(self.columns, False)] if self.columns else []
        if self.pending:
            try:
                heading = tuple(line for _, line in self.pending)
                choices.insert(0, (columns_below(heading, self.page.values["report"]), True))
            except NotUnderstood:
                return False
        for columns, is_new in choices:
            try:
                # Lines in between that are no heading may have been the first row of a group.
                filled = bool(self.filled) and (is_new or not self.pending)
                found = columns.assign(text, filled=filled)
                self._record(number, columns, found)
            except (NotUnderstood, OutOfPeriod) as error:
                reason = str(error)
                continue
            self._settle(number, columns, is_new=is_new)
            return True
        if not choices or (self.known.pairs == "free" and self.after_blank):
            return False
        self.remarks.once(
            number, "row", f"this row and maybe others were not understood: {reason}; the heading:"
            f"\n{choices[0][0].heading}",
        )  # fmt: skip
        self.unknown(number, text)
        return True

    def _settle(self, number: int, columns: Columns, *, is_new: bool) -> None:
        """Account for a row, and for the lines of the heading if it is a new one."""
        if not is_new:
            self._drop_pending()
        else:
            self.out.heading(len(self.pending))
            self.pending = []
            if columns.unknown and (not self.columns or self.columns.paths != columns.paths):
                self.remarks.once(
                    number, columns.heading,
                    f"headings that the table of headings lacks: {'; '.join(columns.unknown)};"
                    f" the heading:\n{columns.heading}",
                )  # fmt: skip
            self.columns = columns
        self.out.used()

    def _record(self, number: int, columns: Columns, found: list[str | None]) -> None:
        first = next(text for text in found if text)
        time = self.clock.moment(first) if is_time(first) else None
        names = {metric: text for place, metric in columns.naming if (text := found[place])}
        if columns.in_groups:
            fresh = {name: names[name] for name in self.known.fill if name in names}
            self.filled = fresh if self.known.fill[0] in fresh else self.filled
            names = self.filled | names
        key = [
            names[name] for name in self.known.key if name in names and not is_label(names[name])
        ]
        of_row = Row(self.number, self.rows, time, is_label(first), " ".join(key) or first, number)
        self.kept.take(columns, self.remarks, of_row, found)
        self.rows += 1
