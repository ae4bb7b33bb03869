"""``db2set``: variables in the registry of DB2, plain or with their levels (``-all``).

Plain output is known from real captures, that of ``-all`` from the documentation of DB2.
"""

from __future__ import annotations

import re

from studybook.formats.captures.section import Items, Line, Start

#: Variables of the environment only: other tools print them, too.
_ENVIRONMENT = "INSTANCE|PATH|DIR|LIB|NODE|_HOME|PARTITIONNUM|INSTPROF"
_VARIABLE = re.compile(
    r"((?:\[(?P<level>[a-zA-Z-])\] ?)?(?P<variable>DB2[A-Z0-9_]{1,60})) ?= ?(?P<value>.{0,1000}?)"
    r"(?: \[(?P<set_by>DB2[A-Z0-9_]{1,60})\])?"
)


class Registry(Items):
    """A line for each variable, on its level."""

    item = _VARIABLE

    def _take(self, line: Line) -> bool | None:
        found = _VARIABLE.fullmatch(line.squeezed)
        if not found or not self.expects(line):
            return None
        self.seen.add(found[1])
        if found["level"]:
            self.out.certainty = "documented"
        self.row("linux_db2_setting", line.number, found.groupdict())
        return True


STARTS = (
    Start(
        rf"(?:\[[a-zA-Z-]\] ?)?DB2(?!(?:{_ENVIRONMENT}) ?=)[A-Z0-9_]{{1,60}} ?= ?.{{0,1100}}",
        Registry,
    ),
    # Below others; alone they may be the environment of a shell.
    Start(rf"\[[a-z]\] ?DB2(?:{_ENVIRONMENT}) ?=.{{0,1100}}", Registry),
)
