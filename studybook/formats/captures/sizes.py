"""Sizes as commands print them, with a unit: ``20.63 GiB``, ``<19.00g``, ``624951296B``."""

from __future__ import annotations

import re

_SIZE = re.compile(r"[<>]?([0-9]{1,19}(?:[.,][0-9]{1,9})?) ?([A-Za-z]{0,3})")
_POWERS = {letter: 1024**power for power, letter in enumerate("kmgtpe", 1)}
_LARGEST = 2**63 - 1


def size_bytes(text: str | None, capitals_are_binary: bool = False) -> int | None:
    """Bytes of a size; rounded, as the size was before it was printed.

    LVM prints small letters and ``KiB``, ``MiB``, … for powers of 1024. Capitals alone and ``KB``,
    ``MB``, … were powers of 1024 in old releases and are powers of 1000 in others.

    Parameters
    ----------
    text : str or None
        The size as printed; 0 needs no unit.
    capitals_are_binary : bool
        Whether the tool means powers of 1024 by capitals, too, as multipath does.

    Returns
    -------
    int or None
        None if it is no size, or one whose unit leaves doubt.
    """
    found = _SIZE.fullmatch(text.strip()) if text else None
    if not found:
        return None
    # Whole numbers stay exact, of bytes most of all.
    number = int(found[1]) if found[1].isdecimal() else float(found[1].replace(",", "."))
    unit = found[2]
    factor: int | None
    if not unit:
        factor = 1 if number == 0 else None
    elif unit in ("b", "B"):
        factor = 1
    elif unit in ("s", "S"):
        factor = 512
    elif unit[1:] == "iB" or (not unit[1:] and (unit.islower() or capitals_are_binary)):
        factor = _POWERS.get(unit[0].lower())
    else:
        factor = None
    if factor is None:
        return None
    bytes_ = round(number * factor)
    return bytes_ if bytes_ <= _LARGEST else None


def is_doubtful(text: str | None) -> bool:
    """Whether a size has a unit that is a power of 1000 or of 1024, depending on the release."""
    found = _SIZE.fullmatch(text.strip()) if text else None
    return bool(found and re.fullmatch("[KMGTPE]B?", found[2]))
