"""The ``-"scale_y"`` form, ``command:section:0:1:::value:value:``, of any command.

The columns of a section stand in its HEADER line and change with the release, so values are
found by name. Values of known sections go to the same tables as the text form; what has no
column there, and every section of other commands, goes to the generic table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from studybook.formats.captures.section import Line, Section, Start
from studybook.formats.scale.y_sections import DOCUMENTED, KNOWN, Values

#: Command, section, row kind, version and two reserved pieces before the values.
_PREFIX = 6
_LINE = re.compile(
    r"(?:[A-Za-z]\w{0,40}:\w{0,60}:HEADER:version:|mm[A-Za-z]\w{0,40}:\w{0,60}:[0-9]{1,4}:[0-9]{1,4}:)"
    r"[^:]*:[^:]*:.*"
)


@dataclass
class YForm(Section):
    """Rows of any sections, mixed, with their HEADER lines before or between them."""

    headers: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict, init=False)
    rows: dict[tuple[str, str], int] = field(default_factory=dict, init=False)

    begins_with_content = True
    broken: Line | None = None

    def expects(self, line: Line) -> bool:
        """Further rows do not begin a new output."""
        return bool(_LINE.fullmatch(line.text.strip()))

    def _take(self, line: Line) -> bool | None:
        text = line.text.strip()
        if not _LINE.fullmatch(text):
            return self._mend(line)
        self.close()
        pieces = _pieces(text)
        if pieces[2] == "HEADER":
            self.headers[pieces[0], pieces[1]] = _unique(pieces[_PREFIX:])
            return False
        names = self._names(line, pieces)
        if text.endswith(":") or len(pieces) - _PREFIX >= len(names):
            self._row(line, pieces)
        else:
            self.broken = line
        return True

    def close(self) -> None:
        """Hand over a row that was waiting for its other half in vain."""
        if self.broken:
            line, self.broken = self.broken, None
            self._row(line, _pieces(line.text.strip()))

    def blank(self) -> bool:
        """A blank line ends a row, not the output."""
        self.close()
        return True

    def _mend(self, line: Line) -> bool | None:
        """Join a line to the row before it, which has neither all its values nor an end."""
        if not self.broken:
            return None
        start, rest = self.broken, line.text.strip()
        pieces = _pieces(start.text.strip() + rest)
        expected = _PREFIX + len(self._names(start, pieces))
        if not rest.endswith(":") or " " in rest or len(pieces) > expected:
            return None
        self.broken = None
        self.mend(start.number, f"the row is broken over lines {start.number} and the next")
        self._row(start, pieces)
        return True

    def _names(self, line: Line, pieces: list[str]) -> tuple[str, ...]:
        """The columns of a row: by the HEADER of its section, or as documented."""
        command, section = pieces[:2]
        if (command, section) in self.headers:
            return self.headers[command, section]
        for (word, other), names in self.headers.items():
            # Some releases print 'fs::HEADER' above 'mmlsfs::0'.
            if other == section and command.endswith(word.lower()):
                return names
        documented = DOCUMENTED.get((command, section), ())
        taken = "documented columns taken" if documented else "its columns have no names"
        self.say(line.number, f"{_title(command, section)} has no HEADER line: {taken}")
        return documented

    def _row(self, line: Line, pieces: list[str]) -> None:
        command, section = pieces[:2]
        names = self._names(line, pieces)
        values = Values((name, None) for name in names)
        surplus = Values()
        for place, piece in enumerate(pieces[_PREFIX:]):
            if place < len(names):
                values[names[place]] = unquote(piece) or None
            else:
                unnamed = f"surplus_{place - len(names) + 1}" if names else f"field_{place + 1}"
                surplus[unnamed] = unquote(piece) or None
        if surplus and names:
            self.say(line.number, f"{_title(command, section)} has rows longer than their HEADER")
        self.rows[command, section] = number = self.rows.get((command, section), 0) + 1
        place_of = "nsd of a node" if "localDiskName" in values else section
        known = KNOWN.get((command, place_of))
        # Rows that lack the columns which make them rows of a known section are kept generic.
        if known and set(known.columns) & set(names):
            taken = {column: values.get(name) for name, column in known.columns.items()}
            self.row(known.table, line.number, taken, **known.more(values))
            left = Values(
                (name, value)
                for name, value in values.items()
                if value and name not in known.columns and name not in known.also
            )
        else:
            left = values
        for name, value in (left | surplus).items():
            self.out.record(
                "scale_y", line=line.number, command=command, section=section or None, row=number,
                name=name, value=value,
            )  # fmt: skip


def _pieces(text: str) -> list[str]:
    pieces = text.split(":")
    # Every row ends with a colon, which begins no value.
    if len(pieces) > _PREFIX and not pieces[-1]:
        pieces.pop()
    return pieces


def _unique(pieces: list[str]) -> tuple[str, ...]:
    """Names of columns, of which none may hide another."""
    names: dict[str, None] = {}
    for place, piece in enumerate(pieces):
        name = unquote(piece)
        names[f"{name}_{place + 1}" if name in names else name] = None
    return tuple(names)


def _title(command: str, section: str) -> str:
    return f"{command} {section}".strip()


STARTS = (Start(_LINE.pattern, YForm),)
