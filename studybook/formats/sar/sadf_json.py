"""``sadf -j``: JSON, read sample by sample.

A file of any size is read in blocks of a megabyte: only the object at hand is decoded. sadf
writes comments as they were typed: quotes in them are escaped here first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading, of_whole_letters
from studybook.formats.raw import LONGEST_LINE, Head, RawFile
from studybook.formats.sar.sadf_export import Export
from studybook.formats.sar.sadf_sample import Samples

#: Releases to 10 print the version of their layout before the hosts.
_START = re.compile(
    r'\s*\{\s*"sysstat"\s*:\s*\{\s*(?:"sysdata-version"\s*:[^,]{1,20},\s*)?"hosts"\s*:\s*\['
)
#: What other tools of sysstat print with -o JSON: no time at all, or one that is a text.
_IOSTAT = re.compile(r'"(?:avg-cpu|disk_device)"\s*:')
_MPSTAT = re.compile(r'"timestamp"\s*:\s*"')
_BLANK = re.compile(r"[ \t\r\n]*")
#: One attempt a line: blanks at its start, then the object, as sadf prints it.
_COMMENT = re.compile(
    r'^([ \t]*"comment"[ \t]*:[^\n]{0,300}?"com"[ \t]*:[ \t]*")(.*)("[ \t]*\}?[ \t]*,?[ \t]*)$',
    re.MULTILINE,
)

#: What is read at once, and the longest object that is waited for, in bytes.
_BLOCK, _LONGEST = 1024 * 1024, 8 * 1024 * 1024

#: Names within an object that say what its values are, and are none; releases to 10 have them.
_LABELS = frozenset({"per", "unit"})

#: Objects within a sample that have no values of their own; the others are rows.
_NESTED = frozenset({"network", "power-management", "psi"})

Values = dict[str, str | None]


def recognise(head: Head) -> bool:
    """Whether the file starts as ``sadf -j`` does."""
    return bool(_START.match(head.text)) and tool_in(head) is None


def tool_in(head: Head) -> str | None:
    """The other tool of sysstat whose JSON this is: ``iostat`` or ``mpstat``; None for none."""
    if not _START.match(head.text):
        return None
    return (
        "iostat" if _IOSTAT.search(head.text) else "mpstat" if _MPSTAT.search(head.text) else None
    )


def read(raw: RawFile, out: Reading) -> None:
    """Read the samples of every host, and their restarts and comments.

    Raises
    ------
    Refused
        If the file is no JSON, or ends too early.
    """
    text = Text(raw, out)
    samples = Samples(Export(out), raw)
    for _ in text.members():  # "sysstat"
        for key in text.members():
            if key == "hosts" and text.peek() == "[":
                for _ in text.elements():
                    samples.host(text.line)
                    _host(text, samples)
            else:
                text.value()
    if text.peek():
        raise text.refusal("there is more behind the end")
    samples.finish(text.line - 1)


def _host(text: Text, samples: Samples) -> None:
    for key in text.members():
        if key == "statistics" and text.peek() == "[":
            for _ in text.elements():
                _sample(text, samples)
        elif key in ("restarts", "comments") and text.peek() == "[":
            for _ in text.elements():
                for _ in text.members():
                    parts, first = text.values()
                    keep = samples.restart if key == "restarts" else samples.comment
                    keep(parts, first, text.line)
        else:
            text.peek()
            first, value = text.line, text.value()
            if isinstance(value, str) and samples.fact(key, value):
                samples.account(first, text.line)


def _sample(text: Text, samples: Samples) -> None:
    # The time stands first as sadf prints it, and may stand elsewhere in JSON that was sorted.
    leaves: list[tuple[str, Values, int, int]] = []
    begun = False
    for key in text.members():
        if key == "timestamp":
            parts, first = text.values()
            samples.begin(parts, first, text.line)
            begun = True
        else:
            leaves += text.leaves(key)
    if not begun:
        samples.when = None
    for leaf in leaves:
        samples.values(*leaf)


class Text:
    """The text of a file, decoded piece by piece.

    Parameters
    ----------
    raw : RawFile
        The file.
    out : Reading
        Takes repairs of comments.
    how : str
        The command that prints such a file, for messages.
    """

    def __init__(
        self, raw: RawFile, out: Reading, how: str = "LC_ALL=C sadf -j FILE -- -A"
    ) -> None:
        self.out = out
        self.how = how
        self.raw = raw
        self.blocks = raw.blocks(_BLOCK)
        self.text = ""
        self.place = 0
        self.line = 1
        # Numbers stay text: they are held to what sysstat can mean later on.
        self.decoder = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)

    def fill(self) -> bool:
        """Read on; False at the end of the file."""
        first, block = next(self.blocks, (0, b""))
        text = block.decode()
        if '"com"' in text:
            text = _COMMENT.sub(lambda match: self._escaped(match, text, first), text)
        self.text = self.text[self.place :] + text
        self.place = 0
        return bool(block)

    def _escaped(self, match: re.Match[str], text: str, first: int) -> str:
        start, comment, end = match.groups()
        try:
            json.loads(f'"{comment}"')
        except ValueError:
            line = first + text.count("\n", 0, match.start())
            self.out.repaired(line, "a comment with quotes or backslashes in it, not escaped")
            comment = json.dumps(comment)[1:-1]
        return f"{start}{comment}{end}"

    def peek(self) -> str:
        """The next character that is not blank; empty at the end."""
        while True:
            found = self.text[self.place : self.place + 1]
            if found and found not in " \t\r\n":
                return found
            match = _BLANK.match(self.text, self.place)
            end = match.end() if match else self.place
            self.line += self.text.count("\n", self.place, end)
            self.place = end
            if end == len(self.text) and not self.fill():
                return ""

    def take(self, wanted: str) -> str:
        """Go past the next character, which must be one of these."""
        found = self.peek()
        if not found or found not in wanted:
            named = repr(found) if found else "the end of the file"
            raise self.refusal(f"there is {named} where one of {wanted} should be")
        self.place += 1
        return found

    def value(self) -> Any:
        """Decode what comes next, as a whole."""
        self.peek()
        while True:
            try:
                value, end = self.decoder.raw_decode(self.text, self.place)
            except (ValueError, RecursionError) as error:
                if len(self.text) - self.place < _LONGEST and self.fill():
                    continue
                raise self.refusal(str(error)) from error
            # A number at the end of a block may go on in the next one.
            if end < len(self.text) or not self.fill():
                break
        if self.text.find("\\u", self.place, end) >= 0:
            value = of_whole_letters(value)
        self.line += self.text.count("\n", self.place, end)
        self.place = end
        return value

    def members(self) -> Iterator[str]:
        """Go through an object: its keys; the caller takes each value."""
        for _ in self.elements("{}"):
            key = self.value() if self.peek() == '"' else None
            if not isinstance(key, str):
                raise self.refusal("there is no name where one should be")
            self.take(":")
            yield key

    def elements(self, brackets: str = "[]") -> Iterator[None]:
        """Go through an array; the caller takes each element."""
        first, last = brackets[0], brackets[1]
        self.take(first)
        if self.peek() == last:
            self.take(last)
            return
        while True:
            yield
            if self.take(f",{last}") == last:
                return

    def values(self) -> tuple[Values, int]:
        """Take an object of named values; also the line on which it begins."""
        self.peek()
        first, value = self.line, self.value()
        return _flat(value) if isinstance(value, dict) else {}, first

    def leaves(self, group: str, depth: int = 0) -> list[tuple[str, Values, int, int]]:
        """Take the objects with values, however deep: group, values, first and last line."""
        found: list[tuple[str, Values, int, int]] = []
        start = self.peek()
        if depth > 3:
            raise self.refusal("objects stand too deep within each other")
        if start == "[":
            for _ in self.elements():
                found += self.leaves(group, depth + 1)
        elif start == "{" and group in _NESTED:
            for key in self.members():
                found += self.leaves(key, depth + 1)
        else:
            values, first = self.values()
            if values:
                found.append((group, values, first, self.line))
        return found

    def refusal(self, reason: str) -> Refused:
        """Say what is wrong, and where."""
        if self.raw.has_cut_lines:
            return Refused(
                f"has a line of more than {LONGEST_LINE // 1024**2} MiB",
                "print it on many lines, as sysstat does: jq . FILE",
                line=self.line,
            )
        return Refused(
            f"is not the JSON that sysstat prints: {reason[:200]}",
            f"export it again, with the whole output in the file: {self.how}",
            line=self.line,
        )


def _flat(value: dict[str, Any]) -> Values:
    """The values of an object, and of those within it (``io-reads`` in ``io``)."""
    if all(type(each) is str for each in value.values()) and _LABELS.isdisjoint(value):
        return value
    inner = [each for each in value.values() if isinstance(each, dict)]
    flat = {key: each for part in (value, *inner) for key, each in part.items()}
    return {
        key: each if isinstance(each, str) or each is None else str(each)[:400]
        for key, each in flat.items()
        if each not in inner and key not in _LABELS
    }
