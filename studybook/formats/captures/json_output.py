"""Outputs in JSON, in one line or in many: held until the first bracket is closed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from studybook.formats.captures.section import Line, Section
from studybook.formats.captures.shell import split_prompt

#: Longest output that is read, in characters: more than a thousand network interfaces.
LONGEST = 4 * 1024 * 1024

#: How deeply objects may be nested; those of known commands are of six levels at most.
_DEEPEST = 40

_BRACKET = re.compile(r"[\[\]{}]")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


@dataclass
class JsonOutput(Section):
    """Lines up to the one that closes the first bracket."""

    held: list[tuple[int, str]] = field(default_factory=list, init=False)

    #: The command, and what its output must have, for messages.
    tool = ""
    subject = ""
    begins_with_content = True
    begun = False
    length = 0
    depth = 0

    def has_subject(self, found: Any) -> bool:
        """Whether the output is one of the command, with something in it."""
        raise NotImplementedError

    def use(self, line: Line, found: Any) -> None:
        """Make rows of the output; its first line is given."""
        raise NotImplementedError

    def expects(self, line: Line) -> bool:
        """A line that JSON may go on with, as long as a bracket is open."""
        # A line that begins with an opening bracket begins the next output.
        return self.depth > 0 and line.text[:1] in ' \t]{}"' and not split_prompt(line.text)[0]

    def take(self, line: Line) -> bool:
        """Hold a line; read the output when it is whole."""
        if self.begun and not self.expects(line):
            return False
        self.begun = True
        self.held.append((line.number, line.text))
        self.length += len(line.text)
        for bracket in _BRACKET.findall(_STRING.sub("", line.text)):
            self.depth += 1 if bracket in "[{" else -1
            if self.depth > _DEEPEST:
                self._give_up("it is nested too deeply")
                return True
        if self.length > LONGEST:
            self._give_up(f"it is longer than {LONGEST >> 20} MiB")
        elif self.depth <= 0:
            self._read()
        return True

    def close(self) -> None:
        """Hand over what was read, or the lines of an output that is not whole."""
        super().close()
        if self.held:
            self._give_up("it ends in the middle")

    def _give_up(self, why: str) -> None:
        self.say(self.held[0][0], f"the JSON of {self.tool} is not read: {why}; capture it again")
        for number, text in self.held:
            self.out.unknown(number, text)
        self.held, self.depth = [], 0

    def _read(self) -> None:
        try:
            found = json.loads("\n".join(text for _, text in self.held))
        except (ValueError, RecursionError):
            self._give_up("it is damaged")
            return
        if not self.has_subject(found):
            self._give_up(f"no {self.subject} is in it")
            return
        first, lines, self.held = Line(*self.held[0]), len(self.held), []
        self.use(first, found)
        self.out.used(lines)


def plain(value: object) -> str:
    """A value as text, without halves of characters, which no table can hold."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode(errors="replace").decode()


def flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Names with dots, and plain values, of whatever is nested; bounded, as JSON is parsed."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from flat(f"{name}.{plain(key)}" if name else plain(key), each)
    else:
        yield name, plain(value)
