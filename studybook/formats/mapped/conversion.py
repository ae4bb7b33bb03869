"""Units of numbers in tables, and what one of them is in another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

#: By kind: so much one of each is. Prefixes are decimal, but for KiB and the like.
_BYTES = {
    "bytes": 1, "byte": 1, "B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
    "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
}  # fmt: skip
_BITS = {"bit": 0.125, "kbit": 125, "Mbit": 125e3, "Gbit": 125e6}
_KINDS: dict[str, dict[str, float]] = {
    "time": {
        "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600,
        "nanoseconds": 1e-9, "microseconds": 1e-6, "milliseconds": 1e-3, "seconds": 1, "second": 1,
        "ns/op": 1e-9, "us/op": 1e-6, "ms/op": 1e-3, "s/op": 1,
    },
    "size": _BYTES,
    "rate of data": {f"{unit}/s": factor for unit, factor in (_BYTES | _BITS).items()},
    "share": {"%": 0.01, "share": 1},
    "number": {"": 1, "1": 1, "count": 1},
}  # fmt: skip
_PER = {
    "ns": Fraction(10**9), "us": Fraction(10**6), "ms": Fraction(1000),
    "s": Fraction(1), "min": Fraction(1, 60), "h": Fraction(1, 3600),
}  # fmt: skip


@dataclass(frozen=True)
class _Unit:
    kind: str
    factor: Fraction
    of: str = ""


def _known(unit: str) -> _Unit | None:
    for kind, units in _KINDS.items():
        if unit in units:
            return _Unit(kind, Fraction(str(units[unit])))
    if match := re.fullmatch(r"([A-Za-z1][A-Za-z ]*)/(ns|us|ms|s|min|h)", unit):
        return _Unit("rate", _PER[match[2]], "" if match[1] == "1" else match[1])
    return None


def known_units() -> list[str]:
    """Units that may stand in a mapping, for people."""
    listed = [unit for units in _KINDS.values() for unit in units if unit not in ("", "μs")]
    return [*listed, "1/s", "requests/min"]


def conversion(unit: str, to: str) -> float | None:
    """By what a number in one unit is multiplied to be in another; None where it cannot be.

    Parameters
    ----------
    unit : str
        That of the number: ``ms``, ``KiB/s``, ``requests/min``, empty for a plain count.
    to : str
        The other.
    """
    found = _ratio(unit, to)
    return None if found is None else float(found)


def converted(number: float, unit: str, to: str) -> float:
    """A number in another unit, as it is written: 0.6 s are 600 ms.

    Parameters
    ----------
    number : float
        The number.
    unit, to : str
        Its unit, and the other; there is a :func:`conversion`.
    """
    found = Fraction(str(number)) * (_ratio(unit, to) or 1)
    return int(found) if found.denominator == 1 else float(found)


def _ratio(unit: str, to: str) -> Fraction | None:
    if unit == to:
        return Fraction(1)
    one, other = _known(unit), _known(to)
    if one is None or other is None or one.kind != other.kind:
        return None
    if one.of and other.of and one.of != other.of:
        return None
    return one.factor / other.factor
