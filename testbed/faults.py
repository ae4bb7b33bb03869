"""Faults that a raw export gets in real life, after its tool has printed it.

Lines become bytes with some line end and encoding, a copy is cut short, a file is packed.
What happens on the host that is measured (a restart, a clock past midnight, a locale) is the
writers' part; :class:`Faults` names all of it, so that a plan can list what a file carries.
"""

from __future__ import annotations

import codecs
import gzip
import lzma
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal

from backports import zstd

Compression = Literal["none", "gz", "xz", "zst"]
LineEnd = Literal["\n", "\r\n"]
LocaleName = Literal["C", "en_US", "de_DE", "ISO"]

#: Lines that are encoded at a time.
_LINES = 1_000

#: How much of the last line is left where it is cut.
_LEFT = 2 / 3


_LOCALES = {
    "en_US": "Printed in an American locale: month first, and a clock of twelve hours.",
    "de_DE": "Printed in a German locale: decimal commas, day first, a German word for averages.",
    "ISO": "Printed with a date of ISO 8601.",
}


@dataclass(frozen=True)
class Faults:
    """The faults of one raw export; by default none.

    Parameters
    ----------
    locale : {"C", "en_US", "de_DE", "ISO"}
        Locale in which the tool printed; ``ISO`` is C with dates of ISO 8601.
    midnight : bool
        Whether the run goes on past midnight.
    restart_at : int, optional
        Interval, counted from 0, at whose start sar's collector stopped and began anew.
    reset_at : int, optional
        Interval from which counters begin at 0 again, the host being up all the time.
    silent_at : int, optional
        Loop of a monitor in which a node gave no answer.
    line_end, encoding, cut_last_line
        See :func:`encode`.
    compression : {"none", "gz", "xz", "zst"}
        How the file is packed.
    """

    locale: LocaleName = "C"
    midnight: bool = False
    restart_at: int | None = None
    reset_at: int | None = None
    silent_at: int | None = None
    line_end: LineEnd = "\n"
    encoding: str = "utf-8"
    cut_last_line: bool = False
    compression: Compression = "none"

    @property
    def suffix(self) -> str:
        """The end of the name of a packed file."""
        return "" if self.compression == "none" else f".{self.compression}"

    def sentences(self) -> list[str]:
        """Say in plain words what the file carries, one sentence each."""
        found = [_LOCALES[self.locale]] if self.locale in _LOCALES else []
        if self.midnight:
            found.append("The run goes on past midnight.")
        if self.restart_at is not None:
            found.append(
                f"sar's collector began anew in interval {self.restart_at + 1}, with the mark of a"
                " restart; the samples in between are missing, and nothing else of the host is."
            )
        if self.reset_at is not None:
            found.append(f"Counters begin at 0 again from interval {self.reset_at + 1} on.")
        if self.silent_at is not None:
            found.append(f"A node gave no answer in loop {self.silent_at + 1}.")
        if self.line_end == "\r\n":
            found.append("Lines end as on Windows.")
        if self.encoding != "utf-8":
            found.append(f"The text is encoded as {self.encoding}.")
        if self.cut_last_line:
            found.append("The copy was broken off in its last line.")
        if self.compression != "none":
            found.append(f"The file is packed as {self.suffix}.")
        return found


def encode(
    lines: Iterable[str],
    line_end: LineEnd = "\n",
    encoding: str = "utf-8",
    cut_last_line: bool = False,
) -> Iterator[bytes]:
    """Make bytes of lines, some hundreds at a time.

    Parameters
    ----------
    lines : iterable of str
        Lines without their ends.
    line_end : str
        What each line ends with.
    encoding : str
        Such as ``utf-8`` or ``latin-1``; ``utf-16`` has one byte-order mark, at its start.
    cut_last_line : bool
        Whether the last line lacks its last third and its end, as in a copy that was broken off.
    """
    encoder = codecs.getincrementalencoder(encoding)()
    source = iter(lines)
    some = list(islice(source, _LINES))
    while some:
        following = list(islice(source, _LINES))
        last = some.pop()
        if cut_last_line and not following:
            some.append(last[: int(len(last) * _LEFT)])
        else:
            some.append(last + line_end)
        yield encoder.encode(line_end.join(some))
        some = following


def compress(path: Path, chunks: Iterable[bytes], kind: Compression = "none") -> None:
    """Write a file, packed or not, with nothing in it of the time or the place of its making.

    Parameters
    ----------
    path : pathlib.Path
        The file; its folder is there.
    chunks : iterable of bytes
        What goes into it.
    kind : {"none", "gz", "xz", "zst"}
        How it is packed.
    """
    with path.open("wb") as raw, _packed(raw, kind) as target:
        for chunk in chunks:
            target.write(chunk)


def _packed(raw: IO[bytes], kind: Compression) -> AbstractContextManager[Any]:
    """A stream that packs all that is written to it into a file."""
    if kind == "gz":
        return gzip.GzipFile("", "wb", 6, raw, mtime=0)
    if kind == "xz":
        return lzma.LZMAFile(raw, "wb", preset=6)
    if kind == "zst":
        return zstd.ZstdFile(raw, "wb", level=10)
    return nullcontext(raw)
