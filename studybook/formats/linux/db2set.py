"""``db2set``: variables in the registry of DB2, plain or with their levels (``-all``).

Plain output is known from real captures, that of ``-all`` from the documentation of DB2.
"""

from __future__ import annotations

import re

from studybook.formats.captures.section import Command, Line, Section, Start
from studybook.formats.contract import Reading

#: Variables of the environment only: other tools print them, too.
_ENVIRONMENT = "INSTANCE|PATH|DIR|LIB|NODE|_HOME|PARTITIONNUM|INSTPROF"
_VARIABLE = re.compile(
    r"(?:\[(?P<level>[a-zA-Z-])\] ?)?(?P<variable>DB2[A-Z0-9_]{1,60}) ?= ?(?P<value>.{0,1000}?)"
    r"(?: \[(?P<set_by>DB2[A-Z0-9_]{1,60})\])?"
)


class Registry(Section):
    """A line for each variable; one that was there already begins the next output."""

    begins_with_content = True

    def __init__(self, out: Reading, command: Command) -> None:
        super().__init__(out, command)
        self.seen: set[tuple[str | None, str]] = set()

    def expects(self, line: Line) -> bool:
        """A variable that was not yet there, on this level."""
        found = _VARIABLE.fullmatch(line.squeezed)
        return found is not None and (found["level"], found["variable"]) not in self.seen

    def take(self, line: Line) -> bool:
        """Account for a variable."""
        found = _VARIABLE.fullmatch(line.squeezed)
        if not found or not self.expects(line):
            return False
        self.seen.add((found["level"], found["variable"]))
        if found["level"]:
            self.out.certainty = "documented"
        self.row("linux_db2_setting", line.number, found.groupdict())
        self.out.used()
        return True


STARTS = (
    Start(
        re.compile(
            rf"(?:\[[a-zA-Z-]\] ?)?DB2(?!(?:{_ENVIRONMENT}) ?=)[A-Z0-9_]{{1,60}} ?= ?.{{0,1100}}"
        ),
        Registry,
    ),
    # Below others; alone they may be the environment of a shell.
    Start(re.compile(rf"\[[a-z]\] ?DB2(?:{_ENVIRONMENT}) ?=.{{0,1100}}"), Registry),
)
