"""A JSON reader that gets over the lines that other output leaves within IOR's JSON.

IOR prints its JSON a line at a time, and warnings, errors and stonewalling notes of any
task go between, even into the middle of a line. So lines are read one by one: a line
that is not JSON is handed back, and what is there of the structure is built.
"""

from __future__ import annotations

import json
import re
from typing import Any

from studybook.errors import Refused

_TOKEN = re.compile(
    r'\s*(?:(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?=[\s,\]}]|$))"
    r"|(?P<word>true|false|null|[-+]?(?:NaN|nan|Inf|inf|Infinity))(?=[\s,\]}]|$)"
    r"|(?P<mark>[{}\[\],:]))"
)
_WORDS = {"true": True, "false": False}
_DEEPEST = 32

Token = tuple[str, str]


class Node(dict[str, Any]):
    """A JSON object that knows the line it begins on."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line


def tokens(text: str) -> tuple[list[Token], str]:
    """Split a line into JSON tokens, and what is left where it stops being JSON."""
    found: list[Token] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if not match or not match.lastgroup:
            break
        found.append((match.lastgroup, match[match.lastgroup]))
        place = match.end()
    return found, text[place:].strip()


class Builder:
    """Builds objects from tokens; unfinished ones too, for files that were cut.

    Attributes
    ----------
    broken : bool
        Whether some bracket or key was out of place.
    conflict : str or None
        A key that came twice in an object with different values.
    """

    def __init__(self) -> None:
        self.broken = False
        self.conflict: str | None = None
        self._root: Node | None = None
        self._stack: list[Node | list[Any]] = []
        self._key: str | None = None

    @property
    def inside(self) -> bool:
        """Whether an object is open."""
        return bool(self._stack)

    def take(self) -> Node | None:
        """Return the outermost object, closed or not; the next one starts anew."""
        root, self._root, self._stack, self._key = self._root, None, [], None
        return root

    def feed(self, kind: str, text: str, line: int) -> bool:
        """Take one token; False if it has no place."""
        if kind == "mark":
            return self._mark(text, line)
        if not self._stack:
            self.broken = True
            return False
        top = self._stack[-1]
        if kind == "string" and isinstance(top, Node) and self._key is None:
            self._key = _string(text)
            return True
        return self._put(_value(kind, text))

    def _mark(self, mark: str, line: int) -> bool:
        if mark in ",:":
            return True
        if mark in "{[":
            return self._open(Node(line) if mark == "{" else [])
        kind = Node if mark == "}" else list
        if not any(isinstance(level, kind) for level in self._stack):
            self.broken = True
            return False
        while not isinstance(self._stack.pop(), kind):
            self.broken = True
        self._key = None
        return True

    def _open(self, value: Node | list[Any]) -> bool:
        if len(self._stack) >= _DEEPEST:
            raise Refused(
                f"is JSON nested more than {_DEEPEST} levels deep, which IOR never writes",
                "check that the file is IOR's own",
            )
        if not self._stack and isinstance(value, list):
            self.broken = True
            return False
        placed = True
        if self._stack:
            placed = self._put(value)
        elif isinstance(value, Node):
            self._root = value
        self._stack.append(value)
        return placed

    def _put(self, value: Any) -> bool:
        top = self._stack[-1]
        if isinstance(top, list):
            top.append(value)
            return True
        if self._key is None:
            self.broken = True
            return False
        key, self._key = self._key, None
        # IOR 3.2 and 3.3 print some keys twice, with the same value.
        if key in top and top[key] != value:
            self.conflict = key
        top[key] = value
        return True


def _string(text: str) -> str:
    try:
        value = str(json.loads(text, strict=False))
    except ValueError:
        return text[1:-1]
    # Half a surrogate pair is not text, and cannot be stored.
    return value.encode("utf-8", "replace").decode("utf-8")


def _value(kind: str, text: str) -> Any:
    if kind == "string":
        return _string(text)
    if kind == "word":
        return _WORDS.get(text, None if text == "null" else text)
    if text.lstrip("-").isdecimal() and len(text) < 19:
        return int(text)
    return float(text)
