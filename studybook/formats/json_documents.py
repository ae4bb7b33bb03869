"""Documents of JSON, in one line or in many, one after another; and plain values of them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.raw import LONGEST_LINE, RawFile

#: A document larger than this is no output of a tool that we know of.
MOST_CHARACTERS = 64 * 2**20

#: How deeply objects may be nested.
DEEPEST = 60

_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


@dataclass(frozen=True)
class Document:
    """One document: its first line, how many it has, and what it holds."""

    line: int
    lines: int
    value: Any


def documents(raw: RawFile, out: Reading, tool: str) -> Iterator[Document]:
    """Go through the documents of a file.

    Lines of a document are to be accounted for by who asks; all others are here: blank lines as
    headings, those of a damaged document, and those between two, as not understood.

    Parameters
    ----------
    raw : RawFile
        The file.
    out : Reading
        Where the account of lines goes.
    tool : str
        Who wrote it, for remarks.

    Raises
    ------
    Refused
        If a document is larger than 64 million characters, or none is whole.
    """
    held: list[tuple[int, str]] = []
    depth = length = 0
    whole, given_up = False, ""
    for number, text in raw.lines():
        if not held and text.lstrip()[:1] not in ("{", "["):
            out.account(number, text, None if text.strip() else False)
            continue
        held.append((number, text))
        length += len(text) + 1
        if length > MOST_CHARACTERS:
            raise Refused(
                f"is too large for an output of {tool}", "export single runs of it", line=held[0][0]
            )
        deepest = depth
        for match in _BRACKETS.finditer(text):
            bracket = match[0]
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(bracket, 0)
            deepest = max(deepest, depth)
        if depth > 0 and deepest <= DEEPEST:
            continue
        lines, held, length, depth = held, [], 0, 0
        value = _parsed(lines) if deepest <= DEEPEST else None
        if value is None:
            _give_up(out, tool, lines, "damaged")
            # Of lines that are too long, readers say more.
            given_up = "" if raw.has_cut_lines else given_up or "damaged"
        else:
            whole = True
            yield Document(lines[0][0], len(lines), value)
    if held:
        _give_up(out, tool, held, "cut")
        given_up = "" if raw.has_cut_lines else given_up or "cut"
    if given_up and not whole:
        raise Refused(
            f"is JSON of {tool}, and {given_up}: none of it can be read",
            "copy it again, once who writes it has ended",
        )


def _parsed(lines: list[tuple[int, str]]) -> Any:
    if any(len(text) >= LONGEST_LINE for _, text in lines):
        return None  # cut off
    try:
        return json.loads("\n".join(text for _, text in lines), parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def _give_up(out: Reading, tool: str, lines: list[tuple[int, str]], how: str) -> None:
    out.remark(lines[0][0], f"the JSON of {tool} that begins here is {how}: it is not read")
    for number, text in lines:
        out.unknown(number, text)


def number(value: Any) -> float | None:
    """A finite number of JSON, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int) and abs(value) > 2**62:
        return None
    return float(value) if math.isfinite(value) else None


def count(value: Any) -> int | None:
    """A whole number of JSON that a column can hold, else None."""
    return value if type(value) is int and abs(value) < 2**62 else None


def text(value: Any) -> str | None:
    """A string of JSON as it can be stored, else None."""
    if not isinstance(value, str):
        return None
    return value.encode("utf-8", "replace").decode()[:400]


def members(value: Any) -> dict[str, Any]:
    """The members of an object of JSON; none of anything else."""
    return value if isinstance(value, dict) else {}
