"""A difference in words, by the one notation of the book: “29.5 % longer”, “3.4 × as long”.

Between half and twice it is so many per cent longer or shorter; beyond, so many times as long.
A sentence never has a signed per cent: an interval on both sides of zero says which side is which.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from studybook.statistics.digits import borne
from studybook.text import numbered

#: Comparatives by what is compared; the one for more stands first.
_PAIRS = {
    "long": ("longer", "shorter"),
    "high": ("higher", "lower"),
    "large": ("larger", "smaller"),
    "many": ("more", "fewer"),
    "much": ("more", "less"),
}
_WORDS = frozenset(word for pair in _PAIRS.values() for word in pair)

#: Decimals of a change in per cent, and of a multiple, at most; one below half has more, so that
#: it has three digits of its own.
_PERCENT_DECIMALS, _TIMES_DECIMALS = 1, 2

#: An amount that a sentence compares: “{amount} more packets than with SD”.
_AMOUNT = re.compile(r"\{amount\} (?P<how>[a-z]+(?:(?: (?!than\b)[\w-]+){0,2} than\b)?)")


def is_comparative(how: str) -> bool:
    """Whether a format is one of these, such as “longer” or “less time than”."""
    return bool(_WORDS & {*how.split()[:1]})


def beyond(share: float) -> bool:
    """Whether a difference is given as a multiple: it is more than twice, or less than half."""
    return math.isfinite(share) and not 0.5 <= 1 + share <= 2


def compared(share: float, low: float | None, high: float | None, how: str) -> str:
    """Say a difference in words, with its interval.

    Parameters
    ----------
    share : float
        The difference, as a share of what it is taken from: 0.295 for 29.5 % more.
    low, high : float or None
        Its interval; none where either is missing.
    how : str
        A comparative, for more or for less alike, with what is compared and “than”: “longer”,
        “less time than”, “more packets than”.

    Returns
    -------
    str
        “29.5 % longer (27.0 to 32.1 %) than”, “3.44 × as long (3.1 to 3.8 ×) as”.
    """
    if beyond(share):
        times, ends = _times(share, low, high)
        first, than = _as(how)
        between = f" ({' to '.join(map(times, ends))} ×)" if ends else ""
        return f"{times(1 + share)} × {first}{between}{than}"
    least, greatest = (None if end is None else 100 * end for end in (low, high))

    def percent(number: float) -> str:
        return borne(100 * share, least, greatest, _PERCENT_DECIMALS, of=100 * abs(number))

    return in_words(share, low, high, how, percent, "%")


def in_words(
    value: float,
    low: float | None,
    high: float | None,
    how: str,
    number: Callable[[float], str],
    unit: str,
) -> str:
    """Say a difference in a unit in words, with its interval: “1.6 IFL more (1.5 to 1.7 IFL)”.

    Parameters
    ----------
    value, low, high, how
        As of :func:`compared`.
    number : callable
        Prints the size of a number, without its sign.
    unit : str
        What stands behind it.
    """
    words, than = re.subn(r" than$", "", how)
    things = words.partition(" ")[2]
    more, less = _PAIRS[_compared(words)]

    def said(each: float) -> str:
        return f"{numbered(number(each), unit)} {less if each < 0 else more}"

    first = f"{said(value)} {things}".rstrip()
    if low is None or high is None or not (math.isfinite(low) and math.isfinite(high)):
        return first + " than" * than
    if low < 0 < high:
        between = f"{said(low)} to {said(high)}"
    else:
        ends = map(number, sorted((low, high), key=abs))
        between = numbered(" to ".join(ends), unit)
    return f"{first} ({between})" + " than" * than


def beyond_twice(sentence: str, share: float, low: float | None, high: float | None) -> str:
    """A sentence on an ``{amount}`` that is beyond half or twice, with the multiple in its place.

    “{amount} more packets than” becomes “3.4 × as many packets as”.
    """

    def multiple(found: re.Match[str]) -> str:
        how = found["how"] if " than" in found["how"] else found["how"].split()[0]
        if not is_comparative(how):
            return found[0]
        rest = found["how"].removeprefix(how)
        first, than = _as(how)
        return f"{_times(share, low, high)[0](1 + share)} × {first}{than}{rest}"

    return _AMOUNT.sub(multiple, sentence)


def _times(
    share: float, low: float | None, high: float | None
) -> tuple[Callable[[float], str], list[float]]:
    """What prints a multiple, with the digits that its interval bears, and the ends of that."""
    ends = [1 + end for end in (low, high) if end is not None and math.isfinite(end)]
    if len(ends) < 2:
        ends = []
    least, greatest = ends or (None, None)
    small = 0 < 1 + share < 0.5
    most = 2 - math.floor(math.log10(1 + share)) if small else _TIMES_DECIMALS
    return lambda of: borne(1 + share, least, greatest, most, of=of), ends


def _as(how: str) -> tuple[str, str]:
    """What stands in the place of a comparative, and of its “than”."""
    words, than = re.subn(r" than$", "", how)
    things = words.partition(" ")[2]
    return " ".join(filter(None, ["as", _compared(words), things])), " as" * than


def _compared(words: str) -> str:
    """What a comparative compares: of more packets that they are many, of more time how much."""
    first, _, things = words.partition(" ")
    if first == "more" and not things.endswith("s"):
        return "much"
    return next(of for of, pair in _PAIRS.items() if first in pair)
