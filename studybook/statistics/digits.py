"""How many digits of a number its interval bears.

The rule is that of the Particle Data Group (R. L. Workman et al., *Review of Particle Physics*,
Prog. Theor. Exp. Phys. 2022, 083C01, Introduction, section 5.3): if the three highest-order digits
of the uncertainty lie between 100 and 354, it has two digits; between 355 and 949, one; above, it
is rounded up to 1000, and has two. The value ends at the same place. So an uncertainty never has
more than two significant digits, as the *Guide to the Expression of Uncertainty in Measurement*
(JCGM 100:2008, 7.2.6) wants it. The uncertainty is here the half-width of the interval; where the
value lies near one end, its distance from that. What is printed is near the number all the same:
with an interval many times wider than the number, the rule alone makes 0 of +44 %.
"""

from __future__ import annotations

import math

from studybook.text import minus

#: Significant digits of a number without an interval.
WITHOUT_INTERVAL = 3

#: Those of an exact number of which no decimals are known.
EXACT = 9

#: By which share of itself rounding may move a number; two significant digits always keep to it.
_MOVED = 0.05

#: An interval is skewed where its narrower side is less than this share of the half-width; which
#: share of that counts at least, so that it is one digit more; and below which the value is an end
#: of the interval, such as a parameter at its bound, and has no narrower side.
_SKEWED, _LEAST, _AT_END = 0.5, 0.1, 1e-9


def places(value: float, low: float | None = None, high: float | None = None) -> int | None:
    """The decimal places that a number may be printed with; negative left of the decimal point.

    Parameters
    ----------
    value : float
        The number.
    low, high : float, optional
        Its interval, in the same unit. Where an end is not finite, the other one counts.

    Returns
    -------
    int or None
        None where nothing limits them: a whole number without an interval is a count, and one
        whose interval is the number itself is exact.
    """
    ends = [end for end in (low, high) if end is not None and math.isfinite(end)]
    if not ends:
        whole = not math.isfinite(value) or value == round(value)
        return None if whole else WITHOUT_INTERVAL - 1 - _order(value)
    half = (ends[-1] - ends[0]) / 2 if len(ends) == 2 else abs(ends[0] - value)
    if half <= 0:
        return None
    side = min(value - ends[0], ends[1] - value) if len(ends) == 2 else half
    if _AT_END * half < side < _SKEWED * half:
        half = max(side, _LEAST * half)
    order = _order(half)
    leading = half / 10.0**order  # from 1 up to 10
    digits = 1 if 3.545 <= leading < 9.495 else 2
    # What is rounded up to 10 has one place more before the point.
    return digits - 1 - order - (leading >= 9.495)


def borne(
    value: float,
    low: float | None,
    high: float | None,
    decimals: int | None,
    *,
    signed: bool = False,
    of: float | None = None,
) -> str:
    """Write a number with the digits that its interval bears, and no more decimals than given.

    It has more where these would move it by more than a twentieth of itself.

    Parameters
    ----------
    value, low, high : float
        As of :func:`places`; an end that is not a number is none.
    decimals : int or None
        Decimals at most; None for as many as it bears.
    signed : bool
        Whether a positive number has its sign, too.
    of : float, optional
        The number to write, where it is not the value: an end of the interval ends at the same
        place as the value.
    """
    shown, sign = (value if of is None else of), "+" if signed else ""
    own = places(value, low, high)
    if own is not None and math.isfinite(value):
        while own < 1 - _order(value) and abs(round(value, own) - value) > _MOVED * abs(value):
            own += 1
    known = [each for each in (own, decimals) if each is not None]
    if not known:
        return minus(f"{shown:{sign}z,.{EXACT}g}")
    return rounded(shown, min(known), sign)


def ends_borne(value: float, low: float, high: float, decimals: int | None) -> str:
    """Write the ends of an interval with the digits of :func:`borne`: “24.1 to 24.7”."""
    return " to ".join(borne(value, low, high, decimals, of=end) for end in (low, high))


def rounded(value: float, decimals: int, sign: str = "") -> str:
    """Write a number with so many decimals; fewer than none round left of the decimal point."""
    return minus(f"{round(value, decimals):{sign}z,.{max(decimals, 0)}f}")


def _order(value: float) -> int:
    return math.floor(math.log10(abs(value))) if value else 0
