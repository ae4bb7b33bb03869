"""Lists of names, written as text."""

from __future__ import annotations


def pairs(listed: str) -> dict[str, str]:
    """What stands for what, listed as ``printed=ours``, with blanks between the pairs.

    With semicolons between them, names may have blanks.
    """
    each = listed.split(";") if ";" in listed else listed.split()
    return {one: other for one, _, other in (pair.strip().partition("=") for pair in each)}


def words(listed: str) -> tuple[str, ...]:
    """Names without blanks, listed with blanks between them."""
    return tuple(listed.split())
