"""Numbers with their nouns and signs, as readers expect them: 1 process, 2 processes, 3 %."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

#: Plurals whose singular lacks more than the s: processes, boxes, dishes, switches.
_IN_ES = re.compile(r"(ss|x|sh|[tnr]ch)es$")
#: Words that end in an s and are no plurals: status, axis, class, series.
_NO_PLURAL = re.compile(r"([sui]s|series)$")
#: Shorter ones are symbols of units, such as ms.
_SHORTEST = 4


def counted(number: int, thing: str) -> str:
    """A number of things, by the name of one: “1 node”, “4 nodes”."""
    if number == 1:
        return f"{number} {thing}"
    if thing.endswith("y") and thing[-2:-1] not in "aeo":
        return f"{number:,} {thing[:-1]}ies"
    return f"{number:,} {thing}{'es' if _IN_ES.search(f'{thing}es') else 's'}"


def few(names: Sequence[str], most: int) -> str:
    """The first of some names, and how many there are more: “a, b and 3 more”."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def numbered(number: str, things: str) -> str:
    """A printed number and its unit, by the name of several: “1 node”, “4 nodes”, “1 ms”."""
    return f"{number} {singular(things) if number == '1' else things}".strip()


def short(value: float, digits: int = 3) -> str:
    """A number for people, rounded to so many significant digits: “0.0123”, “1.5”, “11,800”.

    It has an exponent below a ten-thousandth and from 10^15 on alone.
    """
    if value and math.isfinite(value) and abs(value) >= 1e-4:
        value = round(value, digits - 1 - math.floor(math.log10(abs(value))))
        return minus(f"{value:,.15g}")
    return minus(f"{value:.{digits}g}")


def minus(text: str) -> str:
    """A text of numbers with the sign for minus in the place of hyphens: “−3”."""
    return text.replace("-", "−")


def by_numbers(name: str) -> list[int | str]:
    """What names are sorted by, so that run 2 stands before run 15."""
    parts = re.split(r"([0-9]+)", name)
    return [int(part) if number % 2 else part for number, part in enumerate(parts)]


def spaced(text: str) -> str:
    """A text with a space between each number and its per cent sign: “29 %”."""
    return re.sub(r"(?<=\d)%", " %", text)


def together(text: str) -> str:
    """A text in which no line ends between a number and its sign: “29 %” with a no-break space."""
    return re.sub(r"(?<=\d) (?=[%×])", "\u00a0", text)


def first_of(names: Sequence[str], most: int) -> str:
    """The first of several names, and an ellipsis where there are more."""
    return ", ".join(names[:most]) + ", …" * (len(names) > most)


def singular(things: str) -> str:
    """One of these; what is no plural stays as it is, such as a unit that is no word.

    Parameters
    ----------
    things : str
        A plural, before which other words may stand: “NSD servers”.
    """
    word = things.rpartition(" ")[2]
    plural = word.isalpha() and len(word) >= _SHORTEST and word.endswith("s")
    if not plural or _NO_PLURAL.search(word):
        return things
    if word.endswith("ies"):
        return f"{things.removesuffix('ies')}y"
    return things.removesuffix("es" if _IN_ES.search(word) else "s")


def lasting(seconds: float) -> str:
    """A length of time in the unit that suits it, as ``36 h`` or ``12.5 min``."""
    for unit, each in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * each:
            return f"{short(seconds / each)} {unit}"
    return f"{short(seconds)} s"
