"""Captures of an IBM Spectrum Scale cluster: what mmls* and mmdiag print, and stanza files."""

from __future__ import annotations

from collections.abc import Callable

from studybook.formats.contract import Format
from studybook.formats.raw import Head
from studybook.formats.scale.reader import kind_of, read
from studybook.formats.scale.tables import TABLES


def _is(name: str) -> Callable[[Head], bool]:
    return lambda head: kind_of(head) == name


FORMATS = [
    Format(name, title, "scale", TABLES, _is(name), read)
    for name, title in (
        ("scale-text", "Spectrum Scale commands mmls* and mmdiag, as printed"),
        ("scale-y", "Spectrum Scale commands with -Y"),
        ("scale-stanza", "Spectrum Scale stanza file or disk descriptors"),
    )
]
