"""Words and numbers of mmpmon's answers: keywords, counters, instants."""

from __future__ import annotations

import re

#: The last second that a TIMESTAMP of four-digit years can hold.
LAST_SECOND = 253_402_300_799
MILLION = 1_000_000

_KEY = re.compile(r"_[A-Za-z][A-Za-z0-9:]{0,40}_")
_DECIMAL = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,15})?")
_SIGNED = re.compile(r"-?[0-9]{1,18}")


class NotUnderstood(Exception):
    """An answer, or a word of it, that does not say what its kind says: all here may raise it."""


def words(text: str) -> list[str]:
    """The words of a line. Blanks and tabs part them, and no other character does."""
    return [word for word in text.replace("\t", " ").split(" ") if word]


def is_key(word: str) -> bool:
    """Whether a word has the form of a keyword, such as ``_br_``."""
    return bool(_KEY.fullmatch(word))


def pairs(parts: list[str]) -> list[tuple[str, str]]:
    """Keywords, without their underscores, and values.

    The word behind a keyword is its value, whatever it looks like; further words up to the
    next keyword belong to the value, as with the operands of ``rhist nr``.
    """
    found: list[tuple[str, list[str]]] = []
    for word in parts:
        if is_key(word) and (not found or found[-1][1]):
            found.append((word[1:-1], []))
        elif found:
            found[-1][1].append(word)
        else:
            raise NotUnderstood(word)
    if found and not found[-1][1]:
        raise NotUnderstood(found[-1][0])
    return [(key, " ".join(value)) for key, value in found]


def unsigned(word: str) -> int:
    """A counter of up to 64 bits, exactly."""
    digits = word.lstrip("0") or word[:1]
    # isascii: there are digits in other scripts, and superscripts.
    if len(digits) > 20 or not (digits.isascii() and digits.isdigit()):
        raise NotUnderstood(word)
    value = int(digits)
    if value >= 2**64:
        raise NotUnderstood(word)
    return value


def signed(word: str) -> int:
    """A return code, of up to 18 digits."""
    if not _SIGNED.fullmatch(word):
        raise NotUnderstood(word)
    return int(word)


def decimal(word: str) -> float:
    """A number with a decimal point, such as a time in ms."""
    if not _DECIMAL.fullmatch(word):
        raise NotUnderstood(word)
    return float(word)


def number_or_none(text: str) -> float | None:
    """The number that a value of unknown meaning is, if it is one."""
    return float(text) if _DECIMAL.fullmatch(text) else None


def instant(seconds: str, microseconds: str) -> int:
    """Microseconds since 1970, UTC, of ``_t_`` and ``_tu_``, before the year 10000.

    The latter is a plain number: 53212 is 0.053212 s.
    """
    whole, part = unsigned(seconds), unsigned(microseconds)
    if whole > LAST_SECOND or part >= MILLION:
        raise NotUnderstood(f"{seconds}/{microseconds}")
    return whole * MILLION + part


def get(found: dict[str, str], key: str) -> str:
    """The value of a keyword that an answer must have."""
    if key not in found:
        raise NotUnderstood(f"no _{key}_")
    return found[key]
