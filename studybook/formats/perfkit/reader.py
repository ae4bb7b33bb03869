"""Going through a file of reports: pages, headings, rows, labelled values.

A line is understood as a whole or not at all, and then it is counted and its reason remarked.
"""

from __future__ import annotations

from studybook.errors import Refused
from studybook.formats.contract import Certainty, Reading
from studybook.formats.perfkit.body import Body
from studybook.formats.perfkit.cells import is_rule
from studybook.formats.perfkit.known import Remarks, known_report, other
from studybook.formats.perfkit.page import FIRST, Page, first_line, further_line
from studybook.formats.perfkit.rows import Rows
from studybook.formats.raw import Head, RawFile

#: No page is wider; a longer line was joined from several.
WIDEST = 500

#: Characters that mean: new page, no, one, two lines before this one.
_CONTROLS = " 10-+"

_WEAKEST: tuple[Certainty, ...] = ("from memory", "inferred", "documented", "seen")


def recognise(head: Head) -> bool:
    """Whether a file holds Performance Toolkit reports, or a text from around it."""
    return any(FIRST.match(line[:WIDEST]) for line in head.lines) or other(head) is not None


def read(raw: RawFile, out: Reading) -> None:
    """Read every report of the file.

    Raises
    ------
    Refused
        If it holds no report that can be read: menus, lost blanks, tabs, other texts.
    """
    if not any(FIRST.match(line[:WIDEST]) for line in raw.head.lines):
        found = other(raw.head)
        if found:
            raise Refused(found.reason, found.advice)
    walk = Walk(out)
    for number, text in raw.lines():
        walk.line(number, text.rstrip())
    walk.end()


class Walk:
    """Hands each line to the page or report that it belongs to."""

    def __init__(self, out: Reading) -> None:
        self.out = out
        self.page: Page | None = None
        self.body: Body | None = None
        self.asa = False
        self.menu = False
        self.menus: set[str] = set()
        self.reports = 0
        self.certainty: Certainty = "seen"
        self.rejected = ""
        self.remarks: dict[str, Remarks] = {}
        self.rows = Rows(out)

    def line(self, number: int, text: str) -> None:
        """Account for one line."""
        if "\t" in text[:WIDEST]:
            raise Refused(
                "holds tab characters: an editor has changed the columns",
                "transfer the listing again as text, without editing it",
                line=number,
            )
        if FIRST.match(text[:WIDEST]):
            self._begin_page(number, text)
            return
        if not text:
            self._blank()
            return
        if self.page and text.startswith("From "):
            # Only the first line of the page kept its carriage control.
            self.asa = False
        if len(text) > WIDEST or (self.asa and text[0] not in _CONTROLS):
            (self.body or self.out).unknown(number, text)
            return
        plain = " " + text[1:] if self.asa else text
        if not plain.strip():
            self._blank()
        elif self.menu:
            self.out.heading()
        elif self.page:
            self._page_line(number, plain)
        elif self.body:
            self.body.line(number, plain)
        else:
            self.out.unknown(number, text)

    def end(self) -> None:
        """Close the last report, and say what the file's layout rests on."""
        self._close_page()
        self._close_report()
        self.rows.hand_on()
        for remarks in self.remarks.values():
            remarks.close()
        self.out.certainty = self.certainty
        if self.reports:
            return
        if self.menus:
            names = ", ".join(sorted(self.menus))
            raise Refused(
                f"{names} is a menu or console of the Performance Toolkit, without measured values",
                "choose a report on it, and export that",
            )
        raise Refused(
            f"its heading is not understood: {self.rejected[:100]!r}",
            "export the report again as the Performance Toolkit prints it: a printed listing begins"
            " 'FCXnnn  Run yyyy/mm/dd hh:mm:ss', a screen 'FCXnnn  CPU nnnn  SER nnnnn  Interval'",
        )

    def _blank(self) -> None:
        self.out.heading()
        if self.body:
            self.body.blank()

    def _begin_page(self, number: int, text: str) -> None:
        self._close_page()
        report = FIRST.match(text)[1]  # type: ignore[index]  # the caller has matched it
        known = known_report(report)
        self.menu = known.menu
        if self.menu:
            self._close_report()
            if report not in self.menus:
                self.out.remark(number, f"{report} is a menu or console ({known.name}): skipped")
            self.menus.add(report)
            self.out.heading()
            return
        if "  " not in text.strip():
            raise Refused(
                f"blanks were squeezed in {report}: columns cannot be told apart",
                "transfer the listing again without editing it",
                line=number,
            )
        page = first_line(number, text[:WIDEST], self.out.hints.start)
        if not page:
            self._close_report()
            self.rejected = self.rejected or text
            self.out.unknown(number, text)
            return
        self.page = page
        self.asa = page.asa
        if not page.is_listing:
            self._close_page()

    def _page_line(self, number: int, text: str) -> None:
        if self.page and further_line(self.page, text):
            self.page.known_lines += 1
            return
        self._close_page()
        if self.body:
            self.body.line(number, text)
        elif is_rule(text):
            self.out.heading()

    def _close_page(self) -> None:
        """Begin the report that a page is of, unless it goes on from the page before."""
        page, self.page = self.page, None
        if not page:
            return
        self.out.used(page.known_lines)
        if self.body and self.body.next_page(page):
            return
        self._close_report()
        report, name = page.values["report"], page.values.get("name")
        if report not in self.remarks:
            self.remarks[report] = Remarks(self.out, page.line, report, name)
        self.body = Body(self.out, self.rows, self.reports, page, self.remarks[report])
        self.reports += 1
        self.certainty = min(self.certainty, self.body.known.certainty, key=_WEAKEST.index)

    def _close_report(self) -> None:
        body, self.body = self.body, None
        if body:
            body.close()
