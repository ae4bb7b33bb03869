"""The registry of raw formats.

A tool is a package in this folder (or a module) that has ``FORMAT = Format(...)``, or several
of them in ``FORMATS``; it is found by being there. Other packages add theirs by the entry-point
group ``studybook.formats``, a book by a file in its ``pipelines/formats/``.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path

import pyarrow as pa

from studybook.code import text_digest
from studybook.errors import ReaderFailed, Refused
from studybook.formats.contract import Format, Hints, Reading, Sink, Table
from studybook.formats.in_front import without_prefix
from studybook.formats.mapped import MAPPED, mapped_format, offered
from studybook.formats.plugged import of_book, of_packages, together
from studybook.formats.raw import HEAD_BYTES, Head, RawFile
from studybook.formats.repetition import Repetition
from studybook.memory import recall
from studybook.plugins import book

__all__ = [
    "FOLDER", "Format", "Hints", "RawFile", "Reading", "Sink", "Table", "all_formats",
    "every_format", "known_names", "mapped_format", "named", "offered", "plugged_files",
    "plugged_in", "read", "recognise",
]  # fmt: skip


#: Where the formats of the library lie.
FOLDER = Path(__file__).parent


def all_formats() -> tuple[Format, ...]:
    """Every format that is recognised by content, in alphabetical order of its name.

    Those of the library, of installed packages, and of the book that this process works on.

    Raises
    ------
    StudyBookError
        If a format that is no part of the library cannot be had.
    """
    return _known(book())


def plugged_in(name: str) -> Path | None:
    """The file of a format that is no part of the library; None of all others."""
    return {each.name: path for each, path in _plugged(book())}.get(name)


def plugged_files() -> list[Path]:
    """The files of all formats that are no part of the library."""
    return sorted({path for _, path in _plugged(book())})


@cache
def _known(root: Path | None) -> tuple[Format, ...]:
    found = together([*_of_library(), *MAPPED], _plugged(root))
    return tuple(each for each, _ in found if each not in MAPPED)


@cache
def _plugged(root: Path | None) -> tuple[tuple[Format, Path], ...]:
    return (*of_packages(), *(of_book(root) if root else ()))


@cache
def _of_library() -> tuple[Format, ...]:
    return tuple(each for info in pkgutil.iter_modules(__path__) for each in _in(info.name))


def _in(tool: str) -> tuple[Format, ...]:
    """The formats of a tool of the library; none of a module that helps others."""
    module = importlib.import_module(f"{__name__}.{tool}")
    own = [module.FORMAT] if hasattr(module, "FORMAT") else []
    return (*getattr(module, "FORMATS", ()), *own)


@cache
def _tools() -> dict[str, str]:
    """The tool of each format of the library, without importing them: that takes a while."""

    def work_out() -> dict[str, str]:
        tools = [info.name for info in pkgutil.iter_modules(__path__)]
        return {each.name: tool for tool in tools for each in _in(tool)}

    return dict(recall("tools of formats", text_digest(FOLDER).encode(), work_out))


def every_format() -> tuple[Format, ...]:
    """Every format that can be read: those that are recognised, and tables that are mapped."""
    return (*all_formats(), *MAPPED)


def known_names() -> set[str]:
    """The names of all formats that can be read."""
    others = [*(each for each, _ in _plugged(book())), *MAPPED]
    return {*_tools(), *(each.name for each in others)}


def named(name: str) -> Format:
    """The format of a name that is known."""
    tool = _tools().get(name)
    known = _in(tool) if tool and not _plugged(book()) else every_format()
    return next(each for each in known if each.name == name)


#: How far a banner is looked for: 64 MiB. Of MPI, 93,000 lines were seen before one.
_NOISY_BLOCKS = 32

#: Files that exports come in, or with: at which place they have which bytes; and what to do.
_NO_EXPORTS = (
    (
        0, b"PK\x03\x04", "a zip archive, or a workbook",
        "unpack it; save sheets of a workbook as CSV",
    ),
    (257, b"ustar", "a tar archive", "unpack it, and name the files in it"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it, and name the files in it"),
    (0, b"\x89PNG\r\n", "a picture (PNG)", "numbers cannot be read from it: find the export"),
    (0, b"\xff\xd8\xff", "a picture (JPEG)", "numbers cannot be read from it: find the export"),
    (0, b"%PDF-", "a PDF document", "find the export that it was made from, or copy the text out"),
)  # fmt: skip


def recognise(raw: RawFile) -> Format:
    """The format of a file, by its content.

    Raises
    ------
    Refused
        If no format knows it, or if more than one does.
    """
    matches = []
    for each in all_formats():
        if each.binary == raw.binary:
            with _failing_in_words(raw.path, f"what recognises {each.name}", each):
                matches += [each] if each.recognise(raw.head) else []
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = " and ".join(each.name for each in matches)
        raise Refused(f"looks like {names} at once", "report the file", path=raw.path)
    if behind := _behind_noise(raw):
        return behind
    for place, mark, what, do in _NO_EXPORTS:
        if raw.head.data.startswith(mark, place):
            raise Refused(f"is {what}", do, path=raw.path)
    if raw.binary:
        raise Refused(
            "holds NUL bytes: a binary file, not a text export",
            "export the data as text with the tool that wrote it",
            path=raw.path,
        )
    _refuse_prefixed(raw)
    first = raw.head.first.strip()
    raise Refused(
        f"is of no known format; it begins {first[:60]!r}" if first else "is empty",
        "known formats: "
        + ", ".join(each.name for each in all_formats())
        + "; a table with a header needs no format: table maps it in run.yml"
        if first
        else "the export failed, or was not finished: make it again",
        path=raw.path,
    )


def _refuse_prefixed(raw: RawFile) -> None:
    """Refuse a file that has something in front of its lines, and else is of a known format."""
    if front := without_prefix(raw.head):
        prefix, expression, rest = front
        known = [each for each in all_formats() if not each.binary and each.recognise(rest)]
        if len(known) == 1:
            raise Refused(
                f"looks like {known[0].title}, but something stands in front of its lines:"
                f" {prefix!r}",
                f"take it off, the lines of each host into a file of their own:"
                f" sed '{expression}' FILE > NEW",
                path=raw.path,
            )


def _behind_noise(raw: RawFile) -> Format | None:
    """The format of which the first banner in a text is, beyond all that was looked at."""
    able = [each for each in all_formats() if each.banner and not raw.binary]
    patterns = {each.name: re.compile(rf"^[ \t]*{each.banner}", re.M) for each in able}
    if not able or len(raw.head.data) < HEAD_BYTES:
        return None
    for _, block in islice(raw.blocks(), _NOISY_BLOCKS):
        text = block.decode()
        for each in able:
            if (found := patterns[each.name].search(text)) and each.recognise(
                Head(text[found.start() : found.start() + HEAD_BYTES])
            ):
                return each
    return None


def read(
    path: Path, sink: Sink, hints: Hints | None = None, known: Format | None = None
) -> tuple[Format, Reading]:
    """Recognise a file and read it.

    Parameters
    ----------
    path : pathlib.Path
        The raw file.
    sink : callable
        Called with a table's name and an Arrow table for each batch of rows.
    hints : Hints, optional
        What the run's manifest knows and the file does not say.
    known : Format, optional
        The file's format, where it was recognised before.

    Returns
    -------
    tuple of Format and Reading
        What the file is, and the account of its lines.

    Raises
    ------
    Refused
        With the path filled in.
    """
    raw = RawFile(path)
    found = known or recognise(raw)
    beyond: list[Exception] = []

    def pass_on(table: str, rows: pa.Table) -> None:
        try:
            sink(table, rows)
        except Exception as error:
            beyond.append(error)
            raise

    reading = Reading(found.tables, pass_on, hints or Hints(), found.certainty)
    raw.ends_itself = found.ends_itself
    with _failing_in_words(path, f"its reader ({found.name})", found, beyond):
        found.read(raw, reading)
        if 2 * reading.lines_not_understood > reading.lines and not raw.binary:
            _refuse_prefixed(raw)
        if not raw.binary and (again := raw.repetition):
            _say_again(reading, raw, again)
        if raw.cut_line:
            reading.unknown(*raw.cut_line)
            reading.remark(
                raw.cut_line[0],
                "the last line has no line end: its last value may be cut, so it is not read;"
                " if it is whole, add the line end and read the file again",
            )
        if raw.hole:
            reading.remark(
                raw.hole,
                "NUL bytes: what stood there was never written, or was overwritten while the file"
                " was copied; copy it again from where it was recorded",
            )
        if raw.coloured:
            reading.repaired(1, "colours for a terminal were taken out of this file")
        if raw.mixed:
            reading.remark(1, "bytes that are no UTF-8 were read as Windows-1252")
        reading.finish()
    return found, reading


def _say_again(reading: Reading, raw: RawFile, again: Repetition) -> None:
    """Say that lines repeat all that stand before them."""
    if raw.repeated:
        reading.heading(raw.count - reading.lines)
        reading.repaired(
            raw.repeated.start,
            f"from here to line {raw.repeated[-1]}, the lines before it stand once more, to the"
            " letter (an export that was appended to itself): they are read once",
        )
    elif again.by_chance:
        times = "twice" if again.copies == 1 else f"{again.copies + 1} times"
        reading.remark(
            1,
            f"the file holds the same {times}, to the letter: each counts;"
            " if it was appended to itself, delete what is there again",
        )


@contextmanager
def _failing_in_words(
    path: Path, what: str, whose: Format, beyond: Sequence[Exception] = ()
) -> Iterator[None]:
    """Make a refusal of what goes wrong with a file; what went wrong beyond the reader goes on.

    A file may hold anything. That it can bring a reader down is a mistake of ours, which must not
    keep the other files from being read.
    """
    try:
        yield
    except Refused as refusal:
        refusal.path = refusal.path or path
        raise
    except (OSError, MemoryError):
        raise
    except Exception as error:
        if error in beyond:
            raise
        said = (str(error).splitlines() or [""])[0][:200]
        own = plugged_in(whose.name)
        raise ReaderFailed(
            f"{what} failed: {type(error).__name__}: {said}".rstrip(": "),
            f"a mistake in {own}: mend it there"
            if own
            else "a mistake of this program: please report it, with the file if it may be shown",
            path=path,
        ) from error
